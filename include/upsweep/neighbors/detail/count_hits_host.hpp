// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/host_candidates.hpp>
#include <upsweep/neighbors/detail/near_distance.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace upsweep::detail {

/// A thread a block of groups: counts the neighbours of each particle and keeps the hits. The candidates are gathered side by side in
/// single precision, so that every particle runs over them in vectors; the few pairs that this cannot decide
/// (near_distance.hpp) are computed as the plain builder does. (Leaving out candidates that are far from the group first, as
/// GPUs do, took as long as it saved.)
template <class Real>
struct count_hits_host {
  mask_pass<Real> pass;
  row_counts rows;
  bool keep;
  host_hit_kernels<Real> const* kernels;
  int places;  ///< of all particles

  static constexpr int block = 16;

  static count_hits_host make(mask_pass<Real> const& pass, row_counts const& rows, bool keep) {
    return {pass, rows, keep, &host_hits<Real>(), pass.search.particles.places()};
  }

  void operator()(std::int64_t b) const {
    std::int64_t const first = pass.first_group + b * block;
    std::uint64_t wanted[block] = {}, all = 0;
    int groups = 0;
    for (; groups < block && pass.has(first + groups); ++groups) {
      if (keep) all += wanted[groups] = words_of(first + groups);
    }
    // One reservation for all: a locked instruction waits for the stores before it.
    std::uint64_t at = keep && all > 0 ? pass.masks.reserve(all) : 0;
    for (int g = 0; g < groups; at += wanted[g++]) count(first + g, keep ? pass.masks.give(first + g, at, wanted[g]) : nullptr);
  }

 private:
  /// Candidates of one run and image that stand side by side.
  struct piece {
    int first, place;
    image shift;
    Real by[3];  ///< the shift's displacement
  };

  struct state {
    int cell = 0;
    int index[host_group], place[host_group], self[host_group];
    std::size_t count[host_group];
    float squared[host_group];       ///< distance from the origin
    near_particles group;
    Real origin[3];
    double reach = 0;                ///< the longest of the group's distances from the origin
    std::uint32_t* words = nullptr;  ///< null when masks are not kept
    alignas(64) float x[host_room], y[host_room], z[host_room], candidate_squared[host_room];
    double most_shift = 0;           ///< of the chunk's candidates
    int pieces = 0;
    piece of[host_chunk];
  };

  void count(std::int64_t group, std::uint32_t* words) const {
    state s;
    gather(group, s);
    if (s.group.count == 0) return;
    s.words = words;
    for_each_chunk(
        pass.search.particles, s.cell, [&](candidate_run const& run, int k, int n, int fill) { add(run, k, n, fill, s); },
        [&](int n) { test(n, s); });
    report(s);
  }

  bool ruled() const { return pass.search.rules.any() || pass.search.particles.first_candidate > 0; }

  void gather(std::int64_t group, state& s) const {
    auto const& p = pass.search.particles;
    int const first = pass.groups[group];
    s.cell = pass.cell_of(first);
    int const end = pass.end_of_group(first, s.cell);
    fetch_later(group, first, end);
    for (int d = 0; d < 3; ++d) s.origin[d] = (d == 0 ? p.x : d == 1 ? p.y : p.z)[first];
    // The group's own particles, first where candidates will be.
    Real const unshifted[3] = {0, 0, 0};
    near_candidates const own{s.x, s.y, s.z, s.candidate_squared};
    kernels->relate({p.x + first, p.y + first, p.z + first, places - first}, end - first, s.origin, unshifted, own);
    int n = 0;
    float most = 0;
    for (int k = first; k < end; ++k) {
      if (p.order[k] >= p.rows) continue;
      s.index[n] = p.order[k];
      s.place[n] = k;
      s.self[n] = -1;
      s.count[n] = 0;
      s.group.x[n] = -2 * own.x[k - first];
      s.group.y[n] = -2 * own.y[k - first];
      s.group.z[n] = -2 * own.z[k - first];
      s.squared[n] = own.squared[k - first];
      most = std::max(most, s.squared[n++]);
    }
    s.group.count = n;
    s.reach = std::sqrt(double(most));
  }

  /// What later groups need in memory in the particles' own order.
  void fetch_later(std::int64_t group, int first, int end) const {
    auto const& p = pass.search.particles;
    if (pass.has(group + 4)) __builtin_prefetch(p.cell_of + p.order[pass.groups[group + 4]]);
    if (rows.counts == nullptr) return;
    int const last = std::min(end + 32, places);
    for (int k = first + 32; k < last; ++k)
      if (p.order[k] < p.rows) __builtin_prefetch(rows.counts + p.order[k], 1);
  }

  /// Words of a group: for each chunk of candidates those of the first particle, of the second, and so on.
  std::uint64_t words_of(std::int64_t group) const {
    auto const& p = pass.search.particles;
    int const first = pass.groups[group], cell = pass.cell_of(first), end = pass.end_of_group(first, cell);
    std::uint64_t particles = 0, words = 0;
    for (int k = first; k < end; ++k) particles += p.order[k] < p.rows ? 1 : 0;
    for_each_chunk(
        p, cell, [](candidate_run const&, int, int, int) {},
        [&](int n) { words += static_cast<std::uint64_t>(words_for(n)); });
    return particles * words;
  }

  /// Gathers n particles of a run behind `fill` others.
  void add(candidate_run const& run, int k, int n, int fill, state& s) const {
    auto const& p = pass.search.particles;
    if (p.images == nullptr) {
      relate(run.shift, k, n, fill, s);
    } else {
      for (int c = 0, next; c < n; c = next) {
        for (next = c + 1; next < n && p.images[k + next] == p.images[k + c];) ++next;
        relate(p.images[k + c], k + c, next - c, fill + c, s);
      }
    }
    bool const own_cell = k <= s.place[s.group.count - 1] && s.place[0] < k + n;
    for (int i = 0; own_cell && i < s.group.count; ++i) {
      int const at = s.place[i] - k;
      if (at >= 0 && at < n && p.image_of(run, s.place[i]) == image(0, 0, 0)) s.self[i] = fill + at;
    }
  }

  /// Gathers n particles of one image.
  void relate(image shift, int k, int n, int fill, state& s) const {
    auto const& p = pass.search.particles;
    piece& now = s.of[s.pieces++];
    now = {fill, k, shift, {0, 0, 0}};
    auto& by = now.by;
    if (!(shift == image(0, 0, 0))) {
      auto const v = p.limits.shift(shift);
      for (int d = 0; d < 3; ++d) by[d] = v[d];
      s.most_shift = std::max(s.most_shift, std::hypot(double(by[0]), double(by[1]), double(by[2])));
    }
    kernels->relate({p.x + k, p.y + k, p.z + k, places - k}, n, s.origin, by,
                    {s.x + fill, s.y + fill, s.z + fill, s.candidate_squared + fill});
  }

  /// Tests the n gathered candidates against the group.
  void test(int n, state& s) const {
    // Words are counted and mended here, in the nearest cache, before they go to memory.
    std::uint32_t found[host_group * words_for(host_room)], perhaps[host_group * words_for(host_room)];
    int const each = words_for(n);
    std::uint32_t* words = found;
    int hits[host_group];
    std::uint64_t doubts = test_near(n, s, words, perhaps, hits);
    for (int i = 0; i < s.group.count; ++i, words += each) {
      if (doubts >> i & 1) hits[i] += settle(i, n, s, words, perhaps + i * each);
      if (s.self[i] >= 0) {
        words[s.self[i] / 32] &= ~(std::uint32_t(1) << s.self[i] % 32);
        --hits[i];
        s.self[i] = -1;
      }
      if (ruled()) hits[i] = keep_ruled(i, n, s, words);
      s.count[i] += static_cast<std::size_t>(hits[i]);
    }
    if (s.words != nullptr) s.words = std::copy(found, words, s.words);
    s.pieces = 0;
    s.most_shift = 0;
  }

  /// The test in single precision; returns the particles with pairs that it leaves open.
  std::uint64_t test_near(int n, state& s, std::uint32_t* words, std::uint32_t* perhaps, int* hits) const {
    int const whole = 32 * words_for(n);
    for (int c = n; c < whole; ++c) s.x[c] = s.y[c] = s.z[c] = s.candidate_squared[c] = 0;
    double const squared = pass.search.particles.cutoff_squared, most = kernels->largest(s.candidate_squared, whole);
    near_extent const extent{1.000001 * (s.reach + std::sqrt(most)), s.most_shift, squared};
    if (!fits_in_floats(extent)) return leave_open(n, s.group.count, words, perhaps, hits);
    double const doubt = distance_doubt<Real>(extent);
    for (int i = 0; i < s.group.count; ++i) {
      s.group.sure[i] = static_cast<float>(squared - s.squared[i] - doubt);
      s.group.perhaps[i] = static_cast<float>(squared - s.squared[i] + doubt);
    }
    for (int c = n; c < whole; ++c) s.candidate_squared[c] = std::numeric_limits<float>::infinity();
    return kernels->test({s.x, s.y, s.z, s.candidate_squared}, whole, s.group, words, perhaps, hits);
  }
  static std::uint64_t leave_open(int n, int particles, std::uint32_t* words, std::uint32_t* perhaps, int* hits) {
    int const each = words_for(n);
    std::fill_n(hits, particles, 0);
    std::fill_n(words, particles * each, 0u);
    std::fill_n(perhaps, particles * each, ~0u);
    for (int i = 0; n % 32 != 0 && i < particles; ++i) perhaps[(i + 1) * each - 1] = (std::uint32_t(1) << n % 32) - 1;
    return ~std::uint64_t(0);
  }

  /// visit(word, bit, place, image, squared distance) for the candidates of particle i that `words` name.
  template <class Words, class Visitor>
  void visit(int i, int n, state const& s, Words const& words, Visitor const& visitor) const {
    auto const& p = pass.search.particles;
    Real const xi = p.x[s.place[i]], yi = p.y[s.place[i]], zi = p.z[s.place[i]];
    int of = 0;
    for (int w = 0; w < words_for(n); ++w)
      for (std::uint32_t bits = words(w); bits != 0; bits &= bits - 1) {
        int const c = 32 * w + std::countr_zero(bits);
        while (of + 1 < s.pieces && s.of[of + 1].first <= c) ++of;
        piece const& in = s.of[of];
        int const k = in.place + c - in.first;
        visitor(w, bits & -bits, k, in.shift,
                p.length_squared((p.x[k] - xi) + in.by[0], (p.y[k] - yi) + in.by[1], (p.z[k] - zi) + in.by[2]));
      }
  }

  /// Decides the pairs of particle i that are open; returns the number of hits among them.
  int settle(int i, int n, state const& s, std::uint32_t* words, std::uint32_t const* perhaps) const {
    int hits = 0;
    visit(i, n, s, [&](int w) { return words[w] ^ perhaps[w]; }, [&](int w, std::uint32_t bit, int, image, Real squared) {
      // No branch: who is in doubt is hard to foretell.
      bool const hit = squared <= pass.search.particles.cutoff_squared;
      words[w] |= hit ? bit : 0;
      hits += hit ? 1 : 0;
    });
    return hits;
  }

  /// Leaves the hits of particle i that the rules allow; returns their number.
  int keep_ruled(int i, int n, state const& s, std::uint32_t* words) const {
    auto const& p = pass.search.particles;
    int hits = 0;
    visit(i, n, s, [&](int w) { return words[w]; }, [&](int w, std::uint32_t bit, int k, image shift, Real squared) {
      if (int const j = p.order[k]; j >= p.first_candidate && pass.search.rules(s.index[i], j, shift, squared)) ++hits;
      else words[w] &= ~bit;
    });
    return hits;
  }

  void report(state const& s) const {
    if (rows.counts == nullptr) return;
    std::uint64_t most = 0;
    for (int i = 0; i < s.group.count; ++i) {
      rows.counts[s.index[i]] = s.count[i];
      most = std::max<std::uint64_t>(most, s.count[i]);
    }
    if (most > Kokkos::atomic_load(rows.largest)) Kokkos::atomic_max(rows.largest, most);
  }
};

}  // namespace upsweep::detail
