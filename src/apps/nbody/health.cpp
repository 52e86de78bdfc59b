// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "health.hpp"

#include "force_grid.hpp"
#include "text.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/agree.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace nbody {
namespace {

constexpr std::int64_t no_particle = std::numeric_limits<std::int64_t>::max();

enum class fault_kind : std::int64_t { none, pair, velocity, position };

/// What is wrong with one particle. Three 64-bit words, so that it travels as such.
struct fault {
  fault_kind kind = fault_kind::none;
  std::int64_t partner = -1;  // of a pair
  double distance2 = 0;
};

struct fault_of_particle {
  vectors positions, velocities;
  list_rows list;  // without offsets: pairs are not looked at
  double const* padded;
  id_view all_ids;
  double cutoff2;

  KOKKOS_FUNCTION fault operator()(std::int64_t i) const {
    fault result;
    for (int d = 0; d < 3; ++d) {
      if (!Kokkos::isfinite(velocities(i, d))) result.kind = fault_kind::velocity;
      if (!Kokkos::isfinite(positions(i, d))) return {fault_kind::position, -1, 0};
    }
    if (list.offsets == nullptr) return result;
    double nearest = cutoff2;
    for (std::size_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
      int const j = list.neighbors[k];
      double r2 = 0;
      for (int d = 0; d < 3; ++d) {
        double const way = padded[4 * i + d] - padded[4 * static_cast<std::ptrdiff_t>(j) + d];
        r2 += way * way;
      }
      // The force loop has no number for such a pair (force_grid.hpp).
      if (r2 <= nearest && unit_for_pairs(r2) == 0) {
        nearest = r2;
        result = {fault_kind::pair, all_ids(j), r2};
      }
    }
    return result;
  }
};

struct lowest_fault {
  fault_of_particle of;
  id_view ids;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& lowest) const {
    if (ids(i) < lowest && of(i).kind != fault_kind::none) lowest = ids(i);
  }
};

struct copy_fault {
  fault_of_particle of;
  id_view ids;
  std::int64_t id;
  Kokkos::View<fault, memory_space> to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if (ids(i) == id) to() = of(i);
  }
};

/// Words on the fault of lowest id on all ranks; empty where no particle has one. Collective.
std::string describe(upsweep::mpi::communicator const& comm, space_type const& space, atoms const& a,
                     fault_of_particle const& of) {
  using upsweep::mpi::check;
  std::int64_t const mine = upsweep::mpi::all_or_none(comm, [&] {
    std::int64_t lowest = no_particle;
    Kokkos::parallel_reduce("upsweep-nbody::lowest_fault", particles(space, a.size()), lowest_fault{of, a.ids},
                            Kokkos::Min<std::int64_t>(lowest));
    return lowest;
  });
  std::int64_t id = no_particle;
  check(comm, MPI_Allreduce(&mine, &id, 1, MPI_INT64_T, MPI_MIN, comm.get()), "MPI_Allreduce");
  if (id == no_particle) return {};
  fault const found = upsweep::mpi::all_or_none(comm, [&] {
    fault result;
    if (mine == id) {
      Kokkos::View<fault, memory_space> const there("upsweep-nbody::fault");
      Kokkos::parallel_for("upsweep-nbody::copy_fault", particles(space, a.size()), copy_fault{of, a.ids, id, there});
      Kokkos::deep_copy(space, result, there);
      space.fence("upsweep-nbody::describe");
    }
    return result;
  });
  // Other ranks' words are the smallest that there are.
  std::int64_t const words[2] = {static_cast<std::int64_t>(found.kind), found.partner};
  std::int64_t all[2] = {};
  double distance2 = 0;
  check(comm, MPI_Allreduce(words, all, 2, MPI_INT64_T, MPI_MAX, comm.get()), "MPI_Allreduce");
  check(comm, MPI_Allreduce(&found.distance2, &distance2, 1, MPI_DOUBLE, MPI_MAX, comm.get()), "MPI_Allreduce");
  auto const particle = std::to_string(id);
  switch (static_cast<fault_kind>(all[0])) {
    case fault_kind::position:
      return "the position of particle " + particle + " is not a finite number";
    case fault_kind::velocity:
      return "the velocity of particle " + particle + " is not a finite number";
    default:
      break;
  }
  auto const both = "particles " + particle + " and " + std::to_string(all[1]);
  return both + (distance2 == 0 ? " are at one place"
                                : text(" are %g apart, too near for a finite force", std::sqrt(distance2)));
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
        comm, space, a, {a.positions, a.velocities, near.rows(), near.positions().data(), near.ids(), pair.cutoff2});
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

void refuse_positions(upsweep::mpi::communicator const& comm, space_type const& space, atoms const& a,
                      std::int64_t step) {
  auto const what = describe(comm, space, a, {a.positions, a.velocities, {nullptr, nullptr}, nullptr, {}, 0});
  refuse(step, what.empty() ? "a particle has moved farther than its distance can be computed"
                            : what + " (particles are counted from 0 in order of ids)");
}

}  // namespace nbody
