// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/contiguous_sequence.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace upsweep::internal {

// The canonical forms into which public calls turn Views before a kernel sees them, so that kernels are compiled once
// per value type and not once per layout, memory space and set of traits. Engines read and write global memory only
// through load and store of these, their own temporary memory too, so that studies can count it
// (scan/study/access_count.hpp).

/// Elements side by side in memory.
template <class T>
struct contiguous_sequence {
  using value_type = std::remove_const_t<T>;
  T* data;
  KOKKOS_FORCEINLINE_FUNCTION value_type load(std::size_t i) const { return data[i]; }
  KOKKOS_FORCEINLINE_FUNCTION void store(std::size_t i, value_type const& value) const
    requires(!std::is_const_v<T>)
  {
    data[i] = value;
  }
};

/// Elements a fixed number of elements apart.
template <class T>
struct strided_sequence {
  using value_type = std::remove_const_t<T>;
  T* data;
  std::ptrdiff_t stride;
  KOKKOS_FORCEINLINE_FUNCTION value_type load(std::size_t i) const {
    return data[static_cast<std::ptrdiff_t>(i) * stride];
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(std::size_t i, value_type const& value) const
    requires(!std::is_const_v<T>)
  {
    data[static_cast<std::ptrdiff_t>(i) * stride] = value;
  }
};

/// Values computed from their index.
template <class Functor>
struct functor_sequence {
  using value_type = std::remove_cvref_t<std::invoke_result_t<Functor const&, std::size_t>>;
  Functor functor;
  KOKKOS_FORCEINLINE_FUNCTION value_type load(std::size_t i) const { return functor(i); }
};

/// The canonical form of an output: a View of rank 1 with elements that can be assigned. Others are refused, and stand
/// for nothing in what follows: one error is enough.
template <view_of_rank_1 Out>
auto make_output_sequence(Out const& out) {
  using T = typename Out::non_const_value_type;
  static_assert(!std::is_const_v<typename Out::value_type>,
                "upsweep: the output is a View of rank 1 with elements that can be assigned.");
  if constexpr (std::is_const_v<typename Out::value_type>) return contiguous_sequence<T>{nullptr};
  else if constexpr (compat::is_contiguous_rank1<Out>) return contiguous_sequence<T>{out.data()};
  else return strided_sequence<T>{out.data(), compat::stride(out, 0)};
}

/// The canonical form of an input, a View of rank 1 or a functor. Elements of a View are const, whatever the View says:
/// one instantiation for both.
template <sequence_argument In>
auto make_sequence(In const& in) {
  if constexpr (view_of_rank_1<In>) {
    using T = typename In::const_value_type;
    if constexpr (compat::is_contiguous_rank1<In>) return contiguous_sequence<T>{in.data()};
    else return strided_sequence<T>{in.data(), compat::stride(in, 0)};
  } else {
    return functor_sequence<In>{in};
  }
}

/// The value type that an input delivers.
template <sequence_argument In>
using sequence_value_t = typename decltype(make_sequence(std::declval<In const&>()))::value_type;

/// Compile-time rule: the kernels of ExecutionSpace can reach the memory of a View. Functors answer for themselves.
template <class ExecutionSpace, class In>
constexpr bool reachable() {
  if constexpr (Kokkos::is_view_v<In>)
    return Kokkos::SpaceAccessibility<ExecutionSpace, typename In::memory_space>::accessible;
  else return true;
}

}  // namespace upsweep::internal
