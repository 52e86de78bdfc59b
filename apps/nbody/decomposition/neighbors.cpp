// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "neighbors.hpp"

#include "../dynamics/components.hpp"

#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/reduce.hpp>

#include <algorithm>

namespace nbody {
namespace {

struct copy_rows {
  vectors from;
  type_view types;
  neighbor_positions to;
  KOKKOS_FUNCTION void operator()(std::size_t i, int d) const {
    to.set(i, d, d < 3 ? from(i, d < 3 ? d : 0) : padded_type(types(i)));
  }
};

/// A row of a ghost arrives with its owner's position, which half lists keep; the force loop reads the position of the
/// image.
struct shift_ghost {
  neighbor_positions positions;
  vectors origins;
  Kokkos::View<upsweep::image*, memory_space> images;
  upsweep::box<double> box;
  std::size_t owned;
  KOKKOS_FUNCTION void operator()(std::int64_t g) const {
    std::size_t const i = owned + static_cast<std::size_t>(g);
    auto const shift = box.shift(images(i));
    for (int d = 0; d < 3; ++d) {
      if (origins.extent(0) != 0) origins(g, d) = positions(i, d);
      positions.set(i, d, shift[d] != 0 ? positions(i, d) + shift[d] : positions(i, d));
    }
    positions.set(i, 3, positions(i, 3));
  }
};

struct work_of_row {
  upsweep::neighbor_rows<> rows;
  Kokkos::View<std::int64_t*, memory_space> work;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    work(i) = static_cast<std::int64_t>(rows.run(static_cast<std::size_t>(i)).count) + 1;
  }
};

/// Sums are unsigned and wrap, as the hash wants it.
struct join_summaries {
  using value_type = list_summary;
  list_summary identity() const { return {}; }
  list_summary operator()(list_summary const& a, list_summary const& b) const {
    return {b.step, a.pairs + b.pairs, std::max(a.largest_row, b.largest_row), a.hash + b.hash};
  }
};

struct join_moves {
  using value_type = moves;
  static constexpr bool exactly_associative = true;
  upsweep::two_largest_monoid<double> largest;
  moves identity() const { return {largest.identity(), end_cause::none}; }
  moves operator()(moves const& a, moves const& b) const {
    return {largest(a.largest, b.largest), std::max(a.end, b.end)};
  }
};

}  // namespace

void neighborhood::copy_owned(atoms const& a) {
  for_each_component<4>("upsweep-nbody::copy_rows", space_, a.size(), copy_rows{a.positions, a.types, *positions_});
}

void neighborhood::shift_ghosts() {
  Kokkos::parallel_for("upsweep-nbody::shift_ghosts", particles(space_, halo_.ghosts()),
                       shift_ghost{*positions_, *origins_, halo_.images(), domain_.box(), halo_.owned()});
}

void neighborhood::rebuild(atoms& a, phase_clock& clock) {
  clock.time(phase::migrate, [&] {
    migration_.run_and_count(comm_, space_, domain_, a.positions, a.edges, a.velocities, a.masses, a.ids, a.types);
  });
  clock.time(phase::halo, [&] {
    if (list_) list_->clear();  // it holds the old images, whose memory is wanted
    halo_.build(comm_, space_, domain_, a.positions, radius_);
    std::size_t const n = halo_.owned() + halo_.ghosts();
    upsweep::mpi::all_or_none(comm_, [&] {
      positions_.resize(space_, n);
      ids_.resize(space_, "upsweep-nbody::all_ids", n);
      built_from_.resize(space_, "upsweep-nbody::built_from", a.size());
      if (half_) origins_.resize(space_, "upsweep-nbody::origins", halo_.ghosts());
      if (has_interior()) interior_ = halo_.interior_rows(space_, a.positions);
    });
    Kokkos::deep_copy(space_, *built_from_, a.positions);
    copy_owned(a);
    Kokkos::deep_copy(space_, Kokkos::subview(*ids_, Kokkos::make_pair(std::size_t(0), a.size())), a.ids);
    halo_.exchange(space_, positions_->rows);
    halo_.exchange(space_, *ids_);
  });
  clock.time(phase::neighbor, [&] {
    upsweep::mpi::all_or_none(comm_, [&] {
      if (!list_) list_.emplace(space_, domain_.box(), radius_);
      list_->set(domain_.box(), radius_,
                 {.half = half_, .rows = halo_.owned(), .ids = *ids_, .images = halo_.images()});
      list_->plan(space_, Kokkos::subview(positions_->rows, Kokkos::ALL, Kokkos::make_pair(0, 3)));
      list_->emit();
    });
  });
  clock.time(phase::halo, [&] { shift_ghosts(); });
}

Kokkos::View<std::int64_t*, memory_space> neighborhood::work() const {
  return upsweep::mpi::all_or_none(comm_, [&] {
    auto const result = make<Kokkos::View<std::int64_t*, memory_space>>(space_, "upsweep-nbody::work", owned());
    Kokkos::parallel_for("upsweep-nbody::work", particles(space_, owned()), work_of_row{rows(), result});
    return result;
  });
}

void neighborhood::update_positions(atoms const& a) {
  copy_owned(a);
  update_ghosts();
}

void neighborhood::start_update() { halo_.start_exchange(space_, positions_->rows); }

void neighborhood::finish_update() {
  halo_.finish_exchange(space_, positions_->rows);
  shift_ghosts();
}

moves neighborhood::look_at_moves(atoms const& a, early_end const& end) {
  return upsweep::mpi::reduce(
      comm_,
      [&] {
        auto const largest =
            upsweep::two_largest_displacements(space_, upsweep::now{a.positions}, upsweep::at_build{*built_from_},
                                               {.workspace = &workspace_, .label = "upsweep-nbody"});
        return moves{largest, end.cause()};
      },
      join_moves{});
}

list_summary neighborhood::summarize(std::int64_t step) const {
  return upsweep::mpi::reduce(
      comm_, [&] { return list_summary{step, (half_ ? 2 : 1) * list_->pairs(), list_->largest_row(), list_->hash()}; },
      join_summaries{});
}

}  // namespace nbody
