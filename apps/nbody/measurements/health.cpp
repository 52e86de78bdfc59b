// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "health.hpp"

#include "../forces/force_grid.hpp"
#include "../decomposition/open_box.hpp"
#include "../text.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/reduce.hpp>
#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/scan/reduce.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace nbody {
namespace {

constexpr std::int64_t no_particle = std::numeric_limits<std::int64_t>::max();

enum class fault_kind : std::int64_t { none, pair, velocity, position };

/// What is wrong with one particle.
struct fault {
  std::int64_t id = no_particle;
  fault_kind kind = fault_kind::none;
  std::int64_t partner = -1;  // of a pair
  double distance2 = 0;
};

/// The fault of the lowest id.
struct lowest_fault {
  using value_type = fault;
  KOKKOS_FUNCTION fault identity() const { return {}; }
  KOKKOS_FUNCTION fault operator()(fault const& a, fault const& b) const { return b.id < a.id ? b : a; }
};

struct fault_of_particle {
  vectors positions, velocities;
  id_view ids;
  upsweep::neighbor_rows<> rows;  // none: pairs are not looked at
  padded_vectors padded;
  id_view all_ids;
  double cutoff2;
  bool half;  ///< rows have one direction of each pair

  KOKKOS_FUNCTION fault operator()(std::size_t i) const {
    fault result;
    for (int d = 0; d < 3; ++d) {
      if (!Kokkos::isfinite(velocities(i, d))) result = {ids(i), fault_kind::velocity, -1, 0};
      if (!Kokkos::isfinite(positions(i, d))) return {ids(i), fault_kind::position, -1, 0};
    }
    if (rows.rows == 0) return result;
    double nearest = cutoff2;
    upsweep::for_each_neighbor(rows, i, [&](int j) {
      double r2 = 0;
      for (int d = 0; d < 3; ++d) {
        double const way = padded(i, d) - padded(j, d);
        r2 += way * way;
      }
      // The force loop has no number for such a pair (force_grid.hpp).
      if (r2 <= nearest && unit_for_pairs(r2) == 0) {
        nearest = r2;
        bool const other = half && all_ids(j) < ids(i);  // it would have met this one in its row
        result = {other ? all_ids(j) : ids(i), fault_kind::pair, other ? ids(i) : all_ids(j), r2};
      }
    });
    return result;
  }
};

/// Where a particle is that has no place in the box.
struct place_fault {
  std::int64_t id = no_particle;
  upsweep::position_fault fault{};
};

/// The one of the lowest id.
struct lowest_place_fault {
  using value_type = place_fault;
  KOKKOS_FUNCTION place_fault identity() const { return {}; }
  KOKKOS_FUNCTION place_fault operator()(place_fault const& a, place_fault const& b) const {
    return b.id < a.id ? b : a;
  }
};

struct fault_of_place {
  vectors positions;
  id_view ids;
  upsweep::box<double> box;
  KOKKOS_FUNCTION place_fault operator()(std::size_t i) const {
    auto const fault = box.fault({positions(i, 0), positions(i, 1), positions(i, 2)});
    return fault ? place_fault{ids(i), fault} : place_fault{};
  }
};

/// Words on the fault of lowest id on all ranks; empty where no particle has one. Collective.
std::string describe(upsweep::mpi::communicator const& comm, space_type const& space, atoms const& a,
                     fault_of_particle const& of) {
  fault const found = upsweep::mpi::reduce(
      comm, [&] { return upsweep::reduce(space, a.size(), of, lowest_fault{}, {.label = "upsweep-nbody"}); },
      lowest_fault{});
  if (found.id == no_particle) return {};
  auto const particle = std::to_string(found.id);
  switch (found.kind) {
    case fault_kind::position: return "the position of particle " + particle + " is not a finite number";
    case fault_kind::velocity: return "the velocity of particle " + particle + " is not a finite number";
    default: break;
  }
  auto const both = "particles " + particle + " and " + std::to_string(found.partner);
  return both + (found.distance2 == 0 ? " are at one place"
                                      : text(" are %g apart, too near for a finite force", std::sqrt(found.distance2)));
}

/// Words on a place, as the end of a sentence about a position.
std::string describe_place(upsweep::box<double> const& box, upsweep::position_fault const& fault) {
  using enum upsweep::position_fault::kind;
  if (fault.what == not_finite) return "is not a finite number";
  if (fault.what == too_far) return box.describe(fault);
  return text("is more than %.0f edges away in the open direction %c", upsweep::box<double>::farthest,
              box.direction_name(fault.direction));
}

[[noreturn]] void refuse(std::int64_t step, std::string const& what) {
  throw upsweep::input_error("step " + std::to_string(step) + ": " + what);
}

}  // namespace

void require_good(upsweep::mpi::communicator const& comm, space_type const& space, atoms const& a,
                  neighborhood const& near, lennard_jones const& pair, thermo_row const& start, thermo_row const& now) {
  bool finite = true;
  for (double const number : {now.temperature, now.potential, now.kinetic, now.total, now.pressure})
    finite = finite && std::isfinite(number);
  if (!finite) {
    auto const what = describe(
        comm, space, a,
        {a.positions, a.velocities, a.ids, near.rows(), near.positions(), near.ids(), pair.cutoff2, near.is_half()});
    refuse(now.step, (what.empty() ? std::string("energies are not finite numbers") : what) +
                         " (particles are counted from 0 in order of ids; --keep-going goes on)");
  }
  double const scale = std::max({std::abs(start.total), start.kinetic, 1.0});
  if (std::abs(now.total - start.total) > 1000 * scale)
    refuse(now.step,
           text("the total energy a particle is %g, and was %g at step %lld: the time step is too long for this start "
                "(--keep-going goes on)",
                now.total, start.total, static_cast<long long>(start.step)));
}

void require_places(upsweep::mpi::communicator const& comm, space_type const& space, atoms const& a,
                    upsweep::box<double> const& box, double largest, std::int64_t step) {
  bool const is_periodic = box.periodic(0) || box.periodic(1) || box.periodic(2);
  double shortest = std::numeric_limits<double>::infinity();
  for (int d = 0; d < 3; ++d)
    if (box.periodic(d) || !is_periodic) shortest = std::min(shortest, box.length(d));
  if (largest <= shortest) return;  // not where it is NaN
  auto const whole = is_open(box) ? with_farthest_borders(box) : box;
  place_fault const found = upsweep::mpi::reduce(
      comm,
      [&] {
        return upsweep::reduce(space, a.size(), fault_of_place{a.positions, a.ids, whole}, lowest_place_fault{},
                               {.label = "upsweep-nbody"});
      },
      lowest_place_fault{});
  constexpr char why[] = ": the time step is too long for this start (particles are counted from 0 in order of ids)";
  if (found.id == no_particle) return;
  auto const particle = "the position of particle " + std::to_string(found.id) + " ";
  refuse(step, particle + describe_place(box, found.fault) + why);
}

}  // namespace nbody
