// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "forces.hpp"

#include "force_grid.hpp"
#include "force_lanes.hpp"

#include <upsweep/base/index.hpp>

template <class Fourth>
struct Kokkos::reduction_identity<nbody::row_sum<double, Fourth>> {
  KOKKOS_FUNCTION static nbody::row_sum<double, Fourth> sum() { return {}; }
};

namespace nbody {
namespace {

struct pair_forces {
  list_rows list;
  double const* positions;
  double cutoff2;
  double* forces;

  template <class Sum>
  KOKKOS_FORCEINLINE_FUNCTION void add(double x, double y, double z, std::size_t k, double unit, Sum& sum) const {
    double const* const other = positions + 4 * static_cast<std::ptrdiff_t>(list.neighbors[k]);
    double const dx = x - other[0], dy = y - other[1], dz = z - other[2];
    double const r2 = dx * dx + dy * dy + dz * dz;
    if (!(r2 <= cutoff2)) return;
    double const f = lennard_jones::force_over_r(1.0 / r2);
    sum.add(r2, on_force_grid(dx * f, unit), on_force_grid(dy * f, unit), on_force_grid(dz * f, unit));
  }
  KOKKOS_FORCEINLINE_FUNCTION double neighbors(std::int64_t i) const {
    return static_cast<double>(list.offsets[i + 1] - list.offsets[i]);
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(std::int64_t i, three_sums const& sum) const {
    forces[3 * i] = sum.x;
    forces[3 * i + 1] = sum.y;
    forces[3 * i + 2] = sum.z;
  }
};

/// One thread per row, neighbours in order: CPUs without wide vectors.
struct rows_by_thread {
  pair_forces of;

  template <class Fourth>
  KOKKOS_FUNCTION row_sum<double, Fourth> pass(std::int64_t i, double unit) const {
    double const* const own = of.positions + 4 * i;
    row_sum<double, Fourth> sum;
    for (std::size_t k = of.list.offsets[i]; k < of.list.offsets[i + 1]; ++k)
      of.add(own[0], own[1], own[2], k, unit, sum);
    return sum;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    of.store(i, force_of_row(
                    of.neighbors(i), [&] { return pass<nearest2>(i, 1); },
                    [&](double unit) { return pass<size_of_terms>(i, unit); }));
  }
};

/// Eight lanes of a warp for each row: neighbours are read in runs of 32 bytes, and small systems fill the device.
struct rows_by_lanes {
  pair_forces of;
  std::int64_t n;
  static constexpr int lanes = 8, rows = 16;

  /// Every lane of the row gets the sum, so all of them agree on whether there is another pass.
  template <class Fourth, class Member>
  KOKKOS_FUNCTION row_sum<double, Fourth> pass(Member const& member, std::int64_t i, double unit) const {
    using sum_type = row_sum<double, Fourth>;
    double const* const own = of.positions + 4 * i;
    double const x = own[0], y = own[1], z = own[2];
    sum_type sum;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(member, of.list.offsets[i], of.list.offsets[i + 1]),
        [&](std::size_t k, sum_type& local) { of.add(x, y, z, k, unit, local); }, Kokkos::Sum<sum_type>(sum));
    return sum;
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    std::int64_t const i = static_cast<std::int64_t>(member.league_rank()) * rows + member.team_rank();
    if (i >= n) return;
    three_sums const sum = force_of_row(
        of.neighbors(i), [&] { return pass<nearest2>(member, i, 1); },
        [&](double unit) { return pass<size_of_terms>(member, i, unit); });
    Kokkos::single(Kokkos::PerThread(member), [&]() { of.store(i, sum); });
  }
};

#if defined(UPSWEEP_NBODY_HAS_LANES)
struct rows_by_vectors {
  pair_forces of;
  int far;
  void operator()(std::int64_t i) const {
    of.store(
        i,
        force_of_row(
            of.neighbors(i), [&] { return lanes::pass<nearest2>(i, of.list, of.positions, far, of.cutoff2, 1); },
            [&](double unit) { return lanes::pass<size_of_terms>(i, of.list, of.positions, far, of.cutoff2, unit); }));
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
