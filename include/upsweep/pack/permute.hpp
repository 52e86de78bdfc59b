// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/pack/detail/moving/permute_rows.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace upsweep {

/// Row i of out becomes row permutation(i) of in: with 1 2 0, a b c becomes b c a. A View of rank 1 has rows of one
/// element, one of rank 2 as many as it has columns. Any indices will do, as often as they come: out has as many rows
/// as permutation has entries.
///
/// Pre: permutation, a View of rank 1 of an integer type, each entry from 0 to the last row of in; in and out of rank 1
///   or 2, of any layout.
/// Cost: a read of each index and row, and a write of each row; one launch, one thread per row. Without a workspace 512
///   bytes.
/// Order: exact.
/// Sync: asynchronous with a workspace; without one it waits for the instance.
/// Aliasing: none; Views without gaps that overlap are refused.
/// Throws: precondition_error (extents, overlap, workspace of another instance). Entries that are no rows:
///   precondition_error naming the first, by workspace::check where there is a workspace; such rows are not written.
/// Source: Thrust's gather, of rows.
template <execution_space_argument ExecutionSpace, class Permutation, class In, class Out>
void permute(ExecutionSpace const& space, Permutation const& permutation, In const& in, Out const& out,
             call_options const& options = {}) {
  static constexpr char const* function = "permute";
  pack::detail::require_permutation<ExecutionSpace, Permutation>();
  pack::detail::require_rows<ExecutionSpace, In>();
  pack::detail::require_permuted<ExecutionSpace, In, Out>();
  internal::require_same_extent(permutation.extent(0), out.extent(0), function, "permutation", "out");
  if constexpr (compat::rank<In> == 2)
    internal::require(in.extent(1) == out.extent(1), function, [&] {
      return "in has " + std::to_string(in.extent(1)) + " columns, out has " + std::to_string(out.extent(1));
    });
  internal::require_all_apart(function, internal::named{permutation, "permutation"}, internal::named{in, "in"},
                              internal::named{out, "out"});
  if constexpr (!std::is_const_v<typename Out::value_type>)
    pack::detail::permute_call(space, permutation, in, out, options, function);
}

/// The same in place, for one View after the other by the permutation of one sort:
/// `sort_permutation(space, cells, order, {.workspace = &ws}); permute_in_place(space, order, positions, {.workspace =
/// &ws}); permute_in_place(space, order, velocities, {.workspace = &ws});`.
///
/// Pre: as permute; permutation has as many entries as in_out has rows; elements can be copied as bytes.
/// Cost: as permute, and a read and a write of each row more; two launches. Workspace: the bytes of in_out's elements.
/// Throws: as permute, and out_of_memory_error. Rows whose entries are no rows stay as they are.
/// Everything else as permute.
template <execution_space_argument ExecutionSpace, class Permutation, class InOut>
void permute_in_place(ExecutionSpace const& space, Permutation const& permutation, InOut const& in_out,
                      call_options const& options = {}) {
  static constexpr char const* function = "permute_in_place";
  pack::detail::require_permutation<ExecutionSpace, Permutation>();
  pack::detail::require_rows<ExecutionSpace, InOut>();
  pack::detail::require_permuted_in_place<InOut>();
  internal::require_same_extent(permutation.extent(0), in_out.extent(0), function, "permutation", "in_out");
  internal::require_apart(permutation, in_out, function, "permutation", "in_out");
  if constexpr (!std::is_const_v<typename InOut::value_type>)
    pack::detail::permute_in_place_call(space, permutation, in_out, options, function);
}

UPSWEEP_WITHOUT_SPACE(permute)
UPSWEEP_WITHOUT_SPACE(permute_in_place)

}  // namespace upsweep
