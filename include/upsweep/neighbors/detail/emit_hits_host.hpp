// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/host_candidates.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace upsweep::detail {

/// A thread a group: turns the bits that count_hits_host kept into rows.
template <class Real>
struct emit_hits_host {
  mask_pass<Real> pass;
  row_slots rows;
  host_hit_kernels<Real> const* kernels;

  void operator()(std::int64_t group) const {
    if (!pass.has(group)) return;
    auto const& p = pass.search.particles;
    state s;
    int const first = pass.groups[group], cell = pass.cell_of(first), end = pass.end_of_group(first, cell);
    for (int k = first; k < end; ++k)
      if (p.order[k] < p.rows) s.next[s.particles++] = rows.offsets[p.order[k]];
    if (s.particles == 0) return;
    s.words = pass.masks.of(group);
    for_each_chunk(
        p, cell, [&](candidate_run const& run, int k, int n, int fill) { add(run, k, n, fill, s); },
        [&](int n) { expand(n, s); });
  }

 private:
  struct state {
    int particles = 0;
    std::size_t next[host_group];  ///< where the rows go on
    std::uint32_t const* words;
    int index[host_room], piece[host_room];
    int shift[host_room];  ///< images, as the words that they are
  };
  static_assert(sizeof(image) == sizeof(int));

  void add(candidate_run const& run, int k, int n, int fill, state& s) const {
    auto const& p = pass.search.particles;
    if (p.first_candidate == 0) std::copy(p.order + k, p.order + k + n, s.index + fill);
    else std::transform(p.order + k, p.order + k + n, s.index + fill, [&](int j) { return j - p.first_candidate; });
    if (rows.images == nullptr) return;
    if (p.images != nullptr) {
      std::memcpy(s.shift + fill, p.images + k, sizeof(int) * static_cast<std::size_t>(n));
    } else {
      int word;
      std::memcpy(&word, &run.shift, sizeof word);
      std::fill_n(s.shift + fill, n, word);
    }
  }

  /// Appends to each row those of n gathered candidates whose bits are set.
  void expand(int n, state& s) const {
    for (int i = 0; i < s.particles; ++i, s.words += words_for(n)) {
      int const found = kernels->select(s.index, s.words, n, s.piece);
      std::copy(s.piece, s.piece + found, rows.neighbors + s.next[i]);
      if (rows.images != nullptr) {
        kernels->select(s.shift, s.words, n, s.piece);
        std::memcpy(static_cast<void*>(rows.images + s.next[i]), s.piece, sizeof(int) * static_cast<std::size_t>(found));
      }
      s.next[i] += static_cast<std::size_t>(found);
    }
  }
};

}  // namespace upsweep::detail
