// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/host_tuning.hpp>
#include <upsweep/scan/detail/run_sums.hpp>
#include <upsweep/scan/detail/segment_folds.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

/// The tiles of host_tiles.hpp for reductions of runs: fold() counts the runs that begin in a tile and folds the last of them, and a scan
/// hands runs on. So keys are read twice, the second time from a cache, and values once where runs are short.
/// Association: that of segment_folds.hpp for what a tile tells the next one; a run is its tile's left fold behind that.
template <class Problem, class Tuning = host_tuning>
class run_sum_tiles {
  using heads_type = decltype(Problem::in.heads);
  using input_type = decltype(Problem::in.in);
  using monoid_type = decltype(Problem::out.monoid);
  using output_type = decltype(Problem::out.out);
  using value_type = typename monoid_type::value_type;

 public:
  using state = typename Problem::state;
  static constexpr std::size_t element_bytes =
      std::max({sizeof(value_type), sizeof(typename input_type::value_type), sizeof(typename decltype(heads_type::keys)::value_type), std::size_t(4)});
  static constexpr std::size_t size = std::max<std::size_t>(64, Tuning::segmented_tile_bytes / element_bytes);
  static constexpr std::size_t parallel_tiles = 2;
  static constexpr std::size_t tiles_per_thread = 1;
  static constexpr std::size_t group_tiles = 1, largest_group = Tuning::largest_segmented_group;
  static constexpr std::size_t polls_a_tile = Tuning::segmented_polls_a_tile;

  explicit run_sum_tiles(Problem const& problem)
      : folds_{problem.in.heads, problem.in.in, problem.out.monoid}, out_(problem.out.out), n_(problem.n) {}

  void fold(std::size_t first, std::size_t last, state* aggregates) const {
    for (std::size_t tile = first; tile < last; ++tile) {
      std::size_t const begin = tile * size, end = end_of(tile), head = folds_.last_head(begin, end);
      aggregates[tile - first] = make_run_sum(folds_.since(head, begin, end), head < end ? runs_before(begin, head) + 1 : 0);
    }
  }

  void scan(std::size_t first, std::size_t last, state const* prefixes, std::size_t) const {
    for (std::size_t tile = first; tile < last; ++tile) scan_range(tile * size, end_of(tile), prefixes[tile - first]);
  }

  state scan_all(state const& init) const { return scan_range(0, n_, init); }

  void finish() const {}

 private:
  std::size_t end_of(std::size_t tile) const { return std::min((tile + 1) * size, n_); }

  /// Runs that begin in [begin, end).
  std::uint64_t runs_before(std::size_t begin, std::size_t end) const {
    heads_type const heads = folds_.heads;
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

  /// Hands on the runs that begin in [begin, end); returns the fold up to `end`. Pre: begin < end.
  state scan_range(std::size_t begin, std::size_t end, state const& before) const {
    // Copies: what is stored may lie anywhere, but not in these.
    auto const folds = folds_;
    output_type const out = out_;
    value_type running = before.value;
    std::uint64_t runs = before.runs();
    std::size_t i = begin;
    if (!folds.heads.at(i)) {
      running = folds.op(running, folds.value(i++));
      while (i < end && !folds.heads.starts(i)) running = folds.op(running, folds.value(i++));
    }
    while (i < end) {  // a run begins here
      if (runs > 0) out.ends(runs - 1, running);
      out.begins(runs++, folds.heads.keys.load(i));
      running = folds.value(i++);
      while (i < end && !folds.heads.starts(i)) running = folds.op(running, folds.value(i++));
    }
    return make_run_sum(running, runs);
  }

  segment_folds<heads_type, input_type, monoid_type> folds_;
  output_type out_;
  std::size_t n_;
};

}  // namespace upsweep::detail
