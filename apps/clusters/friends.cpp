// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "friends.hpp"

#include "../support/groups/disjoint_sets.hpp"
#include "../support/groups/links.hpp"
#include "../support/groups/local_friends.hpp"
#include "label_directory.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/mpi/halo.hpp>
#include <upsweep/mpi/migrate.hpp>
#include <upsweep/mpi/reduce.hpp>
#include <upsweep/neighbors/for_each_pair.hpp>

#include <limits>

namespace clusters {
namespace {

using upsweep::mpi::all_or_none;

/// Labels that have not arrived after so many exchanges are looked for in the directory, too. Groups that reach across
/// a border or two are done before.
constexpr int rounds_of_neighbors = 4;

struct smallest_of_set {
  disjoint_sets sets;
  numbers number, smallest;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::int64_t& of_set = smallest(sets.find(static_cast<int>(i)));
    if (number(i) < Kokkos::atomic_load(&of_set)) Kokkos::atomic_min(&of_set, number(i));
  }
};

/// Labels of ghosts, as their owners have them, make those of sets smaller.
struct take_labels {
  disjoint_sets sets;
  numbers label, smallest;
  std::int64_t owned;
  KOKKOS_FUNCTION void operator()(std::int64_t k, int& changes) const {
    std::int64_t const came = label(owned + k);
    std::int64_t& of_set = smallest(sets.find(static_cast<int>(owned + k)));
    if (came >= Kokkos::atomic_load(&of_set)) return;
    Kokkos::atomic_min(&of_set, came);
    changes = 1;
  }
};

/// What a rank knows: its own points, and behind them ghosts within the linking length.
struct neighborhood {
  vectors positions;
  numbers number, label, smallest;
  disjoint_sets sets;
};

}  // namespace

friends_labels label_friends(upsweep::mpi::communicator const& comm, space_type const& space, point_set& points,
                             double length, apps::phase_times& times) {
  if (comm.size() == 1) {
    auto const local = [&] { return label_local_friends(space, points, length, times); };
    return {all_or_none(comm, local), 0};
  }
  upsweep::mpi::domain<double> const parts(comm, points.box);
  times.time(space, "migrate",
             [&] { upsweep::mpi::migrate(comm, space, parts, points.positions, points.number, points.id); });
  upsweep::mpi::halo<space_type, double> halo;
  neighborhood near;
  times.time(space, "halo", [&] {
    halo.build(comm, space, parts, points.positions, length);
    std::size_t const owned = halo.owned(), all = owned + halo.ghosts();
    near = all_or_none(comm, [&] {
      neighborhood const made{make<vectors>(space, "positions", all),
                              make<numbers>(space, "numbers", all),
                              make<numbers>(space, "labels", all),
                              make<numbers>(space, "smallest", all),
                              {}};
      Kokkos::deep_copy(space, first_rows(made.positions, owned), points.positions);
      Kokkos::deep_copy(space, first_rows(made.number, owned), points.number);
      return made;
    });
    halo.exchange(space, near.positions);
    halo.exchange(space, near.number);
  });
  std::size_t const owned = halo.owned(), ghosts = halo.ghosts(), all = owned + ghosts;
  times.time(space, "link", [&] {
    all_or_none(comm, [&] {
      near.sets = disjoint_sets::make(space, all);
      upsweep::for_each_pair(space, near.positions, points.box, length, link_pair{near.sets, static_cast<int>(owned)},
                             {.rows = owned, .images = halo.images()});
      Kokkos::deep_copy(space, near.smallest, std::numeric_limits<std::int64_t>::max());
      Kokkos::parallel_for("upsweep-clusters::smallest_of_set", points_range(space, all),
                           smallest_of_set{near.sets, near.number, near.smallest});
    });
    // Numbers of points have done their work.
    Kokkos::deep_copy(space, near.number, near.smallest);
  });
  label_directory directory(comm, points.total);
  int rounds = 0;
  times.time(space, "label", [&] {
    for (int changed = 1; changed != 0; ++rounds) {
      if (rounds >= rounds_of_neighbors) directory.follow(space, {near.sets, near.number, near.smallest});
      // Rows of ghosts come from their owners.
      Kokkos::parallel_for("upsweep-clusters::label", points_range(space, owned),
                           label_by_root{near.sets, near.smallest, near.label});
      halo.exchange(space, near.label);
      auto const take = [&] {
        int changes = 0;
        Kokkos::parallel_reduce("upsweep-clusters::take_labels", points_range(space, ghosts),
                                take_labels{near.sets, near.label, near.smallest, static_cast<std::int64_t>(owned)},
                                Kokkos::Max<int>(changes));
        return Kokkos::max(changes, 0);  // without a change: the smallest int
      };
      changed = upsweep::mpi::reduce(comm, take, upsweep::max<int>{});
    }
  });
  return all_or_none(comm, [&] {
    auto const label = make<numbers>(space, "labels", owned);
    Kokkos::deep_copy(space, label, first_rows(near.label, owned));
    return friends_labels{label, rounds};
  });
}

}  // namespace clusters
