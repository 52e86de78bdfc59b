// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/loops/lane_sums.hpp>
#include <upsweep/neighbors/detail/loops/load_step.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/neighbors/pair_index.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// Whether this file's compiler makes vectors of a loop whose body has a condition in front of arithmetic that could
/// trap, as a force with a cutoff has. Where it does not, lanes only cost. Lennard-Jones, ns per particle of 69
/// neighbours on one core (Xeon, model 143, g++ 16, -O3, 2026-11-21), one sum per row / eight sums per row: AVX2
/// 368 / 429, with -fno-trapping-math 205 / 149; AVX-512 210 / 130.
#if defined(__AVX512F__) || defined(__NO_TRAPPING_MATH__) || defined(__clang__)
constexpr bool makes_vectors = true;
#else
constexpr bool makes_vectors = false;
#endif

/// What the kernels of reduce_rows are given.
template <class Monoid, class Rows, class F, class Finish>
struct row_loop {
  using monoid_type = Monoid;
  using rows_type = Rows;
  using sum = typename Monoid::value_type;
  Rows rows;
  F f;
  Finish finish;
  Monoid monoid;

  template <class Run>
  KOKKOS_FORCEINLINE_FUNCTION void add(std::size_t i, Run const& run, std::size_t k, sum& partial) const {
    add_neighbor(f, i, run, k, partial);
  }
};

/// The last neighbours of a row, fewer than there are lanes, and the last of them again in the lanes left.
template <class Run, int Lanes>
struct padded_run {
  using index_type = typename Run::index_type;

  index_type neighbors[Lanes];
  image images[Lanes];
  pair_index first_pair;
  int left;

  KOKKOS_FORCEINLINE_FUNCTION padded_run(Run const& run, std::size_t k)
      : first_pair(run.pair_of(k)), left(static_cast<int>(run.count - k)) {
    for (int lane = 0; lane < Lanes; ++lane) {
      std::size_t const at = k + place(lane);
      neighbors[lane] = run[at];
      images[lane] = run.image_of(at);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t place(int lane) const {
    return static_cast<std::size_t>(lane < left ? lane : left - 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION index_type operator[](std::size_t lane) const { return neighbors[lane]; }
  KOKKOS_FORCEINLINE_FUNCTION image image_of(std::size_t lane) const { return images[lane]; }
  KOKKOS_FORCEINLINE_FUNCTION pair_index pair_of(std::size_t lane) const {
    return {first_pair.value + place(static_cast<int>(lane))};
  }
};

/// A thread a place.
/// LoadsAhead: by add_neighbors(). A CPU looks ahead by itself.
template <class Loop, bool LoadsAhead>
struct reduce_place {
  Loop loop;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    std::size_t const i = loop.rows.row_at(static_cast<std::size_t>(place));
    auto const run = loop.rows.run_at(static_cast<std::size_t>(place));
    auto sum = loop.monoid.identity();
    if constexpr (LoadsAhead) {
      add_neighbors(loop.f, i, run, 0, 1, sum);
    } else {
      for (std::size_t k = 0; k < run.count; ++k) loop.add(i, run, k, sum);
    }
    loop.finish(i, sum);
  }
};

/// CPUs: one thread per row, neighbour k in partial sum k mod 8.
template <class Loop>
struct reduce_row_by_vectors {
  Loop loop;
  static constexpr int lanes = 8;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    std::size_t const i = loop.rows.row_at(static_cast<std::size_t>(place));
    auto const run = loop.rows.run_at(static_cast<std::size_t>(place));
    lane_sums<typename Loop::sum, lanes> sums;
    for (int lane = 0; lane < lanes; ++lane) sums.set_if(true, lane, loop.monoid.identity());
    std::size_t k = 0;
    for (; k + lanes <= run.count; k += lanes) {
      UPSWEEP_LANES
      for (int lane = 0; lane < lanes; ++lane) {
        auto sum = sums.get(lane);
        loop.add(i, run, k + static_cast<std::size_t>(lane), sum);
        sums.set_if(true, lane, sum);
      }
    }
    if (k < run.count) {
      padded_run<typename Loop::rows_type::run_type, lanes> const padded(run, k);
      UPSWEEP_LANES
      for (int lane = 0; lane < lanes; ++lane) {
        auto sum = sums.get(lane);
        loop.add(i, padded, static_cast<std::size_t>(lane), sum);
        sums.set_if(lane < padded.left, lane, sum);
      }
    }
    loop.finish(i, total_of_lanes(sums, lanes, loop.monoid));
  }
};

/// GPUs with warps: eight lanes for each row, which read 32 bytes side by side. H200, forces of
/// 4 * 10^6 particles with 78 neighbours each: 1.60 ms, where Kokkos' loop over vector lanes takes 1.88.
/// Functors with a load step get four lanes, which have neighbours enough to load ahead. H100, 2026-11-25, forces of
/// upsweep-nbody, as many particles, a step: 2.01 ms without a load step, 1.78 with it, 1.57 with four lanes.
template <class Loop, class Lanes>
struct reduce_row_by_warp_lanes {
  static constexpr bool loads = has_load_step<decltype(Loop::f), typename Loop::rows_type::index_type>;
  static constexpr int lanes = loads ? 4 : 8, team_size = 128, rows_per_team = team_size / lanes;
  Loop loop;

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const lane = member.team_rank() % lanes;
    std::size_t const place = static_cast<std::size_t>(member.league_rank()) * rows_per_team +
                              static_cast<std::size_t>(member.team_rank() / lanes);
    bool const is_row = place < loop.rows.rows;
    std::size_t row = 0;
    auto sum = loop.monoid.identity();
    if (is_row) {
      row = loop.rows.row_at(place);
      auto const run = loop.rows.run_at(place);
      add_neighbors(loop.f, row, run, static_cast<std::size_t>(lane), lanes, sum);
    }
    // All lanes of a warp meet here, those without a row, too.
    UPSWEEP_UNROLL
    for (int bit = 1; bit < lanes; bit *= 2) sum = internal::join_lanes<Lanes>(loop.monoid, sum, sum, bit, lane);
    if (is_row && lane == 0) loop.finish(row, sum);
  }
};

}  // namespace upsweep::neighbors::detail
