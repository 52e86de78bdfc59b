// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/pair_index.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// Vectors of four doubles in the compiler's own types: GCC and clang on x86 with AVX2. Without that instruction set
// they would be taken apart, and device compilers do not know them.
#if defined(__GNUC__) && defined(__AVX2__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#define UPSWEEP_HAS_NEIGHBOR_LANES 1
#endif

namespace upsweep {

// Several neighbours of a row at once, for functors of reduce_rows with `static constexpr bool takes_lanes = true`.
// Such a functor is a template: j is one index, or neighbor_lanes; numbers are double, or double_lanes; and a mask
// chooses as a bool does, in `r2 <= cutoff2 ? force : Real{}`.

namespace neighbors::detail {

template <std::size_t Numbers, class Positions>
inline constexpr bool has_rows_of =
    std::is_same_v<typename Positions::array_layout, Kokkos::LayoutRight> && Positions::static_extent(1) == Numbers;

}  // namespace neighbors::detail

#if defined(UPSWEEP_HAS_NEIGHBOR_LANES)

inline constexpr int lane_count = 4;
using double_lanes = double __attribute__((vector_size(32)));
using lane_mask = long long __attribute__((vector_size(32)));

/// The neighbours of a row in the lanes of a vector.
template <class Index>
struct neighbor_lanes {
  Index index[lane_count];
};

/// The numbers of the pairs in lanes (pair_index). They need not follow one another: a loop pads rows, and it may put
/// pairs of several rows side by side.
struct pair_lanes {
  std::size_t index[lane_count];
};

namespace neighbors::detail {

/// x, y and z of four rows of four doubles. Compilers do not find this transposition by themselves: with AVX2 a gather
/// loop takes 490 ns a particle of a Lennard-Jones liquid, this one 120.
template <class Index>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<double_lanes, 3> gather_rows_of_four(double const* rows,
                                                                               neighbor_lanes<Index> const& j) {
  auto const row = [&](int lane) {
    double_lanes result;
    __builtin_memcpy(&result, rows + 4 * static_cast<std::ptrdiff_t>(j.index[lane]), sizeof(result));
    return result;
  };
  double_lanes const a = row(0), b = row(1), c = row(2), d = row(3);
  double_lanes const xz01 = __builtin_shufflevector(a, b, 0, 4, 2, 6), xz23 = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  double_lanes const y01 = __builtin_shufflevector(a, b, 1, 5, 3, 7), y23 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return {__builtin_shufflevector(xz01, xz23, 0, 1, 4, 5), __builtin_shufflevector(y01, y23, 0, 1, 4, 5),
          __builtin_shufflevector(xz01, xz23, 2, 3, 6, 7)};
}

}  // namespace neighbors::detail

/// The positions of neighbours, x of all, y of all, z of all: `auto const x = gather_positions(positions, j);`
///
/// positions: a View of double, (n, 3) or (n, 4) with a fourth column for padding: `View<double*[4], LayoutRight>` is
/// read one vector per row.
/// Pre: it was not made with Kokkos::AllowPadding.
template <class Positions, class Index>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<double_lanes, 3> gather_positions(Positions const& positions,
                                                                            neighbor_lanes<Index> const& j) {
  if constexpr (neighbors::detail::has_rows_of<4, Positions>) {
    return neighbors::detail::gather_rows_of_four(positions.data(), j);
  } else {
    Kokkos::Array<double_lanes, 3> result;
    for (int d = 0; d < 3; ++d)
      for (int lane = 0; lane < lane_count; ++lane) result[d][lane] = positions(j.index[lane], d);
    return result;
  }
}

/// The same of what a list keeps of the pairs: `auto const way = gather_positions(displacements, k);`
template <class Positions>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<double_lanes, 3> gather_positions(Positions const& positions,
                                                                            pair_lanes const& k) {
  return gather_positions(positions, neighbor_lanes<std::size_t>{{k.index[0], k.index[1], k.index[2], k.index[3]}});
}

/// One number of each: `auto const d = gather_values(distances, k);` of pairs, `gather_values(charges, j)` of
/// neighbours.
/// values: a View of double, (n).
template <class Values, class Lanes>
  requires requires(Lanes const& lanes) { lanes.index[0]; }
KOKKOS_FORCEINLINE_FUNCTION double_lanes gather_values(Values const& values, Lanes const& lanes) {
  double_lanes result;
  for (int lane = 0; lane < lane_count; ++lane) result[lane] = values(lanes.index[lane]);
  return result;
}

/// Positions, x and y of which are in one View (n, 2) and z in another: `auto const x = gather_positions(xy, z, j);`
template <class XY, class Z, class Lanes>
  requires requires(Lanes const& lanes) { lanes.index[0]; }
KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<double_lanes, 3> gather_positions(XY const& xy, Z const& z, Lanes const& j) {
  Kokkos::Array<double_lanes, 3> result;
  for (int d = 0; d < 2; ++d)
    for (int lane = 0; lane < lane_count; ++lane) result[static_cast<std::size_t>(d)][lane] = xy(j.index[lane], d);
  result[2] = gather_values(z, j);
  return result;
}

KOKKOS_FORCEINLINE_FUNCTION double_lanes fma(double_lanes const& a, double_lanes const& b, double_lanes const& c) {
  double_lanes result;
  for (int lane = 0; lane < lane_count; ++lane) result[lane] = __builtin_fma(a[lane], b[lane], c[lane]);
  return result;
}

#endif

namespace neighbors::detail {

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
/// Two numbers that are read together.
template <class Real>
struct alignas(2 * sizeof(Real)) two_numbers {
  Real first, second;
};
#endif

/// The first three numbers of a row of four. Aligned: to all of it, as Kokkos' own memory is; of others, and of
/// scratch, nothing is known. H200, forces of 78 neighbours a particle: 1.60 ms with a load for each
/// number, 1.48 with two at once.
template <bool Aligned, class Real>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Real, 3> row_of_four(Real const* row) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  if constexpr (Aligned) {
    auto const two = *reinterpret_cast<two_numbers<Real> const*>(row);
    return {two.first, two.second, row[2]};
  }
#endif
  return {row[0], row[1], row[2]};
}

}  // namespace neighbors::detail

/// a b + c, rounded once, of numbers and of lanes: a functor that spells its fused multiply-adds out, and leaves no
/// product beside a sum, gives the same bits on all machines. Cost: where the compiler may not use the instruction, a
/// call for each number.
template <std::floating_point Real>
KOKKOS_FORCEINLINE_FUNCTION Real fma(Real a, Real b, Real c) {
  return Kokkos::fma(a, b, c);
}

/// The position of one neighbour.
template <class Positions, class Index>
  requires(std::is_integral_v<Index>)
KOKKOS_FORCEINLINE_FUNCTION auto gather_positions(Positions const& positions, Index j) {
  using real = typename Positions::non_const_value_type;
  if constexpr (neighbors::detail::has_rows_of<4, Positions>) {
    return neighbors::detail::row_of_four<!Positions::memory_traits::is_unmanaged>(positions.data() +
                                                                                   4 * static_cast<std::ptrdiff_t>(j));
  } else {
    return Kokkos::Array<real, 3>{positions(j, 0), positions(j, 1), positions(j, 2)};
  }
}

/// The position of one neighbour, x and y of which are in one View and z in another:
/// `auto const x = gather_positions(xy, z, j);`
///
/// xy: a View (n, 2); z: one (n). Pre: where xy is managed, and LayoutRight of a static extent of 2, each of its rows
/// begins at a multiple of two numbers, as those of whole Views do.
/// GPUs gather faster from View<double*[2], LayoutRight> and View<double*> than from rows of four: x and y of a row of
/// four are always in the same half of the banks of the L1 cache. H100, forces of 4 * 10^6 particles with 78 neighbours
/// each: 1.18 ms, and 1.52 from rows of four (2026-11-28).
template <class XY, class Z, class Index>
  requires(std::is_integral_v<Index>)
KOKKOS_FORCEINLINE_FUNCTION auto gather_positions(XY const& xy, Z const& z, Index j) {
  using real = typename XY::non_const_value_type;
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  if constexpr (neighbors::detail::has_rows_of<2, XY> && !XY::memory_traits::is_unmanaged) {
    auto const two = *reinterpret_cast<neighbors::detail::two_numbers<real> const*>(&xy(j, 0));
    return Kokkos::Array<real, 3>{two.first, two.second, z(j)};
  }
#endif
  return Kokkos::Array<real, 3>{xy(j, 0), xy(j, 1), z(j)};
}

/// The same of one pair, and one number of a neighbour or of a pair.
template <class Positions>
KOKKOS_FORCEINLINE_FUNCTION auto gather_positions(Positions const& positions, pair_index k) {
  return gather_positions(positions, k.value);
}
template <class Values, class Index>
  requires(std::is_integral_v<Index>)
KOKKOS_FORCEINLINE_FUNCTION auto gather_values(Values const& values, Index j) {
  return values(j);
}
template <class Values>
KOKKOS_FORCEINLINE_FUNCTION auto gather_values(Values const& values, pair_index k) {
  return values(k.value);
}

}  // namespace upsweep
