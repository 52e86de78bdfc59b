// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/cpu_fork.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/base/internal/monoids/saturating_plus.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/lists/list_rows.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace upsweep::pack::detail {

// Lists into memory that is there, on CPUs, with one call of the functor per row.
//
// Work to threads: the calling thread begins, row by row, and knows where each record belongs. Where other threads pay,
// all take groups of the other rows by ticket, ascending, and keep a group's records on their stacks until the records
// of all groups before it are counted; then they copy them to their place.
// Shared state: each group has a count, which the thread that called its rows stores; `is_counted` releases it. One
// thread at a time, which holds `summing_`, adds counts up to what is before each group; `known_`, the number of groups
// that have that sum, releases them. Offsets of a group's rows are relative to the group until it is placed.
// Progress: no thread waits for another one for long. A thread whose stack is full, or that finds no more rows, gives
// up what it keeps: these rows are called again when the launch is over, as are groups that do not fit on a stack.

/// What the threads of one launch know of groups of rows.
class kept_groups {
 public:
  static constexpr std::size_t most = 2048;

  /// Rows first ... last - 1 in groups of `rows`, behind `at` records. Pre: no more than `most` groups.
  kept_groups(list_rows_calls const& calls, std::size_t first, std::size_t last, std::size_t rows, std::size_t at)
      : calls_(calls), first_(first), last_(last), rows_(rows), count_(internal::divide_up(last - first, rows)) {
    for (std::size_t g = 0; g < count_; ++g) std::construct_at(&groups_[g]);
    groups_[0].before = at;
  }

  /// One thread of the launch.
  void run() {
    alignas(std::max_align_t) std::byte records[kept_bytes];
    kept_list kept{records, 0, 0, 0, {}};
    for (std::size_t g; (g = ticket_.fetch_add(1, std::memory_order_relaxed)) < count_;) {
      std::size_t const room = calls_.are_bytes ? kept_bytes / calls_.record_bytes - kept.used : 0;
      std::byte* const slot = records + kept.used * calls_.record_bytes;
      std::size_t const count = calls_.put(calls_.rows, first_of(g), last_of(g), slot, room, 0);
      groups_[g].count = count;
      groups_[g].is_counted.store(true, std::memory_order_release);
      if (count <= room) kept.add(g, count);
      sum();
      place(kept);
      // The buffer is full, or nearly so: the group before the first one that is kept may come soon.
      if (kept.is_full(calls_.record_bytes)) wait(kept);
    }
    wait(kept);
  }

  /// Behind the launch: the records of all these groups and those before.
  std::size_t finish() {
    sum();
    return internal::saturating_plus{}(groups_[count_ - 1].before, groups_[count_ - 1].count);
  }
  std::size_t count() const { return count_; }
  bool is_placed(std::size_t g) const { return groups_[g].is_placed; }
  /// The offsets of a group that was given up, which are relative.
  void complete_offsets(std::size_t g) const {
    for (std::size_t i = first_of(g); i < last_of(g); ++i)
      calls_.offsets[i] = internal::saturating_plus{}(calls_.offsets[i], groups_[g].before);
  }
  /// The second call for its rows.
  void put_again(std::size_t g) const {
    std::size_t const end = internal::saturating_plus{}(groups_[g].before, groups_[g].count);
    calls_.put_again(calls_.rows, first_of(g), last_of(g), end);
  }

  /// Bytes of records that a thread keeps, and groups of them.
  static constexpr std::size_t kept_bytes = 64 * 1024, kept_groups_most = 16;

 private:
  struct group {
    std::atomic<bool> is_counted{false};
    std::size_t count = 0;
    std::size_t before = 0;
    bool is_placed = false;
  };
  /// The groups that a thread keeps: their numbers, and where the records of each end.
  struct kept_list {
    std::byte* records;
    std::size_t used, size, placed;
    struct {
      std::size_t number, end;
    } of[kept_groups_most];

    void add(std::size_t number, std::size_t count) {
      used += count;
      of[size++] = {number, used};
    }
    bool is_full(std::size_t record_bytes) const {
      return size == kept_groups_most || used * record_bytes > kept_bytes / 4 * 3;
    }
  };

  std::size_t first_of(std::size_t g) const { return first_ + g * rows_; }
  std::size_t last_of(std::size_t g) const { return std::min(first_of(g) + rows_, last_); }

  /// Goes on with the sums, unless another thread does.
  void sum() {
    if (summing_.test_and_set(std::memory_order_acquire)) return;
    std::size_t known = known_.load(std::memory_order_relaxed);
    std::size_t const before = known;
    for (; known < count_; ++known) {
      if (!groups_[known - 1].is_counted.load(std::memory_order_acquire)) break;
      groups_[known].before = internal::saturating_plus{}(groups_[known - 1].before, groups_[known - 1].count);
    }
    if (known != before) known_.store(known, std::memory_order_release);
    summing_.clear(std::memory_order_release);
  }

  /// Copies what is kept of groups whose place is known.
  void place(kept_list& kept) {
    std::size_t const known = known_.load(std::memory_order_acquire);
    for (; kept.placed < kept.size && kept.of[kept.placed].number < known; ++kept.placed) {
      auto const [g, end] = kept.of[kept.placed];
      std::size_t const begin = kept.placed == 0 ? 0 : kept.of[kept.placed - 1].end, before = groups_[g].before;
      if (before < calls_.room)
        std::memcpy(calls_.values + before * calls_.record_bytes, kept.records + begin * calls_.record_bytes,
                    std::min(end - begin, calls_.room - before) * calls_.record_bytes);
      complete_offsets(g);
      groups_[g].is_placed = true;
    }
    if (kept.placed == kept.size) kept.used = kept.size = kept.placed = 0;
  }

  /// Waits for the places of what is kept, for about as long as the calls of some groups take, and gives the rest up.
  void wait(kept_list& kept) {
    for (std::size_t polls = 0; kept.size > 0 && polls < patience; ++polls) {
      sum();
      place(kept);
      if (kept.size > 0) compat::spin_pause();
    }
    kept.used = kept.size = kept.placed = 0;
  }
  static constexpr std::size_t patience = 1000;

  list_rows_calls calls_;
  std::size_t first_, last_, rows_, count_;
  alignas(64) std::atomic<std::size_t> ticket_{0};
  alignas(64) std::atomic<std::size_t> known_{1};
  std::atomic_flag summing_{};
  union {
    group groups_[most];  ///< those that there are
  };
};

/// Pre: rows > 0; launches_wait<ExecutionSpace>. Writes offsets, that of the total too, and records, as far as there is
/// room. Returns the total; sums saturate.
template <class ExecutionSpace>
std::size_t keep_lists_on_cpu(ExecutionSpace const& space, list_rows_calls const& calls, std::size_t rows,
                              std::string_view caller) {
  auto const name = [&] { return internal::label("pack_lists", "fused", caller); };
  std::size_t at = 0, done = 0;
  auto const put = [&](std::size_t first, std::size_t last) {
    bool const fits = at < calls.room;
    at = calls.put(calls.rows, first, last, fits ? calls.values + at * calls.record_bytes : nullptr,
                   fits ? calls.room - at : 0, at);
  };
  auto const label = [&] { return std::string(name()); };
  internal::range_kernel in_order = internal::range_kernel::of_ranges(label, put);
  in_order.cost = calls.cost;
  done = internal::begin_ranges_on_cpu(space, in_order, rows, {});
  if (done < rows) {
    // How long rows are decides how many are a group.
    constexpr std::size_t first_rows = 64;
    if (done < first_rows) {
      std::size_t const last = std::min(rows, first_rows);
      put(done, last);
      done = last;
    }
  }
  auto const threads = static_cast<std::size_t>(compat::concurrency(space));
  while (done < rows) {
    std::size_t const kept = kept_groups::kept_bytes / calls.record_bytes;
    std::size_t const fit = kept / 4 * done / std::max<std::size_t>(at, 1);
    std::size_t const size = std::clamp<std::size_t>(fit, 1, internal::divide_up(rows - done, 8 * threads));
    std::size_t const last = std::min(rows, done + std::min(rows, size * kept_groups::most));
    kept_groups groups(calls, done, last, size, at);
    internal::fork_on_cpu(space, name, std::min(threads, groups.count()), [&](std::int64_t) { groups.run(); });
    at = groups.finish();
    std::size_t given_up = 0;
    for (std::size_t g = 0; g < groups.count(); ++g)
      if (!groups.is_placed(g)) {
        groups.complete_offsets(g);
        ++given_up;
      }
    if (given_up > 0)
      internal::run_on_cpu(
          space, name, groups.count(),
          [&](std::int64_t g) {
            if (!groups.is_placed(static_cast<std::size_t>(g))) groups.put_again(static_cast<std::size_t>(g));
          },
          {}, internal::tile_cost::uneven);
    done = last;
  }
  calls.offsets[rows] = at;
  return at;
}

}  // namespace upsweep::pack::detail
