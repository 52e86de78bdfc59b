// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "rows/kept_rows.hpp"
#include "types.hpp"

#include <upsweep/neighbors/neighbor_lanes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace nbody {

/// Positions of owned particles and ghosts, and their types, for loops over neighbours.
/// Split: loops gather x and y from one array, z from another and types from a third, as is fastest on GPUs; else all
/// from whole rows, as on CPUs.
template <bool Split>
struct positions_in_arrays {
  static constexpr bool split = Split;
  using pairs = Kokkos::View<double* [2], Kokkos::LayoutRight, memory_space>;

  padded_vectors rows;  ///< the fourth column has the types, from 0
  pairs xy;             ///< the same numbers, where they are split; else nothing
  scalars z;
  type_view types;

  KOKKOS_FORCEINLINE_FUNCTION double operator()(std::size_t i, int d) const { return rows(i, d); }
  /// Sets column d of a row, and what else has it.
  KOKKOS_FORCEINLINE_FUNCTION void set(std::size_t i, int d, double value) const {
    rows(i, d) = value;
    if constexpr (split) {
      if (d < 2) xy(i, d) = value;
      else if (d == 2) z(i) = value;
      else types(i) = static_cast<std::int32_t>(value);
    }
  }
  /// x, y and z of one particle, or of several in lanes.
  template <class J>
  KOKKOS_FORCEINLINE_FUNCTION auto of(J const& j) const {
    if constexpr (split) return upsweep::gather_positions(xy, z, j);
    else return upsweep::gather_positions(rows, j);
  }
  /// From 0.
  template <class J>
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t type(J j) const {
    if constexpr (split) return types(j);
    else return static_cast<std::int32_t>(rows(j, 3));
  }
};
using neighbor_positions = positions_in_arrays<upsweep::compat::is_gpu<space_type>>;

/// The same in memory that is kept (kept_rows).
template <class Positions>
class kept_positions {
 public:
  void resize(space_type const& space, std::size_t n) {
    positions_ = {};  // or what is outgrown would be kept beside what is taken
    rows_.resize(space, "upsweep-nbody::padded_positions", n);
    if constexpr (Positions::split) {
      xy_.resize(space, "upsweep-nbody::x_and_y", n);
      z_.resize(space, "upsweep-nbody::z", n);
      types_.resize(space, "upsweep-nbody::all_types", n);
    }
    positions_ = {*rows_, *xy_, *z_, *types_};
  }
  Positions const& operator*() const { return positions_; }
  Positions const* operator->() const { return &positions_; }

 private:
  kept_rows<padded_vectors> rows_;
  kept_rows<typename Positions::pairs> xy_;
  kept_rows<scalars> z_;
  kept_rows<type_view> types_;
  Positions positions_;
};

/// Those of n particles, not set.
template <class Positions = neighbor_positions>
Positions make_positions(space_type const& space, std::size_t n) {
  kept_positions<Positions> positions;
  positions.resize(space, n);
  return *positions;
}

}  // namespace nbody
