// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/pack/detail/lists/pack_kernels.hpp>
#include <upsweep/scan/internal/tile_prefixes.hpp>
#include <upsweep/team/shuffle.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::pack::detail {

// Counting and emitting in one launch, tile of rows by tile of rows.
//
// Work to threads: a team takes a tile by ticket, so that all tiles before it have started. A thread calls the functor
// for its rows, which are neighbours (one to eight on GPUs, 64 elsewhere, where a team is one thread), with storage in
// level-0 scratch; the counts are scanned in the team; the first warp publishes the tile's sum and finds the records
// before the tile (decoupled_look_back.hpp). Then records go to their final place: from scratch, by the lanes of a warp
// side by side, or by a second call for the rows that did not fit there.
// Not a Work of one_pass.hpp: that has a warp that calls no functor, which pays where tiles are large, and does not
// run on CPUs. Shared state, memory order and progress: decoupled_look_back.hpp. A stalled tile is counted by its
// successor, which calls the functor again: if owner and fallback do not agree, the functor is not pure, and the
// owner reports it.

/// Records of some rows. So bounded that sums do not overflow; no memory holds as many.
struct record_sum {
  using value_type = std::uint64_t;
  static constexpr value_type limit = (std::uint64_t(1) << 62) - 1;
  KOKKOS_FUNCTION constexpr value_type identity() const { return 0; }
  KOKKOS_FUNCTION constexpr value_type operator()(value_type a, value_type b) const {
    return a + b < limit ? a + b : limit;
  }
  KOKKOS_FUNCTION static constexpr value_type of(std::size_t count) { return count < limit ? count : limit; }
};

/// What tiles can be.
template <class ExecutionSpace, class T>
struct row_tile {
  static constexpr bool gpu = compat::is_gpu<ExecutionSpace>;
  static constexpr int team_size = gpu ? 128 : 1;
  static constexpr int fewest_rows_per_thread = gpu ? 1 : 64, most_rows_per_thread = gpu ? 8 : 64;
  /// Those of the warp that looks back; on CPUs, and GPUs without warps, one thread does.
  using lanes =
      std::conditional_t<compat::has_warps<ExecutionSpace>, internal::lanes_of<ExecutionSpace>, internal::one_lane>;
  using prefixes = internal::decoupled_look_back<record_sum, lanes, lanes::size == 1 ? 0 : 1>;
  /// Round trips before the fallback for a stalled tile: longer than almost any functor takes, since it costs the
  /// functor's calls again.
  static constexpr int polls = gpu ? 100000 : 10000;
  /// Bytes of records that a team keeps: several teams share a GPU's scratch, and a thread's first-level cache.
  static constexpr std::size_t storage = 16384;
  /// Records that a thread has room for.
  static constexpr std::size_t room = storage / team_size / sizeof(T);
};

/// How many rows belong to a thread, and for how many records.
struct row_tile_shape {
  int rows_per_thread;
  std::size_t kept;

  /// For rows that want room for `wanted` records each, and have `records` on the average at most. Many short rows
  /// share a thread's room, twice what they have on the average, where that leaves `tiles` tiles. On GPUs `kept` is
  /// odd, so that neighbouring threads use other banks.
  template <class Tile>
  static row_tile_shape of(std::size_t rows, std::size_t wanted, std::size_t records, std::size_t tiles) {
    if (!Tile::gpu) return {Tile::fewest_rows_per_thread, Tile::room};
    int each = Tile::fewest_rows_per_thread;
    std::size_t const of_row = std::max<std::size_t>(1, std::min(wanted, 2 * std::min(records, Tile::room)));
    while (2 * each <= Tile::most_rows_per_thread && 2 * static_cast<std::size_t>(each) * of_row <= Tile::room &&
           rows / (2 * static_cast<std::size_t>(each) * Tile::team_size) >= tiles)
      each *= 2;
    if (Tile::room == 0) return {each, 0};
    // Neither product nor sum overflows where `wanted` is no more than there is room for.
    std::size_t const all = std::min(wanted, Tile::room) * static_cast<std::size_t>(each);
    return {each, std::min(all | 1, Tile::room - (Tile::room % 2 == 0 ? 1 : 0))};
  }
};

/// Tile: a row_tile, or what a test has instead.
template <class T, class Functor, class Tile>
struct row_tiles_kernel {
  using tile = Tile;
  using lanes = typename tile::lanes;

  /// What a team shares.
  struct shared {
    std::uint64_t tile, before;
  };

  Functor functor;
  std::int64_t rows;
  std::size_t* offsets;  ///< rows + 1
  T* values;
  std::size_t bound;     ///< entries of values
  row_tile_shape shape;  ///< kept: for how many records a thread has room in scratch
  typename tile::prefixes prefixes;
  internal::error_word failures;
  std::uint64_t* all = nullptr;  ///< where the number of all records goes, beside the last offset
  std::size_t row_bound = no_bound;

  std::size_t scratch_bytes() const {
    return sizeof(shared) + team::shuffle::scratch_bytes<std::uint64_t>(tile::team_size) +
           tile::team_size * (starts_stride() * sizeof(std::uint64_t) + shape.kept * sizeof(T)) +
           4 * alignof(std::max_align_t) + alignof(T);
  }

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    auto& s = *static_cast<shared*>(m.team_scratch(0).get_shmem_aligned(sizeof(shared), alignof(shared)));
    auto* const sums = static_cast<std::uint64_t*>(m.team_scratch(0).get_shmem_aligned(
        team::shuffle::scratch_bytes<std::uint64_t>(tile::team_size), alignof(std::uint64_t)));
    auto* const starts = static_cast<std::uint64_t*>(m.team_scratch(0).get_shmem_aligned(
        tile::team_size * starts_stride() * sizeof(std::uint64_t), alignof(std::uint64_t)));
    T* storage = nullptr;
    if (shape.kept > 0)
      storage =
          static_cast<T*>(m.team_scratch(0).get_shmem_aligned(tile::team_size * shape.kept * sizeof(T), alignof(T)));

    bool const looks = m.team_rank() < lanes::size;
    if (m.team_rank() == 0) s.tile = Kokkos::atomic_fetch_add(&prefixes.control->ticket, std::uint64_t(1));
    std::uint32_t const epoch = looks ? static_cast<std::uint32_t>(compat::load_word(&prefixes.control->epoch)) : 0;
    m.team_barrier();
    auto const number = static_cast<std::size_t>(s.tile);
    int const lane = m.team_rank() % lanes::size, first_of_warp = m.team_rank() - lane;
    std::int64_t const first = first_row(number, m.team_rank());
    int const count =
        static_cast<int>(Kokkos::min<std::int64_t>(Kokkos::max<std::int64_t>(rows - first, 0), shape.rows_per_thread));
    auto* const own_starts = starts + static_cast<std::size_t>(m.team_rank()) * starts_stride();

    int stored = 0;                      // rows, from the first on, whose records are all in storage
    std::uint64_t own = 0, waiting = 0;  // records of all rows, and of the stored ones
    std::size_t longest = 0;
    UPSWEEP_NO_UNROLL
    for (int k = 0; k < count; ++k) {
      own_starts[k] = own;
      emitter<T> const emit =
          own < shape.kept
              ? emitter<T>(storage + static_cast<std::size_t>(m.team_rank()) * shape.kept + own, shape.kept - own)
              : emitter<T>();
      functor(static_cast<std::size_t>(first + k), emit);
      longest = Kokkos::max(longest, emit.count());
      own = record_sum{}(own, record_sum::of(emit.count()));
      if (own <= shape.kept) {
        stored = k + 1;
        waiting = own;
      }
      if (emit.code() != 0) failures.report(static_cast<std::size_t>(first + k), emit.code());
    }
    // With the bound compared row by row, CPUs take 7 % longer (65,536 rows of 0 to 7, an EPYC, 2026-11-27).
    for (int k = 0; longest > row_bound && k < count; ++k)
      report_row(failures, first + k, 0, (k + 1 < count ? own_starts[k + 1] : own) - own_starts[k], row_bound);

    std::uint64_t total = 0;
    std::uint64_t const before = team::shuffle::exclusive_scan(m, own, record_sum{}, sums, total);
    if (looks) find_prefix(s, number, epoch, total, m.team_rank());
    m.team_barrier();
    std::uint64_t const at = record_sum{}(s.before, before);
    place(storage + static_cast<std::size_t>(first_of_warp) * shape.kept, at, static_cast<int>(waiting), lane);
    UPSWEEP_NO_UNROLL
    for (int k = stored; k < count; ++k)
      emit_row(first + k, record_sum{}(at, own_starts[k]), (k + 1 < count ? own_starts[k + 1] : own) - own_starts[k]);
    for (int k = 0; k < count; ++k) own_starts[k] = record_sum{}(at, own_starts[k]);
    lanes::sync();
    write_offsets(starts + static_cast<std::size_t>(first_of_warp) * starts_stride(), first_row(number, first_of_warp),
                  lane);
    if (count > 0 && first + count == rows) {
      offsets[rows] = record_sum{}(at, own);
      if (all != nullptr) *all = offsets[rows];
    }
    if (looks) prefixes.finish(prefixes.tiles, epoch, m.team_rank());
  }

 private:
  /// Words that a thread has for its rows: an odd number, so that neighbouring threads use other banks.
  KOKKOS_FUNCTION std::size_t starts_stride() const { return static_cast<std::size_t>(shape.rows_per_thread) | 1; }
  KOKKOS_FUNCTION std::size_t rows_of_tile() const {
    return std::size_t(tile::team_size) * static_cast<std::size_t>(shape.rows_per_thread);
  }
  KOKKOS_FUNCTION std::int64_t first_row(std::size_t number, int rank) const {
    return static_cast<std::int64_t>(number * rows_of_tile()) + std::int64_t(rank) * shape.rows_per_thread;
  }

  /// The records that a warp's threads keep, by all its lanes: some lanes have one thread's records side by side, so
  /// that neighbours write to neighbouring places. at, count: of the own thread's records.
  /// H200, 2026-11-23, 2^28 rows of 0 to 7 int32, four per thread: 8, 16, 32 lanes for a thread's records
  /// 6.66, 7.00, 7.76 ms.
  KOKKOS_FUNCTION void place(T const* storage, std::uint64_t at, int count, int lane) const {
    constexpr int group = lanes::size < lanes_for_a_thread ? lanes::size : lanes_for_a_thread;
    UPSWEEP_NO_UNROLL
    for (int k = 0; k < lanes::size; k += lanes::size / group) {
      int const thread = k + lane / group;
      std::uint64_t const begin = lanes::shuffle(at, thread);
      int const records = lanes::shuffle(count, thread);
      T const* const from = storage + static_cast<std::size_t>(thread) * shape.kept;
      for (int r = lane % group; r < records && begin + static_cast<std::uint64_t>(r) < bound; r += group)
        values[begin + static_cast<std::uint64_t>(r)] = from[r];
    }
  }
  static constexpr int lanes_for_a_thread = 8;

  /// The offsets of a warp's rows, of which `first` is the first one.
  KOKKOS_FUNCTION void write_offsets(std::uint64_t const* starts, std::int64_t first, int lane) const {
    int const all_rows = lanes::size * shape.rows_per_thread;
    for (int r = lane; r < all_rows && first + r < rows; r += lanes::size)
      offsets[first + r] = starts[static_cast<std::size_t>(r / shape.rows_per_thread) * starts_stride() +
                                  static_cast<std::size_t>(r % shape.rows_per_thread)];
  }

  /// The second call for a row, as far as there is room.
  KOKKOS_FUNCTION void emit_row(std::int64_t i, std::uint64_t at, std::size_t count) const {
    if (at >= bound) return;
    emitter<T> const emit(values + at, Kokkos::min<std::size_t>(count, bound - at));
    functor(static_cast<std::size_t>(i), emit);
    if (!report_row(failures, i, emit.code(), emit.count(), no_bound) && emit.count() != count)
      failures.report(behind_failures + static_cast<std::size_t>(i), count_mismatch_code);
  }

  /// The records of all rows before a tile, by the lanes that look. own: of the tile.
  KOKKOS_FUNCTION void find_prefix(shared& s, std::size_t number, std::uint32_t epoch, std::uint64_t own,
                                   int lane) const {
    if (lane == 0 && !prefixes.publish_or_compare(number, epoch, own))
      failures.report(behind_failures + number * rows_of_tile(), count_mismatch_code);
    auto const found = prefixes.wait_for_prefix(number, epoch, record_sum{}, 0, lane, count_rows{*this, lane});
    if (lane == 0) s.before = found.exclusive;
  }

  /// The records of a stalled tile's rows.
  struct count_rows {
    row_tiles_kernel const& kernel;
    int lane;

    KOKKOS_FUNCTION std::uint64_t operator()(std::size_t number) const {
      auto const first = static_cast<std::int64_t>(number * kernel.rows_of_tile());
      std::int64_t const end = first + static_cast<std::int64_t>(kernel.rows_of_tile());
      std::uint64_t sum = 0;
      for (std::int64_t i = first + lane; i < end && i < kernel.rows; i += lanes::size) {
        emitter<T> const emit;
        kernel.functor(static_cast<std::size_t>(i), emit);
        sum = record_sum{}(sum, record_sum::of(emit.count()));
      }
      return internal::fold_lanes<lanes>(record_sum{}, sum, lane);
    }
  };
};

}  // namespace upsweep::pack::detail
