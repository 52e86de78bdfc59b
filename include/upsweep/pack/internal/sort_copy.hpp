// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/pack/detail/sort/sort_call.hpp>
#include <upsweep/pack/sort_options.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::internal {

/// Keys, and values beside them, in contiguous memory.
using pack::detail::sort_arrays;

/// Bytes at the beginning of a workspace that sort_copy takes.
template <class Key, class Value, class ExecutionSpace>
std::size_t sort_copy_bytes(ExecutionSpace const& space, std::size_t n, sort_options const& options) {
  auto const digits = pack::detail::checked_digits<Key>(options, "sort");
  return n < 2 ? 0 : pack::detail::sort_engine<ExecutionSpace, Key, Value>::own_bytes(space, n, digits, "sort");
}

/// Writes n sorted keys, and their values, to `result`; what lies in `other` is then undefined. Without values, Value
/// is no_value. `function` names the kernels.
///
/// Pre: the three do not overlap. options.workspace holds at least sort_copy_bytes; what it holds behind these is not
///   touched, so that arrays may lie there.
/// Cost: as upsweep::sort, but no copy for an odd number of digits in which keys differ. A copy where there is none.
/// Order, Sync: as upsweep::sort with a workspace.
template <class ExecutionSpace, class Key, class Value>
void sort_copy(ExecutionSpace const& space, sort_arrays<Key, Value> const& source,
               sort_arrays<Key, Value> const& result, sort_arrays<Key, Value> const& other, std::size_t n,
               sort_options const& options, char const* function) {
  auto const digits = pack::detail::checked_digits<Key>(options, function);
  if (n == 0) return;
  if (n > 1 && digits.passes > 0) {
    pack::detail::sort_contiguous<ExecutionSpace, Key, Value>(space, {source, result, other}, n, digits, options,
                                                              function);
    return;
  }
  auto const copy = [&]<class T>(T* from, T* to) {
    pack::detail::copy_elements(space, contiguous_sequence<T>{from}, contiguous_sequence<T>{to}, n, function, "copy",
                                options.label);
  };
  copy(source.keys, result.keys);
  if constexpr (!std::is_same_v<Value, pack::detail::no_value>) copy(source.values, result.values);
}

}  // namespace upsweep::internal
