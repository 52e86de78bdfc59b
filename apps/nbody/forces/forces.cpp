// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "forces.hpp"

#include "force_grid.hpp"

#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/neighbor_lanes.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>

#include <type_traits>

namespace nbody {
namespace {

/// Adds the force of one pair, or of several at once. Fourth says what the fourth number is, and the unit of the grid.
template <class Fourth>
struct pair_force {
  static constexpr bool takes_lanes = true;
  neighbor_positions positions;
  double cutoff2;
  Fourth fourth;

  template <class J>
  KOKKOS_FORCEINLINE_FUNCTION auto load(std::size_t, J const& j) const {
    return positions.of(j);
  }
  template <class J, class Position, class Sum>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::size_t i, J const&, Position const& other, Sum& sum) const {
    using real = typename Sum::value_type;
    auto const own = positions.of(i);
    real const dx = own[0] - other[0], dy = own[1] - other[1], dz = own[2] - other[2];
    // All that a compiler might fuse is fused by hand, here and below: the same bits on all machines.
    real const r2 = upsweep::fma(dz, dz, upsweep::fma(dy, dy, dx * dx));
    // A branch saves time where a CPU has one neighbour at a time. In vectors and on GPUs it costs more than it saves.
    if constexpr (std::is_same_v<real, double> && !upsweep::compat::is_gpu<space_type>)
      if (!(r2 <= cutoff2)) return;
    real const all = lennard_jones::force_over_r(1.0 / r2);
    real const f = r2 <= cutoff2 ? all : real{};
    real const x = product_on_force_grid(dx, f, fourth.unit), y = product_on_force_grid(dy, f, fourth.unit),
               z = product_on_force_grid(dz, f, fourth.unit);
    sum[0] += x;
    sum[1] += y;
    sum[2] += z;
    sum[3] = Fourth::join(sum[3], Fourth::of(r2, x, y, z));
  }
};

/// The force is that of the first pass where the finest grid holds it; else the row is summed again, in one thread.
template <class Rows>
struct store_force {
  Rows rows;
  neighbor_positions positions;
  double cutoff2;
  vectors forces;

  KOKKOS_FUNCTION void operator()(std::size_t i, row_sum const& first) const {
    row_sum const sum = force_of_row(first, static_cast<double>(rows.run(i).count), [&](double unit) {
      pair_force<size_of_terms> const of{positions, cutoff2, {unit}};
      row_sum again;
      upsweep::reduce_neighbors(rows, i, [&](int j, row_sum& partial) { of(i, j, of.load(i, j), partial); }, again);
      return again;
    });
    for (int d = 0; d < 3; ++d) forces(i, d) = sum[d];
  }
};

}  // namespace

template <class Rows>
void compute_forces(space_type const& space, Rows const& rows, neighbor_positions const& positions,
                    lennard_jones const& pair, vectors const& forces) {
  upsweep::reduce_rows(space, rows, pair_force<nearest2>{positions, pair.cutoff2, {}},
                       store_force<Rows>{rows, positions, pair.cutoff2, forces}, force_and_nearest{},
                       {.label = "upsweep-nbody"});
}

template void compute_forces(space_type const&, upsweep::neighbor_rows<> const&, neighbor_positions const&,
                             lennard_jones const&, vectors const&);
template void compute_forces(space_type const&, upsweep::chosen_rows<> const&, neighbor_positions const&,
                             lennard_jones const&, vectors const&);

}  // namespace nbody
