// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "candidate_names.hpp"
#include "candidates.hpp"
#include "filter_group.hpp"
#include "id_rules.hpp"
#include "keep_nearest_cpu.hpp"

#include <upsweep/neighbors/detail/masks/cpu/mask_kernels.hpp>
#include <upsweep/neighbors/detail/pairs/pair_visitor.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// One thread per block of groups: counts the neighbours of each particle and keeps the hits. The candidates are
/// gathered side by side in single precision, so that every particle runs over them in vectors; the few pairs that this
/// cannot decide (distance_filter.hpp) are computed as the plain builder does. (Leaving out candidates that are far
/// from the group first, as GPUs do, took as long as it saved.)
///
/// Visitor: for_each_pair's pair_callback. It gets the hits of a chunk of candidates, particle after particle, while
/// these are in the nearest cache.
template <class Real, class Systems, class Visitor = no_visitor>
struct count_hits_cpu {
  mask_pass<Real, Systems> pass;
  row_counts rows;
  bool keep;
  cpu_hit_kernels<Real> const* kernels;
  Visitor visitor;

  static constexpr int block = cpu_mask_kernels<Real, Systems>::block;

  static count_hits_cpu make(mask_pass<Real, Systems> const& pass, row_counts const& rows, bool keep,
                             Visitor const& visitor = {}) {
    return {pass, rows, keep, &cpu_hits<Real>(), visitor};
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
    for (int g = 0; g < groups; at += wanted[g++])
      count(first + g, keep ? pass.masks.give(first + g, at, wanted[g]) : nullptr);
  }

 private:
  static constexpr bool visits = visits_pairs<Visitor>;

  struct group_work {
    filter_group<Real, Systems> near;
    id_rules<Real> ids;
    bool own_images = false;  ///< particles may be neighbours of their own images, and a rule asks
    std::uint32_t* words;     ///< null when masks are not kept
    int self[cpu_group];      ///< the candidate that a particle is itself, or -1
    std::size_t count[cpu_group];
    candidate_names<visits> names;  ///< of what the visitor gets

    // Not an aggregate, whose initialisation would clear all of it.
    group_work(neighbor_search<Real, Systems> const& search, cpu_hit_kernels<Real> const& kernels,
               std::uint32_t* memory)
        : near(search, kernels), ids(search.rules, kernels), words(memory) {
      std::fill_n(self, cpu_group, -1);
      std::fill_n(count, cpu_group, std::size_t(0));
    }
  };

  /// Words of a group: for each chunk of candidates those of the first particle, of the second, and so on.
  std::uint64_t words_of(std::int64_t group) const {
    auto const& p = pass.search.particles;
    int const first = pass.groups[group], end = pass.groups[group + 1];
    std::uint64_t particles = 0, words = 0;
    for (int k = first; k < end; ++k) particles += p.order[k] < p.rows ? 1 : 0;
    if (particles == 0) return 0;  // ghosts
    for_each_chunk(
        p, pass.cells_of(first, end), [](candidate_run const&, int, int, int) {},
        [&](int n) { words += static_cast<std::uint64_t>(words_for(n)); });
    return particles * words;
  }

  void count(std::int64_t group, std::uint32_t* words) const {
    auto const& p = pass.search.particles;
    int const first = pass.groups[group], end = pass.groups[group + 1];
    group_work s(pass.search, *kernels, words);
    prefetch_later_groups(group, first, end, s);
    auto const cells = pass.cells_of(first, end);
    s.near.start(cells.system, first, end);
    if (s.near.size() == 0) return;
    s.ids.start(first, end);
    s.own_images = pass.search.rules.half && reaches_own_images(p.box_of(cells.system));
    for_each_chunk(
        p, cells, [&](candidate_run const& run, int k, int n, int fill) { add(run, k, n, fill, s); },
        [&](int n) { test(n, s); });
    if (*std::max_element(s.count, s.count + s.near.size()) > pass.search.rules.most_in_row) {
      if (words != nullptr) keep_nearest_cpu(pass, cells, s.near, *kernels, words, s.count);
      for (int i = 0; i < s.near.size(); ++i) s.count[i] = std::min(s.count[i], pass.search.rules.most_in_row);
    }
    report(s);
  }

  /// Whether some particle may be a neighbour of its own images.
  bool reaches_own_images(box<Real> const& sim_box) const {
    auto const& p = pass.search.particles;
    double const near = 1.001 * std::sqrt(double(p.cutoff_squared));
    bool reaches = false;
    for (int d = 0; d < 3; ++d)  // callers may make images in open directions, too
      reaches = reaches || ((sim_box.periodic(d) || p.images != nullptr) &&
                            double(sim_box.length(d)) / stretch(sim_box, d) <= near);
    return reaches;
  }

  /// What later groups need in memory in the particles' own order.
  void prefetch_later_groups(std::int64_t group, int first, int end, group_work const& s) const {
    auto const& p = pass.search.particles;
    auto const later = [&](int place, int by) { return std::min(place + by, p.places); };
    s.ids.prefetch(p.rows, later(first, 64), later(end, 64), later(first, 32), later(end, 32));
    if (pass.has(group + 4)) compat::prefetch_read(p.cell_of + p.order[pass.groups[group + 4]]);
    if (rows.counts == nullptr) return;
    int const last = std::min(end + 32, pass.search.particles.places);
    for (int k = first + 32; k < last; ++k)
      if (p.order[k] < p.rows) compat::prefetch_write(rows.counts + p.order[k]);
  }

  /// Gathers n particles of a run behind `fill` others.
  void add(candidate_run const& run, int k, int n, int fill, group_work& s) const {
    s.near.add(run, k, n, fill);
    s.ids.add(k, n, fill);
    if constexpr (visits) s.names.add(pass.search.particles, run, k, n, fill, visitor.takes_image);
    int const size = s.near.size();
    bool const own_cell = k <= s.near.place(size - 1) && s.near.place(0) < k + n;
    for (int i = 0; own_cell && i < size; ++i) {
      int const place = s.near.place(i);
      if (place >= k && place < k + n && pass.search.particles.image_of(run, place) == image(0, 0, 0))
        s.self[i] = fill + place - k;
    }
  }

  /// Tests the n gathered candidates against the group.
  void test(int n, group_work& s) const {
    // Words are counted and mended here, in the nearest cache, before they go to memory.
    std::uint32_t found[cpu_mask_words], possible[cpu_mask_words];
    int const each = words_for(n);
    int hits[cpu_group];
    s.ids.finish(n);
    bool const own_ids = s.own_images || pass.search.rules.has_own_ghosts();
    int const* const half_numbers = own_ids ? nullptr : s.ids.half_numbers(n);
    std::uint64_t const undecided = s.near.test(n, half_numbers, found, possible, hits);
    bool const halved = half_numbers != nullptr;
    if (!halved) s.ids.prepare_half(n);
    std::uint32_t* words = found;
    for (int i = 0; i < s.near.size(); ++i, words += each) {
      if (undecided >> i & 1) hits[i] += decide_exactly(i, n, s, words, possible + i * each);
      if (s.self[i] >= 0) {
        // A hit, unless its radius or the cutoff of its type is 0 and left out.
        std::uint32_t& word = words[s.self[i] / 32];
        std::uint32_t const bit = std::uint32_t(1) << s.self[i] % 32;
        hits[i] -= (word & bit) != 0 ? 1 : 0;
        word &= ~bit;
        s.self[i] = -1;
      }
      if (s.ids.limits(halved)) hits[i] = keep_by_id(i, n, halved, s, words);
      s.count[i] += static_cast<std::size_t>(hits[i]);
      if constexpr (visits)
        if (hits[i] > 0) visit(s.near.index(i), words, n, s.names);
    }
    if (s.words != nullptr) s.words = std::copy(found, words, s.words);
    s.near.clear();
    s.ids.clear();
    s.names.shifted = false;
  }

  /// Hands the visitor those of n candidates whose bits are set, as neighbours of particle i.
  void visit(int i, std::uint32_t const* words, int n, candidate_names<visits> const& names) const {
    int neighbor[cpu_padded_chunk], shift[cpu_padded_chunk];
    int const found = kernels->select(names.index, words, n, neighbor);
    bool const shifted = visitor.takes_image && names.shifted;
    if (shifted) kernels->select(names.shift, words, n, shift);
    visitor(i, neighbor, shifted ? shift : nullptr, found);
  }

  /// Decides the undecided pairs of particle i; returns the number of hits among them.
  int decide_exactly(int i, int n, group_work const& s, std::uint32_t* words, std::uint32_t const* possible) const {
    int hits = 0;
    auto const own = pass.search.rules.limits_of(s.near.place(i));
    s.near.visit(
        i, n, [&](int w) { return words[w] ^ possible[w]; },
        [&](int w, std::uint32_t bit, int k, image, Real squared) {
          // Branch-free, because undecided pairs are unpredictable.
          bool const hit = (squared <= pass.search.particles.cutoff_squared) &
                           pass.search.rules.allows_distance(own, pass.search.rules.limits_of(k), squared);
          words[w] |= hit ? bit : 0;
          hits += hit ? 1 : 0;
        });
    return hits;
  }

  /// Leaves the hits of particle i that the rules of ids allow; returns their number.
  int keep_by_id(int i, int n, bool halved, group_work const& s, std::uint32_t* words) const {
    auto const& rules = pass.search.rules;
    int const own = s.near.place(i);
    if (!s.own_images && !(rules.has_own_ghosts() && s.ids.has_own_id(own, n, words)))
      return s.ids.keep(own, n, halved, words);
    std::uint32_t before[words_for(cpu_padded_chunk)];
    std::copy_n(words, words_for(n), before);
    int hits = s.ids.keep(own, n, halved, words);
    s.near.visit(
        i, n, [&](int w) { return before[w] ^ words[w]; },
        [&](int w, std::uint32_t bit, int k, image shift, Real squared) {
          if (rules.id(k) != rules.id(own) || !rules(own, k, shift, squared)) return;
          words[w] |= bit;
          ++hits;
        });
    return hits;
  }

  void report(group_work const& s) const {
    if (rows.counts == nullptr) return;
    std::uint64_t most = 0;
    for (int i = 0; i < s.near.size(); ++i) {
      rows.counts[s.near.index(i)] = s.count[i];
      most = std::max<std::uint64_t>(most, s.count[i]);
    }
    if (most > Kokkos::atomic_load(rows.largest)) Kokkos::atomic_max(rows.largest, most);
  }
};

}  // namespace upsweep::neighbors::detail
