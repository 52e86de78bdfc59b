// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "testing.hpp"

#include <upsweep/mpi/domain.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace testing_mpi {

/// What the tests of migration and halos are run on: all particles of the box, known to every rank.
struct particle_set {
  char const* name;
  upsweep::box<double> box;
  std::vector<point> points;
};

inline particle_set random_set(Kokkos::Array<bool, 3> const& periodic, std::uint64_t seed) {
  upsweep::box<double> const box({-1, 2, 0}, {9, 13, 12}, periodic);
  particle_set set{"random", box, {}};
  random_numbers random{seed};
  for (int i = 0; i < 600; ++i) {
    point p;
    for (int d = 0; d < 3; ++d) {
      // A rounding to the upper border is outside of an open box.
      p.x[d] = std::min(box.lo(d) + random.uniform() * box.length(d), std::nextafter(box.hi(d), box.lo(d)));
    }
    set.points.push_back(p);
  }
  return set;
}

/// Lattice points on the box's lower borders, on most brick borders, and exactly one radius away from them.
inline particle_set lattice_set(Kokkos::Array<bool, 3> const& periodic) {
  particle_set set{"lattice", upsweep::box<double>({0, 0, 0}, {12, 12, 12}, periodic), {}};
  for (int x = 0; x < 12; ++x)
    for (int y = 0; y < 12; ++y)
      for (int z = 0; z < 12; z += 3) set.points.push_back({{double(x), double(y), double(z)}});
  return set;
}

/// On borders and one rounding beside them, several on one place.
inline particle_set border_set(upsweep::mpi::domain<double> const& parts) {
  particle_set set{"borders", parts.box(), {}};
  auto const& box = parts.box();
  for (int d = 0; d < 3; ++d)
    for (int k = 0; k < parts.grid()[d]; ++k) {
      double const b = parts.border(d, k);
      for (double const x : {b, std::nextafter(b, b + 1), k > 0 ? std::nextafter(b, b - 1) : b,
                             std::nextafter(parts.border(d, k + 1), box.lo(d)), b + 1.5}) {
        point p{{box.lo(0), box.lo(1), box.lo(2)}};
        p.x[d] = x;
        set.points.push_back(p);
      }
    }
  return set;
}

/// The particles that this rank owns, or an arbitrary share of all.
inline std::vector<std::int64_t> owned_ids(particle_set const& set, upsweep::mpi::domain<double> const& parts,
                                           int rank) {
  std::vector<std::int64_t> ids;
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    auto const& x = set.points[i].x;
    if (parts.owner(x[0], x[1], x[2]) == rank) ids.push_back(static_cast<std::int64_t>(i));
  }
  return ids;
}
inline std::vector<point> points_of(particle_set const& set, std::vector<std::int64_t> const& ids) {
  std::vector<point> points;
  for (auto const i : ids) points.push_back(set.points[static_cast<std::size_t>(i)]);
  return points;
}

}  // namespace testing_mpi
