// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/masks/cpu/candidates.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace upsweep::neighbors::detail {

/// One thread per block of groups: turns the bits that count_hits_cpu kept into rows.
///
/// Where particles came in random order, so do rows: each is some lines of memory far from the others. The lines of the
/// row that comes `ahead` rows later are fetched meanwhile. A list that is larger than caches is written past them:
/// only the ends of rows, lines that rows share, are then read.
template <class Real>
struct emit_hits_cpu {
  mask_pass<Real> pass;
  row_slots rows;
  cpu_hit_kernels<Real> const* kernels;
  bool streams;

  static constexpr int block = 16, ahead = 8;
  static constexpr std::size_t cached_bytes = std::size_t(1) << 26;

  static emit_hits_cpu make(mask_pass<Real> const& pass, row_slots const& rows) {
    auto const& p = pass.search.particles;
    return {pass, rows, &cpu_hits<Real>(), rows.offsets[p.rows] * sizeof(int) > cached_bytes};
  }

  void operator()(std::int64_t b) const {
    std::int64_t const first = pass.first_group + b * block;
    for (std::int64_t group = first; group < first + block && pass.has(group); ++group) emit(group);
    if (streams) kernels->finish();
  }

 private:
  struct group_work {
    int particles = 0;
    int place[cpu_group];
    std::size_t next[cpu_group];  ///< where the rows go on
    std::uint32_t const* words;
    int index[cpu_padded_chunk], row[cpu_padded_chunk];
    int shift[cpu_padded_chunk];  ///< images, as the words that they are
  };
  static_assert(sizeof(image) == sizeof(int));

  void emit(std::int64_t group) const {
    auto const& p = pass.search.particles;
    group_work s;
    int const first = pass.groups[group], end = pass.groups[group + 1];
    for (int k = first; k < end; ++k) {
      if (p.order[k] >= p.rows) continue;
      s.place[s.particles] = k;
      s.next[s.particles++] = rows.offsets[p.order[k]];
    }
    if (s.particles == 0) return;
    s.words = pass.masks.of(group);
    if (pass.has(group + 4)) compat::prefetch_read(p.cell_of + p.order[pass.groups[group + 4]]);
    for_each_chunk(
        p, pass.runs_of(first, end), [&](candidate_run const& run, int k, int n, int fill) { add(run, k, n, fill, s); },
        [&](int n) { expand(n, s); });
  }

  void add(candidate_run const& run, int k, int n, int fill, group_work& s) const {
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
  void expand(int n, group_work& s) const {
    for (int i = 0; i < s.particles; ++i, s.words += words_for(n)) {
      prepare(s.place[i] + ahead);
      int const found = kernels->select(s.index, s.words, n, s.row);
      write(s.row, found, rows.neighbors + s.next[i]);
      if (rows.images != nullptr) {
        kernels->select(s.shift, s.words, n, s.row);
        write(s.row, found, reinterpret_cast<int*>(rows.images + s.next[i]));
      }
      s.next[i] += static_cast<std::size_t>(found);
    }
  }

  void write(int const* in, int n, int* out) const {
    if (streams) kernels->stream(in, n, out);
    else std::copy(in, in + n, out);
  }

  void prepare(int place) const {
    auto const& p = pass.search.particles;
    if (place + ahead < p.places) compat::prefetch_read(rows.offsets + p.order[place + ahead]);
    if (place >= p.places || p.order[place] >= p.rows) return;
    std::size_t const begin = rows.offsets[p.order[place]], end = rows.offsets[p.order[place] + 1];
    if (streams) kernels->prefetch_for_stream(rows.neighbors + begin, rows.neighbors + end);
    else kernels->prefetch_for_store(rows.neighbors + begin, rows.neighbors + end);
  }
};

}  // namespace upsweep::neighbors::detail
