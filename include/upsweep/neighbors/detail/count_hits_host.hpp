// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/host_candidates.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

/// A thread a group: counts the neighbours of each particle and keeps the hits. The candidates are gathered side by side, so
/// that every particle runs over them in vectors. (Leaving out those that are far from the group first, as GPUs do, took as
/// long as it saved.)
///
/// Words of a group: for each chunk of candidates those of the first particle, of the second, and so on.
template <class Real>
struct count_hits_host {
  mask_pass<Real> pass;
  row_counts rows;
  bool keep;
  host_hit_kernels<Real> const* kernels;

  void operator()(std::int64_t group) const {
    if (!pass.has(group)) return;
    auto const& p = pass.search.particles;
    state s;
    gather(group, s);
    if (s.particles == 0) return;
    if (keep) s.words = pass.masks.take(group, words_of_chunks(s.cell) * static_cast<std::uint64_t>(s.particles));
    for_each_chunk(
        p, s.cell, [&](candidate_run const& run, int k, int n, int fill) { add(run, k, n, fill, s); },
        [&](int n) { test(n, s); });
    report(s);
  }

 private:
  struct state {
    int particles = 0, cell = 0;
    int index[host_group], place[host_group], self[host_group];
    std::size_t count[host_group];
    std::uint32_t* words = nullptr;  ///< null when masks are not kept
    bool shifted = false;
    Real x[host_room], y[host_room], z[host_room], sx[host_room], sy[host_room], sz[host_room];
    int candidate[host_room];  ///< place and image, where rules ask for them
    image shift[host_room];
  };

  bool ruled() const { return pass.search.rules.any() || pass.search.particles.first_candidate > 0; }

  void gather(std::int64_t group, state& s) const {
    auto const& p = pass.search.particles;
    int const first = pass.groups[group];
    s.cell = pass.cell_of(first);
    int const end = pass.end_of_group(first, s.cell);
    for (int k = first; k < end; ++k) {
      if (p.order[k] >= p.rows) continue;
      s.index[s.particles] = p.order[k];
      s.place[s.particles] = k;
      s.self[s.particles] = -1;
      s.count[s.particles++] = 0;
    }
  }

  std::uint64_t words_of_chunks(int cell) const {
    std::uint64_t words = 0;
    for_each_chunk(
        pass.search.particles, cell, [](candidate_run const&, int, int, int) {},
        [&](int n) { words += static_cast<std::uint64_t>(words_for(n)); });
    return words;
  }

  /// Gathers n particles of a run behind `fill` others.
  void add(candidate_run const& run, int k, int n, int fill, state& s) const {
    auto const& p = pass.search.particles;
    std::copy(p.x + k, p.x + k + n, s.x + fill);
    std::copy(p.y + k, p.y + k + n, s.y + fill);
    std::copy(p.z + k, p.z + k + n, s.z + fill);
    if (p.images != nullptr) {
      start_shifts(fill, s);
      for (int c = 0; c < n; ++c) set_shifts(fill + c, 1, p.limits.shift(p.images[k + c]), s);
    } else if (!(run.shift == image(0, 0, 0))) {
      start_shifts(fill, s);
      set_shifts(fill, n, p.limits.shift(run.shift), s);
    } else if (s.shifted) {
      set_shifts(fill, n, {Real(0), Real(0), Real(0)}, s);
    }
    bool const own_cell = k <= s.place[s.particles - 1] && s.place[0] < k + n;
    for (int i = 0; own_cell && i < s.particles; ++i) {
      int const at = s.place[i] - k;
      if (at >= 0 && at < n && p.image_of(run, s.place[i]) == image(0, 0, 0)) s.self[i] = fill + at;
    }
    if (!ruled()) return;
    for (int c = 0; c < n; ++c) {
      s.candidate[fill + c] = k + c;
      s.shift[fill + c] = p.image_of(run, k + c);
    }
  }

  /// Candidates before the first shifted one of a chunk are shifted by nothing.
  static void start_shifts(int fill, state& s) {
    if (!s.shifted) set_shifts(0, fill, {Real(0), Real(0), Real(0)}, s);
    s.shifted = true;
  }
  static void set_shifts(int first, int n, typename box<Real>::vector const& shift, state& s) {
    std::fill_n(s.sx + first, n, shift[0]);
    std::fill_n(s.sy + first, n, shift[1]);
    std::fill_n(s.sz + first, n, shift[2]);
  }

  /// Tests the n gathered candidates against the group.
  void test(int n, state& s) const {
    auto const& p = pass.search.particles;
    std::uint32_t unkept[words_for(host_room)];
    for (int i = 0; i < s.particles; ++i) {
      std::uint32_t* const words = s.words == nullptr ? unkept : s.words;
      if (s.words != nullptr) s.words += words_for(n);
      Real const at[3] = {p.x[s.place[i]], p.y[s.place[i]], p.z[s.place[i]]};
      int hits = kernels->within(s.x, s.y, s.z, s.shifted ? s.sx : nullptr, s.sy, s.sz, n, at, p.cutoff_squared, words);
      if (s.self[i] >= 0) {
        words[s.self[i] / 32] &= ~(std::uint32_t(1) << s.self[i] % 32);
        --hits;
        s.self[i] = -1;
      }
      if (ruled()) hits = keep_ruled(i, at, n, s, words);
      s.count[i] += static_cast<std::size_t>(hits);
    }
    s.shifted = false;
  }

  int keep_ruled(int i, Real const (&at)[3], int n, state const& s, std::uint32_t* words) const {
    auto const& p = pass.search.particles;
    int hits = 0;
    for (int w = 0; w < words_for(n); ++w)
      for (std::uint32_t bits = words[w]; bits != 0; bits &= bits - 1) {
        int const c = 32 * w + std::countr_zero(bits), j = p.order[s.candidate[c]];
        Real dx = s.x[c] - at[0], dy = s.y[c] - at[1], dz = s.z[c] - at[2];
        if (s.shifted) dx += s.sx[c], dy += s.sy[c], dz += s.sz[c];
        if (j >= p.first_candidate && pass.search.rules(s.index[i], j, s.shift[c], p.length_squared(dx, dy, dz))) ++hits;
        else words[w] &= ~(std::uint32_t(1) << c % 32);
      }
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
