// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "candidate_names.hpp"
#include "candidates.hpp"
#include "pending_rows.hpp"
#include "sorted_bits.hpp"
#include "sorted_candidates.hpp"
#include "store_values.hpp"

#include <upsweep/neighbors/detail/masks/cpu/mask_kernels.hpp>
#include <upsweep/neighbors/detail/pairs/complete_rows.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace upsweep::neighbors::detail {

/// One thread per block of groups: turns the bits that count_hits_cpu kept into rows.
///
/// Where particles came in random order, so do rows: each is some lines of memory far from the others. The lines of the
/// row that comes `ahead` rows later are fetched meanwhile. A list that is larger than caches is written past them:
/// only the ends of rows, lines that rows share, are then read.
///
/// Values: whether the list keeps more of a pair than its neighbour and image (store_values.hpp).
template <class Real, bool Values, class Systems>
struct emit_hits_cpu {
  mask_pass<Real, Systems> pass;
  slots_of<Real, Values> rows;
  cpu_hit_kernels<Real> const* kernels;
  bool streams;

  static constexpr int block = cpu_mask_kernels<Real, Systems>::block, ahead = 8;
  static constexpr std::size_t cached_bytes = std::size_t(1) << 26;

  static emit_hits_cpu make(mask_pass<Real, Systems> const& pass, slots_of<Real, Values> const& rows) {
    auto const& p = pass.search.particles;
    std::size_t each = sizeof(int);
    if constexpr (Values) each += rows.values.bytes_of_pair();
    return {pass, rows, &cpu_hits<Real>(), rows.offsets[p.rows] * each > cached_bytes};
  }

  void operator()(std::int64_t b) const {
    std::int64_t const first = pass.first_group + b * block;
    pending_rows<Real> pending(*kernels, streams);
    for (std::int64_t group = first; group < first + block && pass.has(group); ++group) emit(group, pending);
    pending.flush();
    if (streams) kernels->finish();
  }

 private:
  struct group_work {
    int particles = 0;
    int place[cpu_group];
    std::size_t next[cpu_group];  ///< where the rows go on
    std::uint32_t const* words;
    candidate_names<> names;
    pending_rows<Real>& pending;
    int place_of[Values ? cpu_padded_chunk : 1];  ///< the places of candidates
    bool prepares = true;                         ///< rows of later groups are fetched, once

    explicit group_work(pending_rows<Real>& to) : pending(to) {}
  };

  void emit(std::int64_t group, pending_rows<Real>& pending) const {
    auto const& p = pass.search.particles;
    group_work s(pending);
    int const first = pass.groups[group], end = pass.groups[group + 1];
    for (int k = first; k < end; ++k) {
      if (p.order[k] >= p.rows) continue;
      s.place[s.particles] = k;
      s.next[s.particles++] = rows.offsets[p.order[k]];
    }
    if (s.particles == 0) return;
    s.words = pass.masks.of(group);
    if (pass.has(group + 4)) compat::prefetch_read(p.cell_of + p.order[pass.groups[group + 4]]);
    auto const cells = pass.cells_of(first, end);
    if (rows.sorted && emit_sorted(cells, s)) return;
    for_each_chunk(
        p, cells, [&](candidate_run const& run, int k, int n, int fill) { add(run, k, n, fill, s); },
        [&](int n) { expand(n, s); });
    if (!rows.sorted) return;
    pending.flush();
    if (streams) kernels->finish();
    for (int i = 0; i < s.particles; ++i) {
      std::int64_t const row = p.order[s.place[i]];
      sort(row);
      if constexpr (Values) {
        complete_rows<Real, Systems> const rest{p, rows.values, rows.offsets, rows.neighbors, rows.images};
        for (std::size_t k = rows.offsets[row]; k < rows.offsets[row + 1]; ++k) rest.pair(row, k);
      }
    }
  }

  /// Whether the images of candidates are looked at.
  bool has_images() const {
    if constexpr (Values) return rows.images != nullptr || rows.values.needs_image();
    else return rows.images != nullptr;
  }

  void add(candidate_run const& run, int k, int n, int fill, group_work& s) const {
    s.names.add(pass.search.particles, run, k, n, fill, has_images());
    if constexpr (Values) std::iota(s.place_of + fill, s.place_of + fill + n, k);
  }

  /// Appends to each row those of n gathered candidates whose bits are set.
  void expand(int n, group_work& s) const {
    candidate_lists const from{s.names.index, s.place_of, s.names.shift, s.names.shifted};
    for (int i = 0; i < s.particles; ++i, s.words += words_for(n)) append(s.words, n, from, i, s);
    s.names.shifted = false;
    s.prepares = false;
  }

  /// Appends to row i those of n candidates whose bits are set. Inlined by order: GCC 16 calls it, and emit takes 2 %
  /// longer (32,000 particles, one core of an EPYC, 2026-11-27).
  [[gnu::always_inline]] void append(std::uint32_t const* words, int n, candidate_lists const& from, int i,
                                     group_work& s) const {
    if (s.prepares) prepare(s.place[i] + ahead);
    int found;
    if constexpr (Values) {
      int* const chosen = s.pending.next();
      found = kernels->select(all_candidates.of, words, n, chosen);
      store()(from, chosen, found, s.place[i], s.next[i]);
    } else {
      found = write(from.index, words, n, rows.neighbors + s.next[i], s);
      if (rows.images != nullptr) {
        auto* const to = reinterpret_cast<int*>(rows.images + s.next[i]);
        // Where all candidates are in one image, any of them serve.
        if (from.shifted) {
          write(from.shift, words, n, to, s);
        } else {
          std::copy(from.shift, from.shift + found, s.pending.next());
          s.pending.add(found, to);
        }
      }
    }
    s.next[i] += static_cast<std::size_t>(found);
  }

  auto store() const { return store_values<Real, Systems>(pass.search.particles, rows, *kernels, streams); }

  /// Writes those of n numbers whose bits are set; returns how many.
  [[gnu::always_inline]] int write(int const* in, std::uint32_t const* words, int n, int* out, group_work& s) const {
    int const found = kernels->select(in, words, n, s.pending.next());
    s.pending.add(found, out);
    return found;
  }

  /// The rows of a group, sorted; false where it has more candidates than are sorted together.
  [[gnu::noinline]] bool emit_sorted(group_cells<Systems> const& cells, group_work& s) const {
    auto const& p = pass.search.particles;
    sorted_candidates<Real> all(pass.search.rules, *kernels, p.first_candidate, Values, has_images());
    int chunk_end[sorted_candidates<Real>::most / 32];  // in words of a row
    int chunks = 0;
    bool fits = true;
    for_each_chunk(
        p, cells,
        [&](candidate_run const& run, int k, int n, int) {
          fits = fits && all.has_room_for(n);
          if (!fits) return;
          if (p.images == nullptr) return all.add(run.shift, k, n);
          for (int c = 0; c < n; ++c) all.add(p.images[k + c], k + c, 1);
        },
        [&](int) {
          if (fits) chunk_end[chunks++] = all.end_chunk();
        });
    if (!fits) return false;
    if (chunks == 0) return true;
    prefetch_behind(s.words, s.particles * chunk_end[chunks - 1]);
    all.sort();
    candidate_lists const sorted{all.indices(), all.places(), all.shifts(), all.shifted()};
    sorted_bits<Real> bits(*kernels);
    for (int first = 0; first < s.particles; first += bits.most_rows) {
      int const some = std::min(s.particles - first, bits.most_rows);
      std::uint32_t const* words = s.words;
      for (int q = 0, begin = 0; q < chunks; begin = chunk_end[q++]) {
        int const each = chunk_end[q] - begin;
        bits.add(words + first * each, some, each, begin);
        words += s.particles * each;
      }
      bits.move(all.columns(), all.size());
      for (int i = 0; i < some; ++i) append(bits.row(i), all.size(), sorted, first + i, s);
    }
    return true;
  }

  /// Sorts a row that is written.
  [[gnu::noinline]] void sort(std::int64_t row) const {
    int const n = rows.sort.size(row);
    if (n < 2) return;
    if (n > id_order<Real>::most) return rows.sort(row);
    auto const r = rows.sort.at(row);
    id_order<Real> order(*kernels);
    order.sort(n, nullptr, 0, [&](int k) { return r.id(r.v[k]); }, [&](int a, int b) { return r.before(a, b); });
    int* const sorted = order.spare(0);
    for (int k = 0; k < n; ++k) sorted[k] = r.v[order.numbers()[k]];
    if (r.s != nullptr) {
      auto* const images = order.spare(1);
      for (int k = 0; k < n; ++k) images[k] = std::bit_cast<int>(r.s[order.numbers()[k]]);
      for (int k = 0; k < n; ++k) r.s[k] = std::bit_cast<image>(images[k]);
    }
    std::copy_n(sorted, n, r.v);
  }

  /// Fetches the n words behind these n: they are mostly the next group's. A processor does not fetch them by itself,
  /// since much else is read between two groups.
  void prefetch_behind(std::uint32_t const* words, int n) const {
    std::uint32_t const* const behind = words + n;
    auto const left = pass.masks.words + pass.masks.capacity - behind;
    for (int k = 0; k < n && k < left; k += 16) compat::prefetch_read(behind + k);
  }

  void prefetch(int const* begin, int const* end) const {
    if (streams) kernels->prefetch_for_stream(begin, end);
    else kernels->prefetch_for_store(begin, end);
  }

  void prepare(int place) const {
    auto const& p = pass.search.particles;
    if (place + ahead < p.places) compat::prefetch_read(rows.offsets + p.order[place + ahead]);
    if (place >= p.places || p.order[place] >= p.rows) return;
    std::size_t const begin = rows.offsets[p.order[place]], end = rows.offsets[p.order[place] + 1];
    if constexpr (Values) return store().prefetch(begin, end);
    prefetch(rows.neighbors + begin, rows.neighbors + end);
    if (rows.images != nullptr)
      prefetch(reinterpret_cast<int*>(rows.images + begin), reinterpret_cast<int*>(rows.images + end));
  }
};

}  // namespace upsweep::neighbors::detail
