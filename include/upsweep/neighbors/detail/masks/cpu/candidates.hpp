// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/masks/cpu/hits.hpp>
#include <upsweep/neighbors/detail/masks/hit_masks.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

inline constexpr int cpu_slice = 512;                    ///< candidates that are gathered together
inline constexpr int cpu_chunk = 3 * cpu_slice;          ///< candidates that are tested together
inline constexpr int cpu_padded_chunk = cpu_chunk + 32;  ///< what whole vectors may touch

/// Words that `n` bits take.
constexpr int words_for(int n) { return (n + 31) / 32; }
inline constexpr int cpu_mask_words = cpu_group * words_for(cpu_padded_chunk);  ///< most words of a group and a chunk

/// gather(run, first place, length, candidates before it) for all runs, in slices, and finish(candidates) when the
/// next slice might not fit in a chunk, and at the end.
template <class Real, class Systems, class Gather, class Finish>
void for_each_chunk(binned_particles<Real, Systems> const& p, typename Systems::name system,
                    candidate_runs<Real> const& runs, Gather const& gather, Finish const& finish) {
  int fill = 0;
  runs.for_each(p.grid_of(system), p.candidates_of(system), [&](candidate_run const& run) {
    for (int k = run.begin; k < run.end; k += cpu_slice) {
      int const n = run.end - k < cpu_slice ? run.end - k : cpu_slice;
      if (fill + n > cpu_chunk) {
        finish(fill);
        fill = 0;
      }
      gather(run, k, n, fill);
      fill += n;
    }
  });
  if (fill > 0) finish(fill);
}

}  // namespace upsweep::neighbors::detail
