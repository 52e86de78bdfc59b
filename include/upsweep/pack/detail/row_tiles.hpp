// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error_word.hpp>
#include <upsweep/base/lanes.hpp>
#include <upsweep/pack/detail/pack_kernels.hpp>
#include <upsweep/scan/tile_prefixes.hpp>
#include <upsweep/team/shuffle.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::detail {

// Counting and emitting in one launch, tile of rows by tile of rows.
//
// Work to threads: a team takes a tile by ticket, so that all tiles before it have started. A thread calls the functor for its
// rows (one on GPUs, 64 on CPUs, where a team is one thread) with storage in level-0 scratch; the counts are scanned in the
// team; the first warp publishes the tile's sum and finds the records before the tile (grouped_prefixes.hpp). Then records go to
// their final place: from scratch, or by a second call for the rows that did not fit there.
// Not a Work of one_pass.hpp: that has a warp that calls no functor, which pays where tiles are large, and does not run on CPUs.
// Shared state, memory order and progress: grouped_prefixes.hpp. A silent tile is counted by its successor, which calls the functor
// again: if owner and helper do not agree, the functor is not pure, and the owner reports it.

/// Records of some rows. So bounded that sums do not overflow; no memory holds as many.
struct record_sum {
  using value_type = std::uint64_t;
  static constexpr value_type limit = (std::uint64_t(1) << 62) - 1;
  KOKKOS_FUNCTION constexpr value_type identity() const { return 0; }
  KOKKOS_FUNCTION constexpr value_type operator()(value_type a, value_type b) const { return a + b < limit ? a + b : limit; }
  KOKKOS_FUNCTION static constexpr value_type of(std::size_t count) { return count < limit ? count : limit; }
};

/// Tiles' shapes.
template <class ExecutionSpace, class T>
struct row_tile {
  static constexpr bool gpu = compat::is_gpu<ExecutionSpace>;
  static constexpr int team_size = gpu ? 128 : 1;
  static constexpr int rows_per_thread = gpu ? 1 : 64;
  static constexpr std::size_t rows = std::size_t(team_size) * rows_per_thread;
  /// Those of the warp that looks back; on CPUs, and GPUs without warps, one thread does.
  using lanes = std::conditional_t<compat::has_warps<ExecutionSpace>, lanes_of<ExecutionSpace>, one_lane>;
  using prefixes = grouped_prefixes<record_sum, lanes, lanes::size == 1 ? 0 : 1>;
  /// Round trips before a silent tile is helped: longer than almost any functor takes, for help costs the functor's calls again.
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

/// Tile: a row_tile, or what a test has in its place.
template <class T, class Functor, class Tile>
struct row_tiles_kernel {
  using tile = Tile;
  using lanes = typename tile::lanes;
  static constexpr int per_thread = tile::rows_per_thread;

  /// What a team shares.
  struct shared {
    std::uint64_t tile, before;
  };

  Functor functor;
  std::int64_t rows;
  std::size_t* offsets;  ///< rows + 1
  T* values;
  std::size_t bound;  ///< entries of values
  std::size_t kept;   ///< records a thread has room for in scratch
  typename tile::prefixes prefixes;
  error_word failures;
  std::uint64_t* all = nullptr;  ///< where the number of all records goes, beside the last offset

  std::size_t scratch_bytes() const {
    return sizeof(shared) + team::shuffle::scratch_bytes<std::uint64_t>(tile::team_size) +
           tile::team_size * kept * sizeof(T) + 3 * alignof(std::max_align_t) + alignof(T);
  }

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    auto& s = *static_cast<shared*>(m.team_scratch(0).get_shmem_aligned(sizeof(shared), alignof(shared)));
    auto* const sums = static_cast<std::uint64_t*>(m.team_scratch(0).get_shmem_aligned(
        team::shuffle::scratch_bytes<std::uint64_t>(tile::team_size), alignof(std::uint64_t)));
    T* storage = nullptr;
    if (kept > 0)
      storage = static_cast<T*>(m.team_scratch(0).get_shmem_aligned(tile::team_size * kept * sizeof(T), alignof(T))) +
                static_cast<std::size_t>(m.team_rank()) * kept;

    bool const looks = m.team_rank() < lanes::size;
    if (m.team_rank() == 0) s.tile = Kokkos::atomic_fetch_add(&prefixes.control->ticket, std::uint64_t(1));
    std::uint32_t const epoch = looks ? static_cast<std::uint32_t>(compat::load_word(&prefixes.control->epoch)) : 0;
    m.team_barrier();
    auto const number = static_cast<std::size_t>(s.tile);
    std::int64_t const first = first_row(number, m.team_rank());

    std::size_t counts[per_thread] = {};
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
    if (looks) find_prefix(s, number, epoch, total, m.team_rank());
    m.team_barrier();
    std::uint64_t at = record_sum{}(s.before, before);
    for (int k = 0; k < per_thread && first + k < rows; ++k) {
      offsets[first + k] = at;
      if (k < stored) {
        for (std::size_t r = 0; r < counts[k] && at + r < bound; ++r) values[at + r] = storage[r];
        storage += counts[k];
      } else {
        emit_row(first + k, at, counts[k]);
      }
      at = record_sum{}(at, record_sum::of(counts[k]));
      if (first + k + 1 == rows) {
        offsets[rows] = at;
        if (all != nullptr) *all = at;
      }
    }
    if (looks) prefixes.finish(prefixes.tiles, epoch, m.team_rank());
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
      failures.report(behind_failures + static_cast<std::size_t>(i), count_mismatch_code);
  }

  /// The records of all rows before a tile, by the lanes that look. own: of the tile.
  KOKKOS_FUNCTION void find_prefix(shared& s, std::size_t number, std::uint32_t epoch, std::uint64_t own, int lane) const {
    if (lane == 0 && !prefixes.publish_unless_other(number, epoch, own))
      failures.report(behind_failures + number * tile::rows, count_mismatch_code);
    auto const found = prefixes.prefix_of(number, epoch, record_sum{}, 0, lane, count_rows{*this, lane});
    if (lane == 0) s.before = found.before;
  }

  /// The records of a silent tile's rows.
  struct count_rows {
    row_tiles_kernel const& kernel;
    int lane;

    KOKKOS_FUNCTION std::uint64_t operator()(std::size_t number) const {
      auto const first = static_cast<std::int64_t>(number * tile::rows), end = first + static_cast<std::int64_t>(tile::rows);
      std::uint64_t sum = 0;
      for (std::int64_t i = first + lane; i < end && i < kernel.rows; i += lanes::size) {
        emitter<T> const emit;
        kernel.functor(i, emit);
        sum = record_sum{}(sum, record_sum::of(emit.count()));
      }
      return fold_lanes<lanes>(record_sum{}, sum, lane);
    }
  };
};

}  // namespace upsweep::detail
