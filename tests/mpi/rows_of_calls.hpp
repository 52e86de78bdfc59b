// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "moving_rows.hpp"
#include "particles.hpp"

#include <upsweep/mpi/halo.hpp>
#include <upsweep/mpi/migrate.hpp>
#include <upsweep/mpi/redistribute.hpp>
#include <upsweep/mpi/redistribute_evenly.hpp>
#include <upsweep/mpi/redistribute_rows.hpp>
#include <upsweep/mpi/sort.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace testing_mpi {

using ids_of_rows = std::vector<std::int64_t>;

/// Ghosts of a halo, by a whole exchange, one in two steps, and the way back, twice each, since buffers are used again.
inline std::vector<ids_of_rows> rows_of_halo(upsweep::mpi::communicator const& comm) {
  auto const set = lattice_set({true, true, false});
  upsweep::mpi::domain<double> const parts(comm, set.box);
  auto const ids = owned_ids(set, parts, comm.rank());
  upsweep::mpi::halo<space_type, double> halo;
  halo.build(comm, space_type(), parts, to_positions(points_of(set, ids)), 2.0);
  std::vector<ids_of_rows> result;
  for (bool const in_two_steps : {false, true, false}) {
    auto all = to_view(ids);
    Kokkos::resize(all, halo.owned() + halo.ghosts());
    if (in_two_steps) {
      halo.start_exchange(space_type(), all);
      halo.finish_exchange(space_type(), all);
    } else {
      halo.exchange(space_type(), all);
    }
    space_type().fence();
    result.push_back(to_vector(all));
    halo.reverse_add(space_type(), all);
    space_type().fence();
    result.push_back(to_vector(all));
  }
  return result;
}

/// Rows that change their rank by the other calls of the layer.
inline std::vector<ids_of_rows> rows_that_move(upsweep::mpi::communicator const& comm) {
  namespace mpi = upsweep::mpi;
  space_type const space;
  ids_of_rows ids;
  std::vector<int> to;
  std::vector<std::size_t> starts{0};
  for (int i = 0; i < 300 + 100 * comm.rank(); ++i) {
    ids.push_back(1000 * comm.rank() + i * i % 997);
    to.push_back((comm.rank() + i * i) % comm.size());
    starts.push_back(starts.back() + 1);
  }
  std::vector<ids_of_rows> result;
  auto redistributed = to_view(ids), even = to_view(ids), sorted = to_view(ids), values = to_view(ids);
  mpi::redistribute(comm, space, to_view(to), redistributed);
  mpi::redistribute_evenly(comm, space, even);
  mpi::sort(comm, space, sorted);
  auto offsets = to_view(starts);
  mpi::redistribute_rows(comm, space, to_view(to), offsets, values);
  // In eight steps, of keys and of values, two of which travel at a time.
  auto keys = to_view(ids), moved = to_view(ids);
  mpi::detail::sort_call(comm, space, {}, "mpi::sort_by_key", 64, keys, moved);
  for (auto const& view : {redistributed, even, sorted, values, keys, moved}) result.push_back(to_vector(view));

  auto const set = random_set({true, true, true}, 7);
  mpi::domain<double> const parts(comm, set.box);
  ids_of_rows mine;
  for (std::size_t i = 0; i < set.points.size(); ++i)
    if (static_cast<int>(i % static_cast<std::size_t>(comm.size())) == comm.rank())
      mine.push_back(static_cast<std::int64_t>(i));
  auto positions = to_positions(points_of(set, mine));
  auto migrated = to_view(mine);
  mpi::migrate(comm, space, parts, positions, migrated);
  result.push_back(to_vector(migrated));
  return result;
}

}  // namespace testing_mpi
