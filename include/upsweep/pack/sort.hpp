// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/pack/detail/sort/sort_call.hpp>
#include <upsweep/pack/sort_options.hpp>

#include <cstddef>

namespace upsweep {

/// Sorts keys in place: 3 -1 2 becomes -1 2 3. Floating-point keys are in total order: -NaN, -inf, ..., -0,
/// +0, ..., inf, NaN.
///
/// Pre: keys, a View of rank 1 of integers, float or double of up to 64 bits; the space reaches its memory.
/// Cost: digits of eight bits; a read of all keys, and for each digit in which keys differ a read and a write (two
///   reads on several host threads and on GPUs other than CUDA's). One copy more for an odd number of such digits.
///   Workspace: n keys and, on GPUs, 1 KiB for each tile of 5000 to 9000 keys (of 2000 and more where scratch is
///   small).
/// Order: stable; the result is one, on every backend, number of threads and run.
/// Sync: asynchronous with a workspace; without one, or for a strided View, it waits for the instance.
/// Throws: precondition_error (range of bits, stride 0, workspace of another instance), out_of_memory_error.
/// Source: Adinets and Merrill, *Onesweep*; without warps of CUDA Satish, Harris and Garland, *Designing efficient
///   sorting algorithms for manycore GPUs*; write-combining lines of the host: Wassenberg and Sanders, *Engineering a
///   multi-core radix sort*.
template <execution_space_argument ExecutionSpace, class Keys>
void sort(ExecutionSpace const& space, Keys const& keys, sort_options const& options = {}) {
  static constexpr char const* function = "sort";
  auto const digits = pack::detail::checked_sort<ExecutionSpace>(options, function, keys);
  if constexpr (pack::detail::sorted_in_place<Keys> && pack::detail::radix_key<typename Keys::value_type>) {
    using key = typename Keys::value_type;
    std::size_t const n = keys.extent(0);
    if (n < 2 || digits.passes == 0) return;
    pack::detail::packed_elements<ExecutionSpace, Keys> const packed(space, keys, function, options.label);
    pack::detail::sort_arrays<key, pack::detail::no_value> const data{packed.data(), nullptr};
    pack::detail::sort_contiguous<ExecutionSpace, key, pack::detail::no_value>(space, {data, data}, n, digits, options,
                                                                               function);
    packed.put_back();
  }
}

/// Sorts keys in place and moves values with them: keys 3 1 3 and values a b c become 1 3 3 and b a c.
///
/// Pre: as sort; values, a View of rank 1 as long as keys, of any trivially copyable type.
/// Cost: as sort, with a read and a write of the values for each digit that is sorted by; workspace n
///   keys and n values.
/// Order: stable: values of equal keys stay in their order.
/// Sync: asynchronous with a workspace; without one, or for strided Views, it waits for the instance.
/// Aliasing: keys and values may not overlap; strided Views may interleave.
/// Throws: as sort, and precondition_error for extents that differ and for an overlap.
template <execution_space_argument ExecutionSpace, class Keys, class Values>
void sort_by_key(ExecutionSpace const& space, Keys const& keys, Values const& values,
                 sort_options const& options = {}) {
  static constexpr char const* function = "sort_by_key";
  auto const digits = pack::detail::checked_sort<ExecutionSpace>(options, function, keys, values);
  if constexpr (pack::detail::sorted_in_place<Keys> && pack::detail::sorted_in_place<Values> &&
                pack::detail::radix_key<typename Keys::value_type>) {
    using key = typename Keys::value_type;
    using value = typename Values::value_type;
    std::size_t const n = keys.extent(0);
    if (n < 2 || digits.passes == 0) return;
    pack::detail::packed_elements<ExecutionSpace, Keys> const packed_keys(space, keys, function, options.label);
    pack::detail::packed_elements<ExecutionSpace, Values> const packed_values(space, values, function, options.label);
    pack::detail::sort_arrays<key, value> const data{packed_keys.data(), packed_values.data()};
    pack::detail::sort_contiguous<ExecutionSpace, key, value>(space, {data, data}, n, digits, options, function);
    packed_keys.put_back();
    packed_values.put_back();
  }
}

UPSWEEP_WITHOUT_SPACE(sort)
UPSWEEP_WITHOUT_SPACE(sort_by_key)

}  // namespace upsweep
