// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/cpu/cpu_tuning.hpp>
#include <upsweep/scan/detail/cpu/head_reader.hpp>
#include <upsweep/scan/detail/cpu/segment_folds.hpp>
#include <upsweep/scan/detail/cpu/segment_scans.hpp>
#include <upsweep/scan/detail/segments/segmented_sequences.hpp>

#include <algorithm>
#include <cstddef>

namespace upsweep::scan::detail {

/// The tiles of cpu_tiles.hpp for segmented scans.
///
/// A tile's aggregate is the fold since its last head. So fold() looks for that head from the tile's end on, and with
/// short segments reads almost nothing: elements come from memory once. Tiles are long, since that look disturbs the
/// hardware's prefetching. In a scan only values are combined, since the scan restarts at a head.
/// Association: in a tile that of segment_scans; a tile counts in the prefix as the left fold since its last head, one
/// without a head as four quarters' left folds.
template <class Problem, class Tuning = cpu_tuning>
class segmented_tiles
    : public segment_tile_shape<Tuning, folds_of<Problem>, typename decltype(Problem::out.out)::value_type> {
  using shape = typename segmented_tiles::segment_tile_shape;
  using folds_type = folds_of<Problem>;
  using heads_type = decltype(Problem::in.heads);

 public:
  using state = typename Problem::state;
  using shape::size;

  segmented_tiles(Problem const& problem, internal::instruction_set which)
      : folds_{problem.in.heads, problem.in.in, problem.out.monoid}, scans_(problem, which), n_(problem.n) {}

  void fold(std::size_t first, std::size_t last, state* aggregates) const {
    for (std::size_t tile = first; tile < last; ++tile) {
      std::size_t const begin = tile * size, end = end_of(tile), head = last_head(begin, end);
      aggregates[tile - first] = {folds_.since(head, begin, end), head < end};
    }
  }

  void scan(std::size_t first, std::size_t last, state const* prefixes, std::size_t) const {
    for (std::size_t tile = first; tile < last; ++tile) {
      check(tile, (n_ + size - 1) / size);
      scans_.scan(tile * size, end_of(tile), prefixes[tile - first].value);
    }
  }

  state scan_serially(state const& init) const {
    check(0, 1);
    return {scans_.scan(0, n_, init.value), true};
  }

  void finish() const {}

 private:
  std::size_t end_of(std::size_t tile) const { return std::min((tile + 1) * size, n_); }
  std::size_t last_head(std::size_t begin, std::size_t end) const {
    if constexpr (is_cpu_offset_heads<heads_type>) return folds_.heads.last_head(begin, end);
    else return folds_.last_head(begin, end);
  }
  void check(std::size_t part, std::size_t parts) const {
    if constexpr (is_cpu_offset_heads<heads_type>) folds_.heads.check(part, parts);
  }

  folds_type folds_;
  segment_scans<Problem, size> scans_;
  std::size_t n_;
};

}  // namespace upsweep::scan::detail
