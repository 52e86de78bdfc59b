// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace upsweep::neighbors::detail {

/// Positions in the two forms that callers have: a View (n, 3) of any layout, as a pointer with two
/// strides, or a functor.
template <class Real>
struct strided_positions {
  using real = Real;
  Real const* data;
  std::ptrdiff_t particle_stride, component_stride;
  KOKKOS_FUNCTION Kokkos::Array<Real, 3> operator()(std::int64_t i) const {
    Real const* const p = data + i * particle_stride;
    return {p[0], p[component_stride], p[2 * component_stride]};
  }
  /// Says that particle i will be read.
  KOKKOS_FUNCTION void prefetch_read(std::int64_t i) const {
    Real const* const p = data + i * particle_stride;
    for (int d = 0; d < 3; ++d) compat::prefetch_read(p + d * component_stride);
  }
};

template <class Positions>
auto make_positions(Positions const& positions) {
  if constexpr (Kokkos::is_view_v<Positions>) {
    static_assert(compat::rank<Positions> == 2, "upsweep::neighbor_list: positions is a View (n, 3).");
    return strided_positions<typename Positions::non_const_value_type>{positions.data(), compat::stride(positions, 0),
                                                                       compat::stride(positions, 1)};
  } else {
    return positions;
  }
}

/// Positions of queries, and behind them those of points.
template <class Queries, class Points>
struct two_sets {
  Queries queries;
  Points points;
  std::int64_t first_point;
  KOKKOS_FUNCTION auto operator()(std::int64_t i) const {
    return i < first_point ? queries(i) : points(i - first_point);
  }
};

/// What the library is compiled for: positions in memory, of one set of particles, or of two.
template <class Real>
using one_set = strided_positions<Real>;
template <class Real>
using both_sets = two_sets<one_set<Real>, one_set<Real>>;

/// The floating-point type of positions.
template <class Positions>
using position_real_t =
    std::remove_cvref_t<decltype(std::declval<decltype(make_positions(std::declval<Positions const&>()))>()(
        std::size_t())[0])>;

/// Upright coordinates of a wrapped particle, as cells see them: those of its image. Nothing is left to contract.
/// Inlined by order, as box::upright: GCC 16 calls both, 3 ns of the 17 that a particle's cell takes (one core of an
/// EPYC, 2026-11-27).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION typename box<Real>::vector cell_position(box<Real> const& sim_box,
                                                                     typename box<Real>::vector const& wrapped,
                                                                     image im) {
  auto t = sim_box.upright(wrapped);
  for (int d = 0; d < 3; ++d) t[d] = Kokkos::fma(static_cast<Real>(im[d]), sim_box.length(d), t[d]);
  return t;
}

}  // namespace upsweep::neighbors::detail
