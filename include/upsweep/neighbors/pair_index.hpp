// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <concepts>
#include <cstddef>

namespace upsweep {

/// The number of a pair: its place in all arrays of its list. Loops hand it to functors that ask for it, so that they
/// read what the list keeps of pairs: `KOKKOS_LAMBDA(std::size_t i, int j, pair_index k, double& sum) {
/// sum += w(j) / distances(k.value); }`
///
/// Functors of loops over lists are called with the first of these that fits them: between the neighbour and what
/// follows there are its image and the pair's number, its image, the number, or nothing. A functor that says
/// takes_lanes gets no image: the number or nothing.
/// A parameter std::size_t takes it, too, and so does any integer as large. A smaller one does not, nor a number with a
/// floating point, so that none is mistaken for it. Views have no index of this type: `value` is one.
struct pair_index {
  std::size_t value;

  template <std::integral T>
    requires(sizeof(T) == sizeof(std::size_t))
  KOKKOS_FORCEINLINE_FUNCTION constexpr operator T() const {
    return static_cast<T>(value);
  }
};

}  // namespace upsweep
