// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::internal {

// The rules on arguments that share memory. Messages are made in the library: calls test, and few of them fail.

/// Addresses from the first byte of a View to behind its last one.
struct byte_range {
  std::uintptr_t begin, end;
};

template <class V>
byte_range bytes_of(V const& view) {
  auto const begin = reinterpret_cast<std::uintptr_t>(view.data());
  return {begin, begin + view.span() * sizeof(typename V::value_type)};
}

/// Whether two ranges share no byte. An empty one shares none with any.
inline bool are_apart(byte_range a, byte_range b) {
  return a.begin == a.end || b.begin == b.end || a.end <= b.begin || b.end <= a.begin;
}

/// Throws precondition_error: "keys and values overlap (values starts 4 bytes after keys); give separate ranges".
[[noreturn]] void throw_overlap(char const* function, char const* name_a, char const* name_b, byte_range a,
                                byte_range b);
/// Throws precondition_error for an output that shares memory with the input, but is not the same elements.
[[noreturn]] void throw_partial_overlap(char const* function, byte_range in, byte_range out);

/// Whether the elements of a View fill its range. Rank 1: asked of the type, since strided Views may interleave.
template <class V>
bool fills_its_range(V const& view) {
  if constexpr (compat::rank<V> == 1) return compat::is_contiguous_rank1<V>;
  else return view.span_is_contiguous();
}

/// Refuses two Views without gaps that share memory. Functors answer for themselves.
template <class A, class B>
void require_apart(A const& a, B const& b, char const* function, char const* name_a, char const* name_b) {
  if constexpr (Kokkos::is_view_v<A> && Kokkos::is_view_v<B>) {
    if (fills_its_range(a) && fills_its_range(b) && !are_apart(bytes_of(a), bytes_of(b)))
      throw_overlap(function, name_a, name_b, bytes_of(a), bytes_of(b));
  }
}

/// A View, and what messages call it.
template <class V>
struct named {
  V const& view;
  char const* name;
};
template <class V>
named(V const&, char const*) -> named<V>;

/// The same of each two of several Views.
template <class First, class... Others>
void require_all_apart(char const* function, named<First> const& first, named<Others> const&... others) {
  (require_apart(first.view, others.view, function, first.name, others.name), ...);
  if constexpr (sizeof...(Others) > 1) require_all_apart(function, others...);
}

/// The same, but the output may be the input: elements of the same size at the same places.
template <class In, class Out>
void require_same_or_apart(In const& in, Out const& out, char const* function) {
  if constexpr (Kokkos::is_view_v<In> && Kokkos::is_view_v<Out>) {
    if (!fills_its_range(in) || !fills_its_range(out) || are_apart(bytes_of(in), bytes_of(out))) return;
    bool same = sizeof(typename In::value_type) == sizeof(typename Out::value_type);
    same = same && bytes_of(in).begin == bytes_of(out).begin;
    if constexpr (compat::rank < In >> 1)
      for (std::size_t d = 0; d < compat::rank<In>; ++d)  // a dimension of one element is never strided over
        same = same && (in.extent(d) <= 1 || compat::stride(in, d) == compat::stride(out, d));
    if (!same) throw_partial_overlap(function, bytes_of(in), bytes_of(out));
  }
}

}  // namespace upsweep::internal
