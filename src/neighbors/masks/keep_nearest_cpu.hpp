// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "candidates.hpp"
#include "choose_in_passes.hpp"
#include "store_values.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace upsweep::neighbors::detail {

/// The candidates of a group, and what it takes to choose between the hits of its rows, one row after the other: their
/// squared distances, computed by vectors with the bits of the plain builder, the one of the last that is wanted, and
/// of ties at that distance those that come first in hit_order.
template <class Real, class Systems>
class nearest_in_rows {
 public:
  nearest_in_rows(mask_pass<Real, Systems> const& pass, typename Systems::name system,
                  cpu_hit_kernels<Real> const& kernels)
      : search_(pass.search), system_(system), kernels_(kernels) {
    std::fill_n(marks_, most, static_cast<unsigned char>(0));
  }

  /// The candidates are gathered; false where there are too many.
  bool gather(group_cells<Systems> const& cells) {
    auto const& p = search_.particles;
    bool fits = true;
    int first = 0;
    for_each_chunk(
        p, cells,
        [&](candidate_run const& run, int k, int n, int fill) {
          fits = fits && first + fill + n <= most && chunks_ < most_chunks;
          if (!fits) return;
          int* const place = place_ + first + fill;
          for (int c = 0; c < n; ++c) {
            place[c] = k + c;
            image const s = p.image_of(run, k + c);
            shifted_ = shifted_ || !(s == image(0, 0, 0));
            std::memcpy(shift_ + first + fill + c, &s, sizeof s);
          }
        },
        [&](int n) {
          if (!fits) return;
          chunk_[chunks_++] = n;
          first += 32 * words_for(n);  // so that no word has candidates of two chunks
        });
    return fits;
  }

  /// Clears the bits of all but the nearest hits in row i of `rows`, of the particle at `own`. Pre: it has more.
  void operator()(std::uint32_t* words, int i, int rows, int own) {
    int n = 0;
    for_each_chunk_of_row(words, i, rows, [&](std::uint32_t const* of_row, int first, int size) {
      n += kernels_.select(all_candidates.of + first, of_row, size, hits_ + n);
    });
    measure(n, own);
    int const wanted = static_cast<int>(search_.rules.most_in_row);
    auto const [left, below] = kernels_.near_rank(squared_, n, wanted, search_.particles.cutoff_squared, around_);
    Real* const last = around_ + (wanted - below - 1);
    std::nth_element(around_, last, around_ + left);
    choose(n, wanted, *last);
    for (int k = 0; k < wanted; ++k) marks_[kept_[k]] = 1;
    for_each_chunk_of_row(words, i, rows, [&](std::uint32_t* of_row, int first, int size) {
      kernels_.take_marks(marks_ + first, 32 * words_for(size), of_row);
    });
  }

 private:
  static constexpr int most = 4096;  ///< candidates
  static constexpr int most_chunks = most / cpu_slice + 1;

  template <class Visitor>
  void for_each_chunk_of_row(std::uint32_t* words, int i, int rows, Visitor const& visit) const {
    for (int q = 0, first = 0; q < chunks_; ++q) {
      int const each = words_for(chunk_[q]);
      visit(words + i * each, first, chunk_[q]);
      words += rows * each;
      first += 32 * each;
    }
  }

  /// The squared distances of the n hits.
  void measure(int n, int own) {
    auto const& p = search_.particles;
    for (int k = 0; k < n; ++k) places_[k] = place_[hits_[k]];
    auto const square = [&](int first, int end, image s) {
      auto const by = p.box_of(system_).shift(s);
      kernels_.square({p.x, p.y, p.z, places_ + first, {p.x[own], p.y[own], p.z[own]}, {by[0], by[1], by[2]}},
                      end - first, squared_ + first);
    };
    if (!shifted_) return square(0, n, image(0, 0, 0));
    for (int k = 0, next; k < n; k = next) {
      int const s = shift_[hits_[k]];
      for (next = k + 1; next < n && shift_[hits_[next]] == s;) ++next;
      square(k, next, std::bit_cast<image>(s));
    }
  }

  /// The nearest of the n hits become the first of kept_. `last`: the squared distance of the last one wanted.
  void choose(int n, int wanted, Real last) {
    if (leave([last](Real squared) { return squared <= last; }, n, kept_) > wanted) {
      hit_order<Real> const order{search_.rules};
      auto const hit = [&](int c) { return row_hit<Real>{last, place_[c], std::bit_cast<image>(shift_[c])}; };
      int const nearer = leave([last](Real squared) { return squared < last; }, n, kept_);
      int* const ties = kept_ + nearer;
      int const tied = leave([last](Real squared) { return squared == last; }, n, ties);
      std::nth_element(ties, ties + (wanted - nearer), ties + tied,
                       [&](int a, int b) { return order.before(hit(a), hit(b)); });
    }
  }

  /// Copies the hits whose squared distance is wanted; returns their number. Without branches, which nobody could
  /// foresee.
  template <class Predicate>
  int leave(Predicate const& wanted, int n, int* out) const {
    int left = 0;
    for (int k = 0; k < n; ++k) {
      out[left] = hits_[k];
      left += static_cast<int>(wanted(squared_[k]));
    }
    return left;
  }

  neighbor_search<Real, Systems> const& search_;
  typename Systems::name system_;
  cpu_hit_kernels<Real> const& kernels_;
  int chunks_ = 0, chunk_[most_chunks];
  bool shifted_ = false;  ///< some candidates are not in image(0, 0, 0)
  int place_[most], shift_[most];
  int hits_[most + 32], places_[most], kept_[2 * most];
  Real squared_[most], around_[most + 1];
  unsigned char marks_[most];
};

/// Clears the bits of all but the nearest hits in the rows of a group that have more than the pass lets them have.
/// words: all that were kept of the group; count: the hits of each particle; near: the group, without candidates.
template <class Real, class Systems>
[[gnu::noinline]] void keep_nearest_cpu(mask_pass<Real, Systems> const& pass, group_cells<Systems> const& cells,
                                        filter_group<Real, Systems>& near, cpu_hit_kernels<Real> const& kernels,
                                        std::uint32_t* words, std::size_t const* count) {
  nearest_in_rows<Real, Systems> nearest(pass, cells.system, kernels);
  if (!nearest.gather(cells)) return choose_in_passes<Real, Systems>(pass, cells, near)(words, count);
  for (int i = 0; i < near.size(); ++i)
    if (count[i] > pass.search.rules.most_in_row) nearest(words, i, near.size(), near.place(i));
}

}  // namespace upsweep::neighbors::detail
