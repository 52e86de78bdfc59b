// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error_word.hpp>
#include <upsweep/pack/detail/pack_kernels.hpp>
#include <upsweep/pack/detail/rows_status.hpp>
#include <upsweep/team/shuffle.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

// Counting and emitting in one launch, tile of rows by tile of rows.
//
// Work to threads: a team takes a tile by ticket, so that all tiles before it have started. A thread calls the functor for its
// rows (one on GPUs, 64 on CPUs, where a team is one thread) with storage in level-0 scratch; the counts are scanned in the
// team; the tile's sum is published, and the sums of its predecessors are read back to the nearest prefix. Then records go to
// their final place: from scratch, or by a second call for the rows that did not fit there.
// Shared state: one 64-bit word a tile, zeroed before the launch. It holds state and value, so it is read and written whole and
// needs no order with other memory.
// Progress: a predecessor that stays silent is counted by its successor, since its team may be waiting for a core. Counts are
// integers: whoever publishes them, they are the same.

/// What a team shares.
struct row_tiles_scratch {
  std::uint64_t tile, sum;
  int nearest, silent;  ///< predecessors in the window: of state `all`, and without a word
};

/// Tiles' shapes.
template <class ExecutionSpace, class T>
struct row_tile {
  static constexpr bool gpu = compat::is_gpu<ExecutionSpace>;
  static constexpr int team_size = gpu ? 128 : 1;
  static constexpr int rows_per_thread = gpu ? 1 : 64;
  static constexpr std::size_t rows = std::size_t(team_size) * rows_per_thread;
  /// Predecessors that are looked at together.
  static constexpr int lanes = gpu ? 32 : 1;
  /// Before a silent predecessor is helped: longer than almost any functor takes, for help costs the functor's calls again.
  static constexpr int polls = gpu ? 100000 : 10000;
  /// Bytes of records that a team keeps: several teams share a GPU's scratch, and a thread's first-level cache.
  static constexpr std::size_t storage = 16384;
  /// Records that a thread keeps when rows want `wanted` each. On GPUs an odd number, so that neighbouring threads use other
  /// banks.
  static constexpr std::size_t kept(std::size_t wanted) {
    std::size_t const most = storage / team_size / sizeof(T);
    if (!gpu || most == 0) return most;
    return std::min(wanted | 1, most - (most % 2 == 0 ? 1 : 0));
  }
};

template <class T, class Functor, class ExecutionSpace>
struct row_tiles_kernel {
  using tile = row_tile<ExecutionSpace, T>;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  static constexpr int per_thread = tile::rows_per_thread;

  Functor functor;
  std::int64_t rows;
  std::size_t* offsets;  ///< rows + 1
  T* values;
  std::size_t bound;  ///< entries of values
  std::size_t kept;   ///< records a thread has room for in scratch
  row_tiles_control* control;
  rows_status status;
  error_word failures;
  int polls;

  std::size_t tiles() const { return divide_up(static_cast<std::size_t>(rows), tile::rows); }
  std::size_t scratch_bytes() const {
    return sizeof(row_tiles_scratch) + team::shuffle::scratch_bytes<std::uint64_t>(tile::team_size) +
           tile::team_size * kept * sizeof(T) + 3 * alignof(std::max_align_t) + alignof(T);
  }

  KOKKOS_FUNCTION void operator()(member const& m) const {
    auto& s = *static_cast<row_tiles_scratch*>(
        m.team_scratch(0).get_shmem_aligned(sizeof(row_tiles_scratch), alignof(row_tiles_scratch)));
    auto* const sums = static_cast<std::uint64_t*>(m.team_scratch(0).get_shmem_aligned(
        team::shuffle::scratch_bytes<std::uint64_t>(tile::team_size), alignof(std::uint64_t)));
    T* storage = nullptr;
    if (kept > 0)
      storage = static_cast<T*>(m.team_scratch(0).get_shmem_aligned(tile::team_size * kept * sizeof(T), alignof(T))) +
                static_cast<std::size_t>(m.team_rank()) * kept;

    if (m.team_rank() == 0) s.tile = Kokkos::atomic_fetch_add(&control->ticket, std::uint64_t(1));
    m.team_barrier();
    auto const number = static_cast<std::size_t>(s.tile);
    std::int64_t const first = first_row(number, m.team_rank());

    std::size_t counts[per_thread];
    int stored = 0;  // rows, from the first on, whose records are all in storage
    std::uint64_t own = 0;
    for (int k = 0; k < per_thread && first + k < rows; ++k) {
      emitter<T> const emit = own < kept ? emitter<T>(storage + own, kept - own) : emitter<T>();
      functor(first + k, emit);
      counts[k] = emit.count();
      own = record_sum{}(own, record_sum::of(emit.count()));
      if (own <= kept) stored = k + 1;
      if (emit.code() != 0) failures.report(static_cast<std::size_t>(first + k), emit.code());
    }

    std::uint64_t total = 0;
    std::uint64_t const before = team::shuffle::exclusive_scan(m, own, record_sum{}, sums, total);
    std::uint64_t at = record_sum{}(prefix_of(m, s, number, total), before);
    for (int k = 0; k < per_thread && first + k < rows; ++k) {
      offsets[first + k] = at;
      if (k < stored) {
        for (std::size_t r = 0; r < counts[k] && at + r < bound; ++r) values[at + r] = storage[r];
        storage += counts[k];
      } else {
        emit_row(first + k, at, counts[k]);
      }
      at = record_sum{}(at, record_sum::of(counts[k]));
      if (first + k + 1 == rows) offsets[rows] = at;
    }
  }

 private:
  KOKKOS_FUNCTION std::int64_t first_row(std::size_t number, int rank) const {
    return static_cast<std::int64_t>(number * tile::rows) + std::int64_t(rank) * per_thread;
  }

  /// The second call for a row, as far as there is room.
  KOKKOS_FUNCTION void emit_row(std::int64_t i, std::uint64_t at, std::size_t count) const {
    if (at >= bound) return;
    emitter<T> const emit(values + at, Kokkos::min<std::size_t>(count, bound - at));
    functor(i, emit);
    if (emit.code() != 0)
      failures.report(static_cast<std::size_t>(i), emit.code());
    else if (emit.count() != count)
      error_word{&control->mismatch}.report(static_cast<std::size_t>(i), count_mismatch_code);
  }

  /// The records of all rows before a tile, in every thread. own: of the tile.
  KOKKOS_FUNCTION std::uint64_t prefix_of(member const& m, row_tiles_scratch& s, std::size_t number, std::uint64_t own) const {
    int const rank = m.team_rank();
    std::uint64_t prefix = 0;
    if (rank == 0) {
      // A helper that counted otherwise has met a functor that is not pure.
      std::uint64_t const told =
          Kokkos::atomic_compare_exchange(status.at(number), std::uint64_t(0), rows_status::make(rows_state::own, own));
      if (told != 0 && rows_status::value_of(told) != own)
        error_word{&control->mismatch}.report(number * tile::rows, count_mismatch_code);
    }
    for (std::size_t end = number; end > 0;) {
      look(m, s, end);
      if (s.silent < s.nearest) {
        help(m, s, end - 1 - static_cast<std::size_t>(s.silent));
        continue;
      }
      prefix = record_sum{}(prefix, s.sum);
      end = s.nearest < tile::lanes ? 0 : end - tile::lanes;  // the window that holds tile 0 has a prefix
      m.team_barrier();                                       // before the next window
    }
    if (rank == 0) compat::store_word(status.at(number), rows_status::make(rows_state::all, record_sum{}(prefix, own)));
    return prefix;
  }

  /// One thread a predecessor, the nearest first: waits for its word. Sums those up to the nearest of state `all`.
  KOKKOS_FUNCTION void look(member const& m, row_tiles_scratch& s, std::size_t end) const {
    int const rank = m.team_rank();
    if (rank == 0) {
      s.nearest = s.silent = tile::lanes;
      s.sum = 0;
    }
    m.team_barrier();
    bool const looks = rank < tile::lanes && static_cast<std::size_t>(rank) < end;
    std::uint64_t word = 0;
    if (looks) {
      std::size_t const before = end - 1 - static_cast<std::size_t>(rank);
      for (int poll = 0; poll < polls; ++poll) {
        word = compat::load_word(status.at(before));
        if (word != 0) break;
        compat::pause();
      }
      if (word == 0)
        Kokkos::atomic_min(&s.silent, rank);
      else if (before == 0 || rows_status::state_of(word) == rows_state::all)
        Kokkos::atomic_min(&s.nearest, rank);
    }
    m.team_barrier();
    if (looks && rank <= s.nearest && word != 0) Kokkos::atomic_add(&s.sum, rows_status::value_of(word));
    m.team_barrier();
  }

  /// Counts a silent predecessor's rows in its place.
  KOKKOS_FUNCTION void help(member const& m, row_tiles_scratch& s, std::size_t number) const {
    m.team_barrier();  // all have seen which it is
    if (m.team_rank() == 0) s.sum = 0;
    m.team_barrier();
    std::int64_t const first = first_row(number, m.team_rank());
    std::uint64_t own = 0;
    for (int k = 0; k < per_thread && first + k < rows; ++k) {
      emitter<T> const emit;
      functor(first + k, emit);
      own = record_sum{}(own, record_sum::of(emit.count()));
    }
    Kokkos::atomic_add(&s.sum, own);
    m.team_barrier();
    if (m.team_rank() == 0) {
      std::uint64_t const sum = s.sum < record_sum::limit ? s.sum : record_sum::limit;
      Kokkos::atomic_compare_exchange(status.at(number), std::uint64_t(0), rows_status::make(rows_state::own, sum));
      Kokkos::atomic_inc(&control->helped);
    }
    m.team_barrier();
  }
};

}  // namespace upsweep::detail
