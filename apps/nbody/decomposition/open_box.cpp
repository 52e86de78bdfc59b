// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "open_box.hpp"

#include "../text.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/reduce.hpp>
#include <upsweep/scan/reduce.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace nbody {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct reach_of_particle {
  vectors positions;
  upsweep::box<double> box;
  KOKKOS_FUNCTION reach_of_particles operator()(std::size_t i) const {
    auto const t = box.upright(box.wrap({positions(i, 0), positions(i, 1), positions(i, 2)}));
    return {t, t};
  }
};

struct join_reaches {
  using value_type = reach_of_particles;
  static constexpr bool exactly_associative = true;
  KOKKOS_FUNCTION reach_of_particles identity() const {
    return {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  }
  KOKKOS_FUNCTION reach_of_particles operator()(reach_of_particles a, reach_of_particles const& b) const {
    for (int d = 0; d < 3; ++d) {
      a.lo[d] = Kokkos::min(a.lo[d], b.lo[d]);
      a.hi[d] = Kokkos::max(a.hi[d], b.hi[d]);
    }
    return a;
  }
};

upsweep::box<double> with_open_borders(upsweep::box<double> const& box, Kokkos::Array<double, 3> const& lo,
                                       Kokkos::Array<double, 3> const& hi) {
  return upsweep::box<double>::triclinic(lo, hi, box.tilt(), {box.periodic(0), box.periodic(1), box.periodic(2)});
}

}  // namespace

bool is_open(upsweep::box<double> const& box) { return !box.periodic(0) || !box.periodic(1) || !box.periodic(2); }

reach_of_particles find_reach(upsweep::mpi::communicator const& comm, space_type const& space,
                              upsweep::box<double> const& box, vectors const& positions, std::int64_t step) {
  auto const reach = upsweep::mpi::reduce(
      comm,
      [&] {
        return upsweep::reduce(space, positions.extent(0), reach_of_particle{positions, box}, join_reaches{},
                               {.label = "upsweep-nbody"});
      },
      join_reaches{});
  auto const farthest = with_farthest_borders(box);
  for (int d = 0; d < 3; ++d)
    if (!box.periodic(d) && !(reach.lo[d] >= farthest.lo(d) && reach.hi[d] <= farthest.hi(d)))
      throw upsweep::input_error("step " + std::to_string(step) +
                                 text(": particles reach from %g to %g in the open direction %c (expected at most %.0f "
                                      "edges beyond the box, which reaches from %g to %g)",
                                      reach.lo[d], reach.hi[d], "xyz"[d], upsweep::box<double>::farthest, box.lo(d),
                                      box.hi(d)));
  return reach;
}

upsweep::box<double> widened(upsweep::box<double> const& box, reach_of_particles const& reach) {
  Kokkos::Array<double, 3> lo, hi;
  for (int d = 0; d < 3; ++d) {
    lo[d] = box.lo(d);
    hi[d] = box.hi(d);
    if (box.periodic(d) || (reach.lo[d] >= lo[d] && reach.hi[d] < hi[d])) continue;
    double const room = (std::max(hi[d], reach.hi[d]) - std::min(lo[d], reach.lo[d])) / 16;
    if (!(reach.lo[d] >= lo[d])) lo[d] = reach.lo[d] - room;
    if (!(reach.hi[d] < hi[d])) hi[d] = reach.hi[d] + room;
  }
  return with_open_borders(box, lo, hi);
}

upsweep::box<double> with_farthest_borders(upsweep::box<double> const& box) {
  constexpr double most = std::numeric_limits<double>::max() / 4;
  Kokkos::Array<double, 3> lo, hi;
  for (int d = 0; d < 3; ++d) {
    double const way = box.periodic(d) ? 0 : upsweep::box<double>::farthest * box.length(d);
    lo[d] = std::max(box.lo(d) - way, -most);
    hi[d] = std::min(box.hi(d) + way, most);
  }
  return with_open_borders(box, lo, hi);
}

}  // namespace nbody
