// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/host_candidates.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

/// A thread a group: counts the neighbours of each particle and keeps the hits. Candidates near the group are gathered side by
/// side, so that every particle runs over them in vectors.
///
/// Words of a group: for each slice of its runs which ones are candidates; then for each chunk of candidates the words of the
/// first particle, the second, and so on.
template <class Real>
struct count_hits_host {
  mask_pass<Real> pass;
  row_counts rows;
  bool keep;
  host_hit_kernels<Real> const* kernels;

  void operator()(std::int64_t group) const {
    if (!pass.has(group)) return;
    state s;
    gather(group, s);
    if (s.particles == 0) return;
    auto const& p = pass.search.particles;
    if (keep) {
      host_mask_size size;
      for_each_slice(p, s.cell, [&](candidate_run const&, int, int n) { size.add(n); });
      s.sifted = pass.masks.take(group, size.words(s.particles));
      s.words = s.sifted == nullptr ? nullptr : s.sifted + size.sifted;
    }
    for_each_slice(p, s.cell, [&](candidate_run const& run, int k, int n) { sift(run, k, n, s); });
    if (s.fill > 0) test(s);
    report(s);
  }

 private:
  struct state {
    int particles = 0, cell = 0;
    int index[host_group], place[host_group], self[host_group];
    std::size_t count[host_group];
    Real lo[3], hi[3];
    std::uint32_t* sifted = nullptr;  ///< null when masks are not kept
    std::uint32_t* words = nullptr;
    int fill = 0;
    bool shifted = false;
    Real x[host_room], y[host_room], z[host_room], sx[host_room], sy[host_room], sz[host_room];
    int candidate[host_room];  ///< place and image, where rules ask for them
    image shift[host_room];
  };

  void gather(std::int64_t group, state& s) const {
    auto const& p = pass.search.particles;
    int const first = pass.groups[group];
    s.cell = pass.cell_of(first);
    int const end = pass.end_of_group(first, s.cell);
    for (int k = first; k < end; ++k) {
      if (p.order[k] >= p.rows) continue;
      Real const at[3] = {p.x[k], p.y[k], p.z[k]};
      for (int d = 0; d < 3; ++d) {
        s.lo[d] = s.particles == 0 ? at[d] : std::min(s.lo[d], at[d]);
        s.hi[d] = s.particles == 0 ? at[d] : std::max(s.hi[d], at[d]);
      }
      s.index[s.particles] = p.order[k];
      s.place[s.particles] = k;
      s.self[s.particles] = -1;
      s.count[s.particles++] = 0;
    }
  }

  /// Appends the candidates among n particles of a run.
  void sift(candidate_run const& run, int k, int n, state& s) const {
    auto const& p = pass.search.particles;
    std::uint32_t words[words_for(host_slice)];
    auto const shift = p.limits.shift(run.shift);
    if (p.images == nullptr) kernels->near(p.x + k, p.y + k, p.z + k, n, &shift[0], s.lo, s.hi, p.grid.near_squared, words);
    else sift_imaged(k, n, s, words);
    if (p.first_candidate > 0) drop_queries(k, n, words);
    if (s.sifted != nullptr) s.sifted = std::copy(words, words + words_for(n), s.sifted);
    int const found = count_bits(words, n);
    if (found == 0) return;
    if (s.fill + found > host_chunk) test(s);
    for (int i = 0; i < s.particles; ++i) {
      int const at = s.place[i] - k;
      if (at >= 0 && at < n && p.image_of(run, s.place[i]) == image(0, 0, 0)) s.self[i] = s.fill + count_bits(words, at);
    }
    kernels->select(p.x + k, words, n, s.x + s.fill);
    kernels->select(p.y + k, words, n, s.y + s.fill);
    kernels->select(p.z + k, words, n, s.z + s.fill);
    if (p.images != nullptr || !(run.shift == image(0, 0, 0))) add_shifts(run, k, n, words, s);
    else if (s.shifted) fill_shifts(s, s.fill, s.fill + found, Real(0), Real(0), Real(0));
    if (pass.search.rules.any()) add_candidates(run, k, n, words, s);
    s.fill += found;
  }

  /// The same test as kernels->near where each particle has an image of its own.
  void sift_imaged(int k, int n, state const& s, std::uint32_t* words) const {
    auto const& p = pass.search.particles;
    std::fill(words, words + words_for(n), 0u);
    for (int c = 0; c < n; ++c) {
      auto const shift = p.limits.shift(p.images[k + c]);
      Real const at[3] = {p.x[k + c] + shift[0], p.y[k + c] + shift[1], p.z[k + c] + shift[2]};
      Real sum = 0;
      for (int d = 0; d < 3; ++d) {
        Real const out = std::max(std::max(s.lo[d] - at[d], at[d] - s.hi[d]), Real(0));
        sum += out * out;
      }
      words[c / 32] |= static_cast<std::uint32_t>(sum <= p.grid.near_squared) << c % 32;
    }
  }

  void drop_queries(int k, int n, std::uint32_t* words) const {
    auto const& p = pass.search.particles;
    for_each_bit(words, n, [&](int c) {
      if (p.order[k + c] < p.first_candidate) words[c / 32] &= ~(std::uint32_t(1) << c % 32);
    });
  }

  void add_shifts(candidate_run const& run, int k, int n, std::uint32_t const* words, state& s) const {
    auto const& p = pass.search.particles;
    if (!s.shifted) fill_shifts(s, 0, s.fill, Real(0), Real(0), Real(0));
    s.shifted = true;
    int at = s.fill;
    for_each_bit(words, n, [&](int c) {
      auto const shift = p.limits.shift(p.image_of(run, k + c));
      fill_shifts(s, at, at + 1, shift[0], shift[1], shift[2]);
      ++at;
    });
  }
  static void fill_shifts(state& s, int first, int last, Real x, Real y, Real z) {
    std::fill(s.sx + first, s.sx + last, x);
    std::fill(s.sy + first, s.sy + last, y);
    std::fill(s.sz + first, s.sz + last, z);
  }

  void add_candidates(candidate_run const& run, int k, int n, std::uint32_t const* words, state& s) const {
    int at = s.fill;
    for_each_bit(words, n, [&](int c) {
      s.candidate[at] = k + c;
      s.shift[at++] = pass.search.particles.image_of(run, k + c);
    });
  }

  template <class Body>
  static void for_each_bit(std::uint32_t const* words, int n, Body const& body) {
    for (int w = 0; w < words_for(n); ++w)
      for (std::uint32_t bits = words[w]; bits != 0; bits &= bits - 1) body(32 * w + std::countr_zero(bits));
  }

  /// Tests all gathered candidates against the group.
  void test(state& s) const {
    auto const& p = pass.search.particles;
    std::uint32_t unkept[words_for(host_room)];
    int const n = words_for(s.fill);
    for (int i = 0; i < s.particles; ++i) {
      std::uint32_t* const words = s.words == nullptr ? unkept : s.words + static_cast<std::ptrdiff_t>(i) * n;
      Real const at[3] = {p.x[s.place[i]], p.y[s.place[i]], p.z[s.place[i]]};
      int hits = kernels->within(s.x, s.y, s.z, s.shifted ? s.sx : nullptr, s.sy, s.sz, s.fill, at, p.cutoff_squared, words);
      if (s.self[i] >= 0) {
        words[s.self[i] / 32] &= ~(std::uint32_t(1) << s.self[i] % 32);
        --hits;
        s.self[i] = -1;
      }
      if (pass.search.rules.any()) hits = keep_ruled(i, at, s, words);
      s.count[i] += static_cast<std::size_t>(hits);
    }
    if (s.words != nullptr) s.words += static_cast<std::ptrdiff_t>(s.particles) * n;
    s.fill = 0;
    s.shifted = false;
  }

  int keep_ruled(int i, Real const (&at)[3], state const& s, std::uint32_t* words) const {
    auto const& p = pass.search.particles;
    int hits = 0;
    for_each_bit(words, s.fill, [&](int c) {
      Real dx = s.x[c] - at[0], dy = s.y[c] - at[1], dz = s.z[c] - at[2];
      if (s.shifted) dx += s.sx[c], dy += s.sy[c], dz += s.sz[c];
      if (pass.search.rules(s.index[i], p.order[s.candidate[c]], s.shift[c], p.length_squared(dx, dy, dz))) ++hits;
      else words[c / 32] &= ~(std::uint32_t(1) << c % 32);
    });
    return hits;
  }

  void report(state const& s) const {
    if (rows.counts == nullptr) return;
    std::uint64_t most = 0;
    for (int i = 0; i < s.particles; ++i) {
      rows.counts[s.index[i]] = s.count[i];
      most = std::max<std::uint64_t>(most, s.count[i]);
    }
    if (most > Kokkos::atomic_load(rows.largest)) Kokkos::atomic_max(rows.largest, most);
  }
};

}  // namespace upsweep::detail
