// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/hit_masks.hpp>
#include <upsweep/neighbors/detail/host_hits.hpp>

#include <bit>
#include <cstdint>

namespace upsweep::detail {

inline constexpr int host_group = 64;                ///< most particles of a group
inline constexpr int host_slice = 512;               ///< candidates that are sifted together; a multiple of 32
inline constexpr int host_chunk = 3 * host_slice;    ///< candidates that are tested together
inline constexpr int host_room = host_chunk + 32;    ///< what whole vectors may touch

/// Words that `n` bits take.
constexpr int words_for(int n) { return (n + 31) / 32; }

/// Bits that are set in the first `n`.
inline int count_bits(std::uint32_t const* words, int n) {
  int sum = 0;
  for (int w = 0; w < n / 32; ++w) sum += std::popcount(words[w]);
  if (n % 32 != 0) sum += std::popcount(words[n / 32] & ((std::uint32_t(1) << n % 32) - 1));
  return sum;
}

/// body(run, first place, length) for all runs of a cell, in slices.
template <class Real, class Body>
void for_each_slice(binned_particles<Real> const& p, int cell, Body const& body) {
  candidate_runs<Real> const runs(p.grid, cell);
  for (int r = 0; r < runs.count(); ++r) {
    candidate_run const run = runs(p.grid, p.starts, r);
    for (int k = run.begin; k < run.end; k += host_slice) body(run, k, run.end - k < host_slice ? run.end - k : host_slice);
  }
}

/// Words that the masks of a group may take: for each slice which ones are candidates, and for each particle its hits. A chunk
/// is closed when the next slice might not fit, so chunks are at least two slices long, but for the last.
struct host_mask_size {
  std::uint64_t sifted = 0, candidates = 0;
  void add(int n) {
    sifted += static_cast<std::uint64_t>(words_for(n));
    candidates += static_cast<std::uint64_t>(n);
  }
  std::uint64_t words(int particles) const {
    return sifted + (candidates / 32 + candidates / (host_chunk - host_slice) + 2) * static_cast<std::uint64_t>(particles);
  }
};

}  // namespace upsweep::detail
