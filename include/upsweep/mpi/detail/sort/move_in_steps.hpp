// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_memory.hpp>
#include <upsweep/mpi/detail/messages/choose_transport.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>
#include <upsweep/mpi/detail/messages/transport.hpp>
#include <upsweep/mpi/detail/rows/row_shares.hpp>
#include <upsweep/mpi/detail/rows/rows.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace upsweep::mpi::detail {

/// Rows that go to each rank, and come from each, in steps. All rows of a step belong side by side, by source rank.
/// Rows that leave for rank r in step k begin at leaving[r * steps + k], those that come at arriving[k * ranks + r].
///
/// Where messages are aligned, each begins and lands at a multiple of 16 rows: with the rows before its own. NCCL moves
/// 16 bytes at a time only if both ends are aligned so, else single bytes (two H100s: 128 MiB in 480 us, and in 810,
/// 2026-11-26). Then rows land somewhere else than at arriving[].
struct step_ranges : row_ranges {
  std::size_t ranks = 0, steps = 0;
  bool aligned = false;

  /// Allocates nothing for fewer steps than before.
  void resize(std::size_t of_ranks, std::size_t of_steps) {
    ranks = of_ranks;
    steps = of_steps;
    for (auto* offsets : {&leaving, &arriving}) offsets->resize(ranks * steps + 1);
    landing_.resize(ranks * steps);
    before_.resize(ranks * steps);
  }
  std::size_t begin_of_step(std::size_t k) const { return arriving[k * ranks]; }
  /// Where the rows from rank r in step k land.
  std::size_t landed(std::size_t k, std::size_t r) const { return landing_[k * ranks + r] + before_[k * ranks + r]; }
  /// How many rows n rows may take up where they land.
  std::size_t room(std::size_t n) const { return aligned ? n + 2 * unit * ranks * steps : n; }

  /// What the others must know of the rows for rank r in step k, as one number.
  std::uint64_t announced(std::size_t r, std::size_t k) const {
    std::size_t const at = r * steps + k;
    return (leaving[at + 1] - leaving[at]) * unit + rows_before(leaving[at]);
  }
  /// From such numbers of all ranks: [r * steps + k] says what rank r sends here in step k.
  void set_arriving(std::vector<std::uint64_t> const& numbers) {
    std::size_t at = 0, sum = 0, end = 0;
    arriving[0] = 0;
    for (std::size_t k = 0; k < steps; ++k)
      for (std::size_t r = 0; r < ranks; ++r, ++at) {
        std::uint64_t const number = numbers[r * steps + k];
        std::size_t const rows = number / unit;
        landing_[at] = aligned ? (end + unit - 1) / unit * unit : sum;
        before_[at] = number % unit;
        if (rows > 0) end = landing_[at] + before_[at] + rows;
        sum += rows;
        arriving[at + 1] = sum;
      }
  }

  std::vector<message> sends(std::size_t k) const {
    std::vector<message> result;
    for (std::size_t r = 0; r < ranks; ++r) {
      std::size_t const at = r * steps + k;
      add(result, r, leaving, at, leaving[at] - rows_before(leaving[at]), rows_before(leaving[at]));
    }
    return result;
  }
  std::vector<message> receives(std::size_t k) const {
    std::vector<message> result;
    for (std::size_t r = 0; r < ranks; ++r) {
      std::size_t const at = k * ranks + r;
      add(result, r, arriving, at, landing_[at], before_[at]);
    }
    return result;
  }

 private:
  static constexpr std::size_t unit = 16;  ///< rows: then bytes are aligned whatever a row has

  std::size_t rows_before(std::size_t first) const { return aligned ? first % unit : 0; }
  static void add(std::vector<message>& list, std::size_t rank, std::vector<std::size_t> const& offsets, std::size_t at,
                  std::size_t first, std::size_t before) {
    std::size_t const rows = offsets[at + 1] - offsets[at];
    if (rows > 0) list.push_back({static_cast<int>(rank), first, before + rows});
  }

  std::vector<std::size_t> landing_, before_;
};

/// Rows of one View that go to new ones. Both have rows that are side by side.
struct stepping_rows {
  std::byte const* from;
  std::byte* to;
  std::size_t bytes;  ///< of a row
};

/// Copies the rows that stay on this rank to where they arrive.
template <class ExecutionSpace, class View>
void copy_own(ExecutionSpace const& space, step_ranges const& ranges, int rank, View const& from, View const& to) {
  using value = typename View::non_const_value_type;
  using memory = typename ExecutionSpace::memory_space;
  auto const own = static_cast<std::size_t>(rank);
  for (std::size_t k = 0; k < ranges.steps; ++k) {
    std::size_t const first = ranges.leaving[own * ranges.steps + k];
    std::size_t const rows = ranges.leaving[own * ranges.steps + k + 1] - first;
    if (rows == 0) continue;
    Kokkos::deep_copy(space,
                      Kokkos::View<value*, memory, Kokkos::MemoryUnmanaged>(
                          to.data() + ranges.arriving[k * ranges.ranks + own], rows),
                      Kokkos::View<value const*, memory, Kokkos::MemoryUnmanaged>(from.data() + first, rows));
  }
}

/// The messages of all steps: for each step those of one View after the other. Two of these sets are in flight at a
/// time, so that the next one travels when one has arrived.
template <class ExecutionSpace>
class step_messages {
 public:
  /// Local; may throw: all memory.
  step_messages(communicator const& comm, ExecutionSpace const& space, transfer const* how, step_ranges const& ranges,
                std::vector<stepping_rows> views)
      : how_(how), views_(std::move(views)), sends_(ranges.steps), receives_(ranges.steps) {
    auto const rows = [&](std::vector<message> const& messages) {
      std::size_t sum = 0;
      for (auto const& m : messages) sum += m.peer == comm.rank() ? 0 : m.bytes;
      return sum;
    };
    std::size_t out = 0, in = 0, row_bytes = 0;
    for (std::size_t k = 0; k < ranges.steps; ++k) {
      sends_[k] = ranges.sends(k);
      receives_[k] = ranges.receives(k);
      out = std::max(out, rows(sends_[k]));
      in = std::max(in, rows(receives_[k]));
    }
    for (auto const& view : views_) row_bytes = std::max(row_bytes, view.bytes);
    std::size_t const sent = internal::checked_multiply(out, row_bytes, "mpi", "bytes moved");
    std::size_t const received = internal::checked_multiply(in, row_bytes, "mpi", "bytes moved");
    std::size_t const at_a_time = std::min(transports_.size(), sets());
    for (std::size_t k = 0; k < at_a_time; ++k) transports_[k].reserve(space, how, ranges.ranks, sent, received);
  }
  std::size_t sets() const { return sends_.size() * views_.size(); }
  /// Whether set number `set` is the last one of its step.
  bool ends_step(std::size_t set) const { return (set + 1) % views_.size() == 0; }
  std::size_t step_of(std::size_t set) const { return set / views_.size(); }

  /// Pre: what the rows hold has been written, and set - 2 is finished. Collective. Allocates nothing.
  void start(communicator const& comm, ExecutionSpace const& space, std::size_t set) {
    std::size_t const step = step_of(set);
    auto const& view = views_[set % views_.size()];
    auto& messages = transport_of(set);
    messages.prepare(comm, space, how_, sends_[step], receives_[step], view.bytes);
    messages.start_written(comm, view.from, view.to);
  }
  void finish(communicator const& comm, std::size_t set) { transport_of(set).finish(comm); }

 private:
  transport<ExecutionSpace>& transport_of(std::size_t set) { return transports_[set % transports_.size()]; }

  transfer const* how_;
  std::vector<stepping_rows> views_;
  std::vector<std::vector<message>> sends_, receives_;
  std::array<transport<ExecutionSpace>, 2> transports_;
};

/// Moves rows as these ranges say to the Views that targets() returns, a tuple of one for each of `views`; rows that
/// stay on this rank are its own affair. targets() is local and may throw. Once the rows of step k are there, and while
/// those of the next steps travel, arrived(k, targets...) is called, which launches what is to be done with them; what
/// it throws on one rank is thrown on all, behind the last step. Collective; waits for the instance. Returns the
/// targets. Throws on all ranks alike, with `views` untouched. Pre: Views of rank 1 without stride.
template <class ExecutionSpace, class Targets, class Arrived, view_of_rows... Views>
std::tuple<Views...> move_in_steps(communicator const& comm, ExecutionSpace const& space, step_ranges const& ranges,
                                   Targets const& targets, Arrived const& arrived, Views const&... views) {
  transfer const* const how = transfer_of(comm, space);
  // Where messages land, which may be in flight when something is thrown: they end first.
  std::optional<std::tuple<Views...>> to;
  std::optional<step_messages<ExecutionSpace>> messages;
  all_or_none(comm, [&] {
    to = targets();
    std::apply(
        [&](auto const&... t) {
          messages.emplace(comm, space, how, ranges,
                           std::vector<stepping_rows>{{reinterpret_cast<std::byte const*>(views.data()),
                                                       reinterpret_cast<std::byte*>(t.data()), row_bytes(t)}...});
        },
        *to);
  });
  failure failed;
  // Later starts need not wait: kernels that are launched from here on write nothing that is sent.
  fence_without_memory(space, "upsweep::mpi::move_in_steps");
  messages->start(comm, space, 0);
  for (std::size_t set = 0; set < messages->sets(); ++set) {
    if (set + 1 < messages->sets()) messages->start(comm, space, set + 1);
    messages->finish(comm, set);
    if (failed.kind != error_kind::none || !messages->ends_step(set)) continue;
    try {
      std::apply([&](auto const&... t) { arrived(messages->step_of(set), t...); }, *to);
    } catch (...) {
      failed = current_failure();
    }
  }
  fence_without_memory(space, "upsweep::mpi::move_in_steps");
  agree(comm, failed.kind, failed.message);
  return *to;
}

}  // namespace upsweep::mpi::detail
