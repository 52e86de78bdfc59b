// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "boxes.hpp"

#include "../../neighbors/boxes.hpp"

#include <upsweep/io/mpi/lammps_data.hpp>

#include <cmath>
#include <random>

namespace oracle {

cluster_problem random_problem(unsigned seed) {
  std::mt19937_64 engine(seed);
  auto const pick = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine); };
  auto const real = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine); };
  cluster_problem p;
  for (std::size_t d = 0; d < 3; ++d) {
    p.box.lo[d] = pick(-8, 8) / 4.0;
    p.box.hi[d] = p.box.lo[d] + pick(8, 40) / 4.0;
    p.box.periodic[d] = pick(0, 3) != 0;
    if (seed % 3 == 2) p.box.tilt[d] = pick(-8, 8) / 4.0;
  }
  auto const n = static_cast<std::size_t>(pick(1, 500));
  p.x = uniform_points(n, p.box, seed);
  if (seed % 2 == 1) {
    // Clumps around every 25th point; along periodic directions they may leave the box.
    for (std::size_t i = 0; i < n; ++i) {
      auto const& centre = p.x[i - i % 25];
      if (i % 25 == 0 || i % 25 > 20) continue;
      for (std::size_t d = 0; d < 3; ++d)
        if (p.box.periodic[d] && seed % 3 != 2) p.x[i][d] = centre[d] + real(-0.6, 0.6);
    }
  }
  double const volume = (p.box.hi[0] - p.box.lo[0]) * (p.box.hi[1] - p.box.lo[1]) * (p.box.hi[2] - p.box.lo[2]);
  p.length = std::cbrt(volume / static_cast<double>(n)) * real(0.3, 1.0);
  return p;
}

clusters::point_set share_of(upsweep::mpi::communicator const& comm, clusters::space_type const& space,
                             cluster_problem const& problem) {
  auto const total = static_cast<std::int64_t>(problem.x.size());
  auto const range = upsweep::mpi::even_range(total, comm.rank(), comm.size());
  auto const n = static_cast<std::size_t>(range.last - range.first);
  clusters::point_set points{to_box(problem.box), clusters::make<clusters::vectors>(space, "x", n),
                             clusters::make<clusters::numbers>(space, "number", n),
                             clusters::make<clusters::numbers>(space, "id", n), total};
  auto const x = Kokkos::create_mirror_view(points.positions);
  auto const number = Kokkos::create_mirror_view(points.number), id = Kokkos::create_mirror_view(points.id);
  for (std::size_t i = 0; i < n; ++i) {
    number(i) = range.first + static_cast<std::int64_t>(i);
    id(i) = 10 + 3 * number(i);
    for (std::size_t d = 0; d < 3; ++d) x(i, d) = problem.x[static_cast<std::size_t>(number(i))][d];
  }
  Kokkos::deep_copy(points.positions, x);
  Kokkos::deep_copy(points.number, number);
  Kokkos::deep_copy(points.id, id);
  return points;
}

}  // namespace oracle
