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
  neighbor_positions padded;
  id_view all_ids;
  double too_near2;  ///< squared distance below which a pair is a fault
  bool half;         ///< rows have one direction of each pair

  KOKKOS_FUNCTION fault operator()(std::size_t i) const {
    fault result;
    for (int d = 0; d < 3; ++d) {
      if (!Kokkos::isfinite(velocities(i, d))) result = {ids(i), fault_kind::velocity, -1, 0};
      if (!Kokkos::isfinite(positions(i, d))) return {ids(i), fault_kind::position, -1, 0};
    }
    if (rows.rows == 0) return result;
    double nearest = too_near2;
    upsweep::for_each_neighbor(rows, i, [&](int j) {
      double r2 = 0;
      for (int d = 0; d < 3; ++d) {
        double const way = padded(i, d) - padded(j, d);
        r2 += way * way;
      }
      if (r2 < nearest) {
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

/// What is said of the numbers that particles have in messages.
constexpr char counted[] = "particles are counted from 1 in order of ids";

/// Below it two particles of a start overlap; and what a Lennard-Jones pair of this distance has, or a soft one, at
/// least.
constexpr double overlap_distance = 0.1, overlap_energy = 1e11;

std::string number_of(std::int64_t id) { return std::to_string(id + 1); }

/// "particles 1 and 2"
std::string both(fault const& found) { return "particles " + number_of(found.id) + " and " + number_of(found.partner); }

/// The fault of lowest id on all ranks. Collective.
fault find_fault(upsweep::mpi::communicator const& comm, space_type const& space, atoms const& a,
                 fault_of_particle const& of) {
  return upsweep::mpi::reduce(
      comm, [&] { return upsweep::reduce(space, a.size(), of, lowest_fault{}, {.label = "upsweep-nbody"}); },
      lowest_fault{});
}

/// Words on a fault; empty where there is none.
std::string describe(fault const& found) {
  switch (found.kind) {
    case fault_kind::none: return {};
    case fault_kind::position: return "the position of particle " + number_of(found.id) + " is not a finite number";
    case fault_kind::velocity: return "the velocity of particle " + number_of(found.id) + " is not a finite number";
    case fault_kind::pair: break;
  }
  return both(found) + (found.distance2 == 0
                            ? " are at one place"
                            : text(" are %g apart, too near for a finite force", std::sqrt(found.distance2)));
}

/// The end of a message on a run that broke down.
std::string why(std::string const& overlap) {
  return overlap.empty() ? "the time step is too long for this start" : overlap;
}

/// Words on a place, as the end of a sentence about a position.
std::string describe_place(upsweep::box<double> const& box, upsweep::position_fault const& fault) {
  using enum upsweep::position_fault::kind;
  if (fault.what == not_finite) return "is not a finite number";
  if (fault.what == too_far) return box.describe(fault);
  return text("is more than %.0f edges away in the open direction %c", upsweep::box<double>::farthest,
              box.direction_name(fault.direction));
}

/// Faults of particles, and of pairs nearer than this squared distance.
fault_of_particle faults(atoms const& a, neighborhood const& near, double too_near2) {
  return {a.positions, a.velocities, a.ids, near.rows(), near.positions(), near.ids(), too_near2, near.is_half()};
}

[[noreturn]] void refuse(std::int64_t step, std::string const& what) {
  throw upsweep::input_error("step " + std::to_string(step) + ": " + what);
}

}  // namespace

void require_good(upsweep::mpi::communicator const& comm, space_type const& space, atoms const& a,
                  neighborhood const& near, thermo_row const& start, thermo_row const& now,
                  std::string const& overlap) {
  bool finite = true;
  for (double const number : {now.temperature, now.potential, now.kinetic, now.total, now.pressure})
    finite = finite && std::isfinite(number);
  if (!finite) {
    // The force loop has no number for nearer pairs (force_grid.hpp).
    auto const what = describe(find_fault(comm, space, a, faults(a, near, nearest_of_all2)));
    refuse(now.step, (what.empty() ? std::string("energies are not finite numbers") : what) + " (" + counted +
                         "; --keep-going goes on)");
  }
  double const scale = std::max({std::abs(start.total), start.kinetic, 1.0});
  if (std::abs(now.total - start.total) > 1000 * scale)
    refuse(now.step, text("the total energy a particle is %g, and was %g at step %lld: ", now.total, start.total,
                          static_cast<long long>(start.step)) +
                         why(overlap) + " (" + (overlap.empty() ? "" : counted + std::string("; ")) +
                         "--keep-going goes on)");
}

std::string find_overlap(upsweep::mpi::communicator const& comm, space_type const& space, atoms const& a,
                         neighborhood const& near, thermo_row const& start, std::int64_t particles) {
  if (start.potential * static_cast<double>(particles) < overlap_energy) return {};  // not where it is NaN
  auto const found = find_fault(comm, space, a, faults(a, near, overlap_distance * overlap_distance));
  if (found.kind != fault_kind::pair) return {};
  return both(found) +
         text(" overlap at step %lld, %g apart", static_cast<long long>(start.step), std::sqrt(found.distance2));
}

void require_places(upsweep::mpi::communicator const& comm, space_type const& space, atoms const& a,
                    upsweep::box<double> const& box, double largest, std::int64_t step, std::string const& overlap) {
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
  if (found.id == no_particle) return;
  refuse(step, "the position of particle " + number_of(found.id) + " " + describe_place(box, found.fault) + ": " +
                   why(overlap) + " (" + counted + ")");
}

}  // namespace nbody
