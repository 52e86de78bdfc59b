// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/cpu/cpu_tuning.hpp>
#include <upsweep/scan/detail/cpu/segment_folds.hpp>
#include <upsweep/scan/detail/segments/run_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

/// The tiles of cpu_tiles.hpp for reductions of runs: fold() counts the runs that begin in a tile and folds the
/// last of them, and a scan stores the runs up to that one. So keys are read up to four times, mostly from a cache,
/// and values once.
/// Association: the left fold of a run's first 512 elements in a tile, then four quarters' left folds of the others; in
/// front of that the prefix. The aggregate of a tile is what follows its last head: segment_folds.hpp.
template <class Problem, class Tuning = cpu_tuning>
class run_sum_tiles
    : public segment_tile_shape<Tuning, folds_of<Problem>, typename decltype(Problem::in.heads.keys)::value_type> {
  using shape = typename run_sum_tiles::segment_tile_shape;
  using folds_type = folds_of<Problem>;
  using value_type = typename folds_type::value_type;

 public:
  using state = typename Problem::state;
  using shape::size;

  explicit run_sum_tiles(Problem const& problem)
      : folds_{problem.in.heads, problem.in.in, problem.out.monoid}, out_(problem.out.out), n_(problem.n) {}

  void fold(std::size_t first, std::size_t last, state* aggregates) const {
    for (std::size_t tile = first; tile < last; ++tile) {
      std::size_t const begin = tile * size, end = end_of(tile), head = folds_.last_head(begin, end);
      aggregates[tile - first] =
          make_run_sum(folds_.since(head, begin, end), head < end ? runs_before(begin, head) + 1 : 0);
    }
  }

  void scan(std::size_t first, std::size_t last, state const* prefixes, std::size_t) const {
    for (std::size_t tile = first; tile < last; ++tile) {
      // What comes behind the last head has been folded.
      std::size_t const begin = tile * size, end = end_of(tile), head = folds_.last_head(begin, end);
      if (head < end) scan_range(begin, head + 1, prefixes[tile - first]);
    }
  }

  state scan_serially(state const& init) const { return scan_range(0, n_, init); }

  void finish() const {}

 private:
  std::size_t end_of(std::size_t tile) const { return std::min((tile + 1) * size, n_); }

  /// Runs that begin in [begin, end).
  std::uint64_t runs_before(std::size_t begin, std::size_t end) const {
    auto const heads = folds_.heads;
    if (begin == end) return 0;
    std::uint64_t count = heads.at(begin) ? 1 : 0;
    // 32 bits count in as many lanes as keys of 4 bytes are compared in.
    for (std::size_t i = begin + 1; i < end;) {
      std::uint32_t some = 0;
      for (std::size_t const stop = std::min(end, i + 4096); i < stop; ++i) some += heads.starts(i) ? 1u : 0u;
      count += some;
    }
    return count;
  }

  /// Stores the runs that begin in [begin, end), each with the fold before it; returns the fold since the last
  /// one, up to `end`.
  /// Pre: begin < end.
  state scan_range(std::size_t begin, std::size_t end, state const& before) const {
    // Copies: what is stored may lie anywhere, but not in these.
    auto const folds = folds_;
    auto const out = out_;
    value_type running = before.value;
    std::uint64_t runs = before.runs();
    std::size_t i = begin;
    if (!folds.heads.at(i)) i = fold_on(folds, i, end, running);
    while (i < end) {  // a run begins here
      if (runs > 0) out.ends(runs - 1, running);
      out.begins(runs++, folds.heads.keys.load(i));
      running = folds.value(i++);
      // Long runs look for their end in blocks, which costs short ones more than it helps: 2^20 int32 in runs of 8 /
      // 100, a thread's scan, us, with 16 instead of 512: 1810 / 660, with 512: 1505 / 550.
      std::size_t const near = std::min(end, i + 512);
      while (i < near && !folds.heads.starts(i)) running = folds.op(running, folds.value(i++));
      if (i == near && i < end && !folds.heads.starts(i)) i = fold_on(folds, i, end, running);
    }
    return make_run_sum(running, runs);
  }

  /// Goes on with the fold of a run from element `begin` on, which is of it, as far as it goes; returns where that is.
  template <class Folds>
  static std::size_t fold_on(Folds const& folds, std::size_t begin, std::size_t end, value_type& running) {
    std::size_t const stop = folds.next_head(begin + 1, end);
    running = folds.op(running, folds.fold_quarters(begin, stop));
    return stop;
  }

  folds_type folds_;
  decltype(Problem::out.out) out_;
  std::size_t n_;
};

}  // namespace upsweep::scan::detail
