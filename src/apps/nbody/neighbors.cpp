// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "neighbors.hpp"

#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/migrate.hpp>
#include <upsweep/scan/reduce.hpp>

#include <mpi.h>

namespace nbody {
namespace {

struct copy_rows {
  vectors from;
  padded_vectors to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    for (int d = 0; d < 3; ++d) to(i, d) = from(i, d);
    to(i, 3) = 0;
  }
};

struct copy_ids {
  id_view from, to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to(i) = from(i); }
};

/// A ghost arrives with its owner's position; the force loop reads the position of the image.
struct shift_ghost {
  padded_vectors positions;
  Kokkos::View<upsweep::image*, memory_space> images;
  upsweep::box<double> box;
  std::size_t owned;
  KOKKOS_FUNCTION void operator()(std::int64_t g) const {
    std::size_t const i = owned + static_cast<std::size_t>(g);
    auto const shift = box.shift(images(i));
    for (int d = 0; d < 3; ++d)
      if (shift[d] != 0) positions(i, d) += shift[d];
  }
};

/// Wrapped, unshifted positions for the list.
struct unshifted_position {
  padded_vectors positions;
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(std::size_t i) const {
    return {positions(i, 0), positions(i, 1), positions(i, 2)};
  }
};

struct move2 {
  vectors now, before;
  KOKKOS_FUNCTION double operator()(std::size_t i) const {
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
      double const way = now(i, d) - before(i, d);
      sum += way * way;
    }
    // A NaN would be lost in a maximum.
    return sum < Kokkos::Experimental::infinity_v<double> ? sum : Kokkos::Experimental::infinity_v<double>;
  }
};

}  // namespace

void neighborhood::copy_owned(vectors const& from) {
  Kokkos::parallel_for("upsweep-nbody::copy_rows", particles(space_, from.extent(0)), copy_rows{from, positions_});
}

void neighborhood::shift_ghosts() {
  Kokkos::parallel_for("upsweep-nbody::shift_ghosts", particles(space_, halo_.ghosts()),
                       shift_ghost{positions_, halo_.images(), parts_.box(), halo_.owned()});
}

void neighborhood::rebuild(atoms& a, phase_clock& clock) {
  clock.time(phase::migrate,
             [&] { upsweep::mpi::migrate(comm_, space_, parts_, a.positions, a.velocities, a.masses, a.ids); });
  clock.time(phase::halo, [&] {
    halo_.build(comm_, space_, parts_, a.positions, radius_);
    std::size_t const n = halo_.owned() + halo_.ghosts();
    upsweep::mpi::all_or_none(comm_, [&] {
      if (list_) list_->set(parts_.box(), radius_, {});  // it holds the old ids and images
      positions_ = make<padded_vectors>(space_, "upsweep-nbody::padded_positions", n + 1);
      ids_ = make<id_view>(space_, "upsweep-nbody::all_ids", n);
      built_from_ = make<vectors>(space_, "upsweep-nbody::built_from", a.size());
    });
    Kokkos::deep_copy(space_, built_from_, a.positions);
    // The first reduction of this size grows the workspace, which may fail on one rank. Those of the steps do not.
    upsweep::mpi::all_or_none(comm_, [&] { largest_move2_here(a); });
    copy_owned(a.positions);
    place_far_row(space_, positions_, n);
    Kokkos::parallel_for("upsweep-nbody::copy_ids", particles(space_, a.size()), copy_ids{a.ids, ids_});
    halo_.exchange(space_, positions_);
    halo_.exchange(space_, ids_);
  });
  clock.time(phase::neighbor, [&] {
    upsweep::mpi::all_or_none(comm_, [&] {
      if (!list_) list_.emplace(space_, parts_.box(), radius_);
      list_->set(parts_.box(), radius_,
                 {.rows = static_cast<std::int64_t>(halo_.owned()), .ids = ids_, .images = halo_.images()});
      list_->plan(space_, static_cast<std::int64_t>(ids_.extent(0)), unshifted_position{positions_});
      list_->emit();
    });
  });
  clock.time(phase::halo, [&] { shift_ghosts(); });
}

void neighborhood::update_positions(atoms const& a) {
  copy_owned(a.positions);
  halo_.exchange(space_, positions_);
  shift_ghosts();
}

double neighborhood::largest_move2_here(atoms const& a) {
  if (a.size() == 0) return 0;
  return upsweep::reduce(space_, a.size(), move2{a.positions, built_from_}, upsweep::max<>{},
                         {.workspace = &workspace_, .label = "upsweep-nbody"});
}

double neighborhood::largest_move2(atoms const& a) {
  double const mine = largest_move2_here(a);
  double all = 0;
  upsweep::mpi::check(comm_, MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, comm_.get()), "MPI_Allreduce");
  return all;
}

list_summary neighborhood::summarize(std::int64_t step) const {
  auto const hash = upsweep::mpi::all_or_none(comm_, [&] { return list_->hash(); });
  std::uint64_t const sums[2] = {list_->pairs(), hash};
  std::uint64_t all[2] = {};
  std::uint64_t const row = list_->largest_row();
  list_summary result{.step = step};
  using upsweep::mpi::check;
  // Unsigned sums wrap, as the hash wants it.
  check(comm_, MPI_Allreduce(sums, all, 2, MPI_UINT64_T, MPI_SUM, comm_.get()), "MPI_Allreduce");
  check(comm_, MPI_Allreduce(&row, &result.largest_row, 1, MPI_UINT64_T, MPI_MAX, comm_.get()), "MPI_Allreduce");
  result.pairs = all[0];
  result.hash = all[1];
  return result;
}

}  // namespace nbody
