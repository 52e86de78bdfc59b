// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/sequence.hpp>

#include <type_traits>

namespace upsweep::scan::detail {

/// Where the elements of a sequence lie side by side in memory, as bytes; null for others.
template <class T>
KOKKOS_FUNCTION char* contiguous_bytes(internal::contiguous_sequence<T> const& s) {
  return reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(s.data));
}
template <class Sequence>
KOKKOS_FUNCTION char* contiguous_bytes(Sequence const&) {
  return nullptr;
}
template <class Sequence>
inline constexpr bool is_contiguous_sequence = false;
template <class T>
inline constexpr bool is_contiguous_sequence<internal::contiguous_sequence<T>> = true;

/// Whether a problem's output may lie where its input does: for all that is known of functors.
template <class Problem>
bool may_be_in_place(Problem const& p) {
  char const *const in = contiguous_bytes(p.in), *const out = contiguous_bytes(p.out);
  return in == nullptr || out == nullptr || in == out;
}

}  // namespace upsweep::scan::detail
