// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/masks/hit_masks.hpp>
#include <upsweep/neighbors/detail/masks/hits.hpp>

#include <algorithm>
#include <cstdint>

namespace upsweep::neighbors::detail {

inline constexpr int cpu_slice = 512;                    ///< candidates that are gathered together
inline constexpr int cpu_chunk = 3 * cpu_slice;          ///< candidates that are tested together
inline constexpr int cpu_padded_chunk = cpu_chunk + 32;  ///< what whole vectors may touch

/// Words that `n` bits take.
constexpr int words_for(int n) { return (n + 31) / 32; }
inline constexpr int cpu_mask_words = cpu_group * words_for(cpu_padded_chunk);  ///< most words of a group and a chunk

/// gather(run, first place, length, candidates before it) for all runs of a group's neighbourhood, in slices, and
/// finish(candidates) when the next slice might not fit in a chunk, and at the end. Also where neighbours in the next
/// grid are so much nearer that single precision would leave most of them undecided beside those that are far.
template <class Real, class Systems, class Gather, class Finish>
void for_each_chunk(binned_particles<Real, Systems> const& p, group_cells<Systems> const& cells, Gather const& gather,
                    Finish const& finish) {
  constexpr Real much_nearer = 1024;  // squared
  int fill = 0;
  Real farthest = 0;
  auto const flush = [&] {
    if (fill > 0) finish(fill);
    fill = 0;
    farthest = 0;
  };
  for (int g = 0; g < p.grids_of(cells.system); ++g) {
    auto const in = p.candidates_in(g, cells);
    if (in.near_squared * much_nearer < farthest) flush();
    in.for_each([&](candidate_run const& run) {
      for (int k = run.begin; k < run.end; k += cpu_slice) {
        int const n = run.end - k < cpu_slice ? run.end - k : cpu_slice;
        if (fill + n > cpu_chunk) flush();
        gather(run, k, n, fill);
        fill += n;
        farthest = std::max(farthest, in.near_squared);
      }
    });
  }
  flush();
}

}  // namespace upsweep::neighbors::detail
