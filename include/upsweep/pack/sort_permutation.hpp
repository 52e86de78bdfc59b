// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/pack/detail/lists/pack_arguments.hpp>
#include <upsweep/pack/detail/sort/permutation_call.hpp>
#include <upsweep/pack/sort_options.hpp>

#include <cstddef>
#include <string>

namespace upsweep {

/// The permutation that sorts keys, which stay as they are: keys 30 10 20 give 1 2 0, since element 1 comes first, then
/// element 2, then element 0. permute and permute_in_place bring any number of Views into that order.
///
/// Pre: keys, a View of rank 1 of integers, float or double of up to 64 bits; permutation, a contiguous View of an
///   integer type as long as keys. The space reaches the memory of both.
/// Cost: a read of the keys and a write of keys and indices, then as sort_by_key with the permutation as values.
///   Workspace: 2 n keys, n indices, and what sort has for its tiles.
/// Order: stable: equal keys stay in their order; the result is one, on every backend, number of threads and run.
/// Sync: asynchronous with a workspace; without one it waits for the instance.
/// Aliasing: none; contiguous ranges that overlap are refused.
/// Throws: precondition_error (extents, range of bits, overlap, workspace of another instance), overflow_error where
///   the last index does not fit in the permutation's type, out_of_memory_error.
/// Source: as sort; the pair of calls is modelled on Cabana's sortByKey and permute.
template <execution_space_argument ExecutionSpace, view_of_rank_1 Keys, view_argument Permutation>
void sort_permutation(ExecutionSpace const& space, Keys const& keys, Permutation const& permutation,
                      sort_options const& options = {}) {
  static constexpr char const* function = "sort_permutation";
  pack::detail::require_input<ExecutionSpace, Keys>();
  pack::detail::require_sort_permutation<ExecutionSpace, typename Keys::non_const_value_type, Permutation>();
  internal::require_same_extent(keys.extent(0), permutation.extent(0), function, "keys", "permutation");
  internal::require_apart(keys, permutation, function, "keys", "permutation");
  if constexpr (pack::detail::permutation_output<Permutation>)
    pack::detail::sort_permutation_call(space, internal::make_sequence(keys), permutation, options, function);
}

/// The same of n keys that a functor computes, key(std::size_t i): the cells of particles, say, which need no memory of
/// their own. The functor is called once for each i.
/// Throws: precondition_error for n < 0, too.
template <execution_space_argument ExecutionSpace, index_functor Key, view_argument Permutation>
void sort_permutation(ExecutionSpace const& space, std::size_t n, Key const& key, Permutation const& permutation,
                      sort_options const& options = {}) {
  static constexpr char const* function = "sort_permutation";
  pack::detail::require_sort_permutation<ExecutionSpace, internal::sequence_value_t<Key>, Permutation>();
  internal::require_same_extent(internal::checked_size(n, function), permutation.extent(0), function, "keys",
                                "permutation");
  if constexpr (pack::detail::permutation_output<Permutation>)
    pack::detail::sort_permutation_call(space, internal::make_sequence(key), permutation, options, function);
}

UPSWEEP_WITHOUT_SPACE(sort_permutation)

}  // namespace upsweep
