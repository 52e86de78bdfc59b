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
    host_mask_size size;
    for_each_slice(p, cell, [&](candidate_run const&, int, int n) { size.add(n); });
    std::uint32_t const* sifted = pass.masks.of(group);
    s.words = sifted + size.sifted;
    for_each_slice(p, cell, [&](candidate_run const& run, int k, int n) {
      int const found = count_bits(sifted, n);
      if (s.fill + found > host_chunk) expand(s);
      add(run, k, n, sifted, found, s);
      sifted += words_for(n);
    });
    if (s.fill > 0) expand(s);
  }

 private:
  struct state {
    int particles = 0;
    std::size_t next[host_group];  ///< where the rows go on
    std::uint32_t const* words;
    int fill = 0;
    int index[host_room], piece[host_room];
    int shift[host_room];  ///< images, as the words that they are
  };
  static_assert(sizeof(image) == sizeof(int));

  void add(candidate_run const& run, int k, int n, std::uint32_t const* words, int found, state& s) const {
    auto const& p = pass.search.particles;
    int* const index = s.index + s.fill;
    kernels->select_indices(p.order + k, words, n, index);
    if (p.first_candidate > 0) std::transform(index, index + found, index, [&](int j) { return j - p.first_candidate; });
    if (rows.images != nullptr) {
      if (p.images != nullptr) {
        kernels->select_indices(reinterpret_cast<int const*>(p.images + k), words, n, s.shift + s.fill);
      } else {
        int word;
        std::memcpy(&word, &run.shift, sizeof word);
        std::fill(s.shift + s.fill, s.shift + s.fill + found, word);
      }
    }
    s.fill += found;
  }

  /// Appends to each row the gathered candidates whose bits are set.
  void expand(state& s) const {
    int const n = words_for(s.fill);
    for (int i = 0; i < s.particles; ++i, s.words += n) {
      int const found = kernels->select_indices(s.index, s.words, s.fill, s.piece);
      std::copy(s.piece, s.piece + found, rows.neighbors + s.next[i]);
      if (rows.images != nullptr) {
        kernels->select_indices(s.shift, s.words, s.fill, s.piece);
        std::memcpy(static_cast<void*>(rows.images + s.next[i]), s.piece, sizeof(int) * static_cast<std::size_t>(found));
      }
      s.next[i] += static_cast<std::size_t>(found);
    }
    s.fill = 0;
  }
};

}  // namespace upsweep::detail
