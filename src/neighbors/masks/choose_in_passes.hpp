// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "filter_group.hpp"

#include <upsweep/neighbors/detail/masks/hit_masks.hpp>
#include <upsweep/neighbors/detail/rules/nearest_hits.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace upsweep::neighbors::detail {

/// The same as nearest_in_row for groups that have too many candidates for its memory: they are gathered again, once
/// for each pass that a choice takes and all rows together.
template <class Real, class Systems>
class choose_in_passes {
 public:
  /// Pre: `near` was started with the group and has no candidates.
  choose_in_passes(mask_pass<Real, Systems> const& pass, group_cells<Systems> const& cells,
                   filter_group<Real, Systems>& near)
      : pass_(pass), cells_(cells), near_(near) {}

  /// words: all that were kept of the group; count: the hits of each particle.
  [[gnu::noinline]] void operator()(std::uint32_t* words, std::size_t const* count) {
    auto const& search = pass_.search;
    using row = nearest_hits<Real>;
    std::uint32_t memory[cpu_group][row::words];
    std::optional<row> nearest[cpu_group];
    std::uint64_t chosen = 0;
    for (int i = 0; i < near_.size(); ++i) {
      if (count[i] <= pass_.search.rules.most_in_row) continue;
      nearest[i].emplace(hit_order<Real>{search.rules}, memory[i], 1);
      nearest[i]->start(pass_.search.rules.most_in_row, search.particles.cutoff_squared);
      chosen |= std::uint64_t(1) << i;
    }
    for (std::uint64_t left = chosen; left != 0;) {
      for_each_hit(words, left,
                   [&](int i, std::uint32_t&, std::uint32_t, row_hit<Real> const& hit) { nearest[i]->add(hit); });
      for (std::uint64_t rows = left; rows != 0; rows &= rows - 1)
        if (nearest[std::countr_zero(rows)]->finish_pass()) left &= ~(rows & -rows);
    }
    for_each_hit(words, chosen, [&](int i, std::uint32_t& word, std::uint32_t bit, row_hit<Real> const& hit) {
      if (!nearest[i]->has(hit)) word &= ~bit;
    });
  }

 private:
  /// visit(row, word, bit, hit) for the hits of some rows.
  template <class Visitor>
  void for_each_hit(std::uint32_t* words, std::uint64_t rows, Visitor const& visit) {
    for_each_chunk(
        pass_.search.particles, cells_,
        [&](candidate_run const& run, int k, int n, int fill) { near_.add(run, k, n, fill); },
        [&](int n) {
          for (std::uint64_t some = rows; some != 0; some &= some - 1) {
            int const i = std::countr_zero(some);
            std::uint32_t* const of_row = words + i * words_for(n);
            near_.visit(
                i, n, [&](int w) { return of_row[w]; },
                [&](int w, std::uint32_t bit, int place, image shift, Real squared) {
                  visit(i, of_row[w], bit, row_hit<Real>{squared, place, shift});
                });
          }
          words += near_.size() * words_for(n);
          near_.clear();
        });
  }

  mask_pass<Real, Systems> const& pass_;
  group_cells<Systems> const& cells_;
  filter_group<Real, Systems>& near_;
};

}  // namespace upsweep::neighbors::detail
