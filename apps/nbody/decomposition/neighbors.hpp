// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../atoms.hpp"
#include "../early_end.hpp"
#include "../neighbor_positions.hpp"
#include "../phases.hpp"
#include "../rows/kept_rows.hpp"
#include "../types.hpp"

#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/mpi/halo.hpp>
#include <upsweep/mpi/migration.hpp>
#include <upsweep/neighbors/needs_rebuild.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace nbody {

/// What the report says about the list of all ranks at one step.
struct list_summary {
  std::int64_t step = 0;
  std::uint64_t pairs = 0;  ///< in both directions
  std::uint64_t largest_row = 0;
  std::uint64_t hash = 0;
};

/// What all ranks learn together in each step.
struct moves {
  upsweep::two_largest<double> largest;  ///< of two particles, since the rebuild
  end_cause end = end_cause::none;       ///< why the run shall end at this step
};

/// The distributed neighbour list: the ghosts of this rank, the positions of owned particles and ghosts, and the list.
class neighborhood {
 public:
  using list_type = upsweep::neighbor_list<space_type, double>;

  neighborhood(upsweep::mpi::communicator const& comm, space_type const& space,
               upsweep::mpi::domain<double> const& domain, double radius, bool half, bool overlap = false)
      : comm_(comm), space_(space), domain_(domain), radius_(radius), half_(half), overlap_(overlap) {}

  /// Other bricks of the same box, from the next rebuild on.
  void set_domain(upsweep::mpi::domain<double> const& domain) { domain_ = domain; }

  /// Wraps and migrates the particles, finds the ghosts and rebuilds the list. Collective; throws on all ranks alike.
  void rebuild(atoms& a, phase_clock& clock);

  /// New positions of the same particles: copies them and fetches the ghosts'. Collective.
  void update_positions(atoms const& a);
  /// Fetches the ghosts' positions, once those of owned particles have been written to positions(). Collective.
  void update_ghosts() {
    start_update();
    finish_update();
  }
  /// The same in two steps. In between, rows of interior() can be computed.
  void start_update();
  void finish_update();

  /// How far the two particles of all ranks moved that moved most since the rebuild, infinitely far where a position is
  /// not a number; and whether a rank wants the run to end, all of which learn it with the same message. Collective.
  moves look_at_moves(atoms const& a, early_end const& end);

  /// Owned particles, and ghosts shifted to their images. The integrator sets those of owned particles in each step.
  neighbor_positions const& positions() const { return *positions_; }
  /// Owned particles where they were at the rebuild.
  vectors const& built_from() const { return *built_from_; }
  /// Of half lists: the ghosts where their owners have them, not shifted.
  vectors const& origins() const { return *origins_; }
  /// Whether rows have one of the two directions of each pair.
  bool is_half() const { return half_; }
  std::size_t owned() const { return halo_.owned(); }
  upsweep::box<double> const& box() const { return domain_.box(); }

  /// Fills the rows of ghosts from their owners'. Collective.
  template <class View>
  void send_to_ghosts(View const& view) {
    halo_.exchange(space_, view);
  }
  /// Adds the rows of ghosts, of integers, to their owners'. Collective.
  template <class View>
  void add_to_owners(View const& view) {
    halo_.reverse_add(space_, view);
  }

  upsweep::neighbor_rows<> rows() const { return list_->view(); }
  /// Whether there are interior() and border().
  bool has_interior() const { return overlap_ && comm_.size() > 1; }
  /// The rows without ghosts, and the others.
  upsweep::chosen_rows<> interior() const { return upsweep::choose_rows(rows(), interior_); }
  upsweep::chosen_rows<> border() const { return upsweep::choose_rows(rows(), halo_.border_rows()); }
  std::size_t ghosts() const { return halo_.ghosts(); }
  /// One more than the neighbours of each particle: its share of the work. Collective.
  Kokkos::View<std::int64_t*, memory_space> work() const;

  list_type const& list() const { return *list_; }
  /// Of owned particles and ghosts.
  id_view const& ids() const { return *ids_; }
  Kokkos::View<upsweep::image*, memory_space> const& images() const { return halo_.images(); }

  /// Over all ranks. Collective.
  list_summary summarize(std::int64_t step) const;

 private:
  void copy_owned(atoms const& a);
  void shift_ghosts();

  upsweep::mpi::communicator comm_;
  space_type space_;
  upsweep::mpi::domain<double> domain_;
  double radius_;
  bool half_, overlap_;
  upsweep::mpi::migration<space_type> migration_;
  upsweep::mpi::halo<space_type, double> halo_;
  std::optional<list_type> list_;
  Kokkos::View<std::size_t const*, memory_space> interior_;
  kept_positions<neighbor_positions> positions_;
  kept_rows<vectors> built_from_, origins_;
  kept_rows<id_view> ids_;
  upsweep::workspace workspace_{space_};
};

}  // namespace nbody
