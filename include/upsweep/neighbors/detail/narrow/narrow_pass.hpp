// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/narrow/move_particles.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

// Narrowing: the rows of a list with skin without the pairs that are beyond the cutoff now. One pass tests each pair
// and keeps the answer as a bit; when the counts have become offsets, a second one moves those whose bits are set. Rows
// are tested in the order of cells, so that the particles of a neighbourhood stay in the cache.

/// What both passes read.
template <class Real>
struct narrow_pass {
  box<Real> sim_box;
  Real cutoff_squared;
  pair_rules<Real> rules;                 ///< of particles, not of places: distances only
  neighbor_rows<> from;                   ///< the list with skin
  std::size_t pairs;                      ///< its neighbours
  int const* order;                       ///< particles by cell
  moved_particle<Real> const* particles;  ///< those with rows
  moved_particle<Real> const* candidates;
  int first_candidate;
  std::uint32_t* words;

  /// The bits of a row, from a word of its own on: rows of offsets a and b have floor(b / 32) - floor(a / 32) + 1 words
  /// between them, which hold b - a bits.
  KOKKOS_FUNCTION std::uint32_t* words_of(std::int64_t row) const {
    return words + from.offsets[row] / 32 + static_cast<std::size_t>(row);
  }
  static std::size_t most_words(std::size_t rows, std::size_t pairs) { return pairs / 32 + rows + 1; }
  KOKKOS_FUNCTION std::size_t length(std::int64_t row) const { return from.offsets[row + 1] - from.offsets[row]; }

  /// The image in which the row's particle sees neighbour k now. What is no hit may be out of an image's range.
  KOKKOS_FUNCTION image image_now(std::int64_t row, std::size_t k) const {
    if (from.images == nullptr) return image(0, 0, 0);
    std::size_t const at = from.offsets[row] + k;
    return image_of(word_of(from.images[at]) + static_cast<std::uint32_t>(particles[row].edges) -
                    static_cast<std::uint32_t>(candidates[from.neighbors[at]].edges));
  }

  /// Whether neighbour k is within the cutoff now. Distances are those of binned_particles, bit by bit.
  KOKKOS_FUNCTION bool is_hit(std::int64_t row, std::size_t k) const {
    int const j = from.neighbors[from.offsets[row] + k];
    moved_particle<Real> const &own = particles[row], &other = candidates[j];
    auto const s = sim_box.shift(image_now(row, k));
    Real const r2 = binned_particles<Real>::length_squared((other.x - own.x) + s[0], (other.y - own.y) + s[1],
                                                           (other.z - own.z) + s[2]);
    return r2 <= cutoff_squared &&
           rules.allows_distance(rules.limits_of(static_cast<int>(row)), rules.limits_of(j + first_candidate), r2);
  }
};

/// Where pairs go.
struct narrow_slots {
  std::size_t* offsets;  ///< counts, before they are added up
  int* neighbors;
  image* images;  ///< null where they are not kept
};

}  // namespace upsweep::neighbors::detail
