// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "forces.hpp"

#include "force_lanes.hpp"

#include <upsweep/base/index.hpp>

namespace nbody {

/// The force of some neighbours; three doubles that add up.
struct force_sum {
  double x = 0, y = 0, z = 0;
  KOKKOS_FUNCTION force_sum& operator+=(force_sum const& other) {
    x += other.x;
    y += other.y;
    z += other.z;
    return *this;
  }
};

}  // namespace nbody

template <>
struct Kokkos::reduction_identity<nbody::force_sum> {
  KOKKOS_FUNCTION static nbody::force_sum sum() { return {}; }
};

namespace nbody {
namespace {

struct pair_forces {
  list_rows list;
  double const* positions;
  double cutoff2;
  double* forces;

  KOKKOS_FORCEINLINE_FUNCTION void add(double x, double y, double z, std::size_t k, force_sum& sum) const {
    double const* const other = positions + 4 * static_cast<std::ptrdiff_t>(list.neighbors[k]);
    double const dx = x - other[0], dy = y - other[1], dz = z - other[2];
    double const r2 = dx * dx + dy * dy + dz * dz;
    if (!(r2 <= cutoff2)) return;
    double const f = lennard_jones::force_over_r(1.0 / r2);
    sum.x += on_force_grid(dx * f);
    sum.y += on_force_grid(dy * f);
    sum.z += on_force_grid(dz * f);
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(std::int64_t i, force_sum const& sum) const {
    forces[3 * i] = sum.x;
    forces[3 * i + 1] = sum.y;
    forces[3 * i + 2] = sum.z;
  }
};

/// One thread a row, neighbours in order: CPUs without wide vectors.
struct rows_by_thread {
  pair_forces of;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    double const *const own = of.positions + 4 * i;
    force_sum sum;
    for (std::size_t k = of.list.offsets[i]; k < of.list.offsets[i + 1]; ++k) of.add(own[0], own[1], own[2], k, sum);
    of.store(i, sum);
  }
};

/// Eight lanes of a warp a row: neighbours are read in runs of 32 bytes, and small systems fill the device.
struct rows_by_lanes {
  pair_forces of;
  std::int64_t n;
  static constexpr int lanes = 8, rows = 16;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    std::int64_t const i = static_cast<std::int64_t>(member.league_rank()) * rows + member.team_rank();
    if (i >= n) return;
    double const* const own = of.positions + 4 * i;
    double const x = own[0], y = own[1], z = own[2];
    force_sum sum;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(member, of.list.offsets[i], of.list.offsets[i + 1]),
        [&](std::size_t k, force_sum& local) { of.add(x, y, z, k, local); }, Kokkos::Sum<force_sum>(sum));
    Kokkos::single(Kokkos::PerThread(member), [&]() { of.store(i, sum); });
  }
};

#if defined(UPSWEEP_NBODY_HAS_LANES)
struct rows_by_vectors {
  pair_forces of;
  int far;
  void operator()(std::int64_t i) const {
    lanes::force_of_row(i, of.list, of.positions, far, of.cutoff2, of.forces + 3 * i);
  }
};
#endif

struct set_far_row {
  double* row;
  KOKKOS_FUNCTION void operator()(std::int64_t d) const { row[d] = 1e30; }
};

}  // namespace

void compute_forces(space_type const& space, std::size_t n, list_rows const& list, padded_vectors const& positions,
                    lennard_jones const& pair, vectors const& forces) {
  if (n == 0) return;
  pair_forces const of{list, positions.data(), pair.cutoff2, forces.data()};
  char const* const label = "upsweep-nbody::force";
  if constexpr (upsweep::compat::is_gpu<space_type>) {
    auto const rows = static_cast<std::int64_t>(n);
    int const teams = upsweep::narrow<int>(upsweep::divide_up<std::int64_t>(rows, rows_by_lanes::rows), "compute_forces", "teams");
    using policy = Kokkos::TeamPolicy<space_type>;
    Kokkos::parallel_for(label, policy(space, teams, rows_by_lanes::rows, rows_by_lanes::lanes), rows_by_lanes{of, rows});
  } else {
#if defined(UPSWEEP_NBODY_HAS_LANES)
    int const far = upsweep::narrow<int>(positions.extent(0) - 1, "compute_forces", "the number of particles");
    Kokkos::parallel_for(label, particles(space, n), rows_by_vectors{of, far});
#else
    Kokkos::parallel_for(label, particles(space, n), rows_by_thread{of});
#endif
  }
}

void place_far_row(space_type const& space, padded_vectors const& positions, std::size_t n) {
  Kokkos::parallel_for("upsweep-nbody::far_row", particles(space, 4), set_far_row{positions.data() + 4 * n});
}

}  // namespace nbody
