// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/detail/exchange_bytes.hpp>
#include <upsweep/mpi/detail/move_ranges.hpp>
#include <upsweep/mpi/detail/row_shares.hpp>
#include <upsweep/mpi/detail/rows.hpp>
#include <upsweep/mpi/detail/without_memory.hpp>

#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace upsweep::mpi::detail {

/// Rows that go to each rank, and come from each, in steps. All rows of a step arrive side by side, by source rank.
/// Rows that leave for rank r in step k begin at leaving[r * steps + k], those that come at arriving[k * ranks + r]. One
/// step is as row_ranges are.
struct step_ranges : row_ranges {
  std::size_t ranks = 0, steps = 0;

  /// Allocates nothing for fewer steps than before.
  void resize(std::size_t of_ranks, std::size_t of_steps) {
    ranks = of_ranks;
    steps = of_steps;
    for (auto* offsets : {&leaving, &arriving}) offsets->resize(ranks * steps + 1);
  }
  std::size_t begin_of_step(std::size_t k) const { return arriving[k * ranks]; }

  std::vector<message> sends(std::size_t k) const {
    std::vector<message> result;
    for (std::size_t r = 0; r < ranks; ++r) add(result, r, leaving, r * steps + k);
    return result;
  }
  std::vector<message> receives(std::size_t k) const {
    std::vector<message> result;
    for (std::size_t r = 0; r < ranks; ++r) add(result, r, arriving, k * ranks + r);
    return result;
  }

 private:
  static void add(std::vector<message>& list, std::size_t rank, std::vector<std::size_t> const& offsets,
                  std::size_t at) {
    std::size_t const rows = offsets[at + 1] - offsets[at];
    if (rows > 0) list.push_back({static_cast<int>(rank), offsets[at], rows});
  }
};

/// Rows of one View to new ones, in steps. Both have rows that are side by side.
template <class View>
struct stepping_rows {
  View from, to;
  std::vector<exchange> messages;  ///< of each step

  template <class ExecutionSpace>
  stepping_rows(communicator const& comm, ExecutionSpace const& space, View const& view, step_ranges const& ranges)
      : from(view), to(with_rows(space, view, ranges.arriving.back())), messages(ranges.steps) {
    for (std::size_t k = 0; k < ranges.steps; ++k) {
      messages[k].prepare(comm.rank(), ranges.sends(k), ranges.receives(k), row_bytes(to));
      copy_own(space, ranges, static_cast<std::size_t>(comm.rank()), k);
    }
  }
  void start(communicator const& comm, std::size_t k) {
    messages[k].start(comm, reinterpret_cast<std::byte const*>(from.data()), reinterpret_cast<std::byte*>(to.data()));
  }

 private:
  /// Rows that stay on this rank.
  template <class ExecutionSpace>
  void copy_own(ExecutionSpace const& space, step_ranges const& ranges, std::size_t rank, std::size_t k) const {
    using value = typename View::non_const_value_type;
    using memory = typename ExecutionSpace::memory_space;
    std::size_t const first = ranges.leaving[rank * ranges.steps + k];
    std::size_t const rows = ranges.leaving[rank * ranges.steps + k + 1] - first;
    if (rows == 0) return;
    Kokkos::deep_copy(space,
                      Kokkos::View<value*, memory, Kokkos::MemoryUnmanaged>(
                          to.data() + ranges.arriving[k * ranges.ranks + rank], rows),
                      Kokkos::View<value const*, memory, Kokkos::MemoryUnmanaged>(from.data() + first, rows));
  }
};

/// New Views with the rows that these ranges say. Once the rows of step k are there, and while those of the next one
/// travel, arrived(k, Views...) is called, which launches what is to be done with them; what it throws on one rank is
/// thrown on all, behind the last step. Collective; waits for the instance. Throws on all ranks alike, with all Views
/// untouched. `caller` is the label of the caller's. Pre: Views of rank 1 without stride; one step where MPI does not
/// reach their memory.
template <class ExecutionSpace, class Arrived, view_of_rows... Views>
std::tuple<Views...> move_in_steps(communicator const& comm, ExecutionSpace const& space, step_ranges const& ranges,
                                   char const* function, std::string_view caller, Arrived const& arrived,
                                   Views const&... views) {
  if (!transfers_directly(comm, space)) {
    auto received = move_ranges(comm, space, ranges, function, caller, views...);
    all_or_none(comm, [&] {
      std::apply([&](auto const&... v) { arrived(std::size_t(0), v...); }, received);
      space.fence(internal::label(function, "fence"));
    });
    return received;
  }
  auto moving = all_or_none(
      comm, [&] { return std::tuple<stepping_rows<Views>...>(stepping_rows<Views>(comm, space, views, ranges)...); });
  auto const start = [&](std::size_t k) { std::apply([&](auto&... v) { (v.start(comm, k), ...); }, moving); };
  fence_without_memory(space, "upsweep::mpi::exchange");
  start(0);
  failure failed;
  for (std::size_t k = 0; k < ranges.steps; ++k) {
    std::apply([&](auto&... v) { (v.messages[k].finish(comm), ...); }, moving);
    if (k + 1 < ranges.steps) start(k + 1);
    try {
      if (failed.kind == error_kind::none) std::apply([&](auto const&... v) { arrived(k, v.to...); }, moving);
    } catch (...) {
      failed = current_failure();
    }
  }
  fence_without_memory(space, "upsweep::mpi::move_in_steps");
  agree(comm, failed.kind, failed.message);
  return std::apply([](auto const&... v) { return std::tuple<Views...>(v.to...); }, moving);
}

}  // namespace upsweep::mpi::detail
