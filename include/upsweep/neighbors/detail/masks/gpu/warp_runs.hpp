// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/neighbors/detail/masks/hit_masks.hpp>

#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

using internal::warp_lanes;

/// The runs of a group, a batch of as many as a warp has lanes at a time: lane k knows run k of the batch. With classes
/// each grid has batches of its own.
template <class Real, class Systems, bool Classes, class Lanes = warp_lanes>
class warp_runs {
 public:
  KOKKOS_FUNCTION warp_runs(binned_particles<Real, Systems> const& particles, group_cells<Systems> const& cells,
                            int lane)
      : particles_(particles), system_(cells.system), of_(make(particles, cells)), lane_(lane) {}

  /// body(run, near_squared) for all runs, in order, by all lanes together. Without classes the latter is that of the
  /// one grid, a constant of the kernel, and 0 here.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(Body const& body) const {
    for_each_batch([&](candidate_run const& own, int n, Real near_squared) {
      for (int k = 0; k < n; ++k) {
        candidate_run const run = Lanes::shuffle(own, k);
        if (run.begin < run.end) body(run, near_squared);
      }
    });
  }

  /// The same where each lane says first, by is_far(run), which of the runs that it knows has nothing near:
  /// skip(run) stands for body then.
  template <class Body, class IsFar, class Skip>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(Body const& body, IsFar const& is_far, Skip const& skip) const {
    for_each_batch([&](candidate_run const& own, int n, Real near_squared) {
      auto const far = Lanes::ballot(is_far(own));
      for (int k = 0; k < n; ++k) {
        candidate_run const run = Lanes::shuffle(own, k);
        if (run.begin >= run.end) continue;
        if (far >> k & 1) skip(run);
        else body(run, near_squared);
      }
    });
  }

  /// Candidates, and blocks of 32 that they are read in.
  KOKKOS_FUNCTION void measure(std::uint64_t& candidates, std::uint64_t& blocks) const {
    std::uint64_t sums[2] = {0, 0};
    for_each_batch([&](candidate_run const& own, int, Real) {
      sums[0] += static_cast<std::uint64_t>(own.end - own.begin);
      sums[1] += static_cast<std::uint64_t>(own.end - own.begin + Lanes::size - 1) / Lanes::size;
    });
    for (int bit = 1; bit < Lanes::size; bit *= 2)
      for (auto& sum : sums) sum += Lanes::shuffle_xor(sum, bit);
    candidates = sums[0];
    blocks = sums[1];
  }

 private:
  using known = std::conditional_t<Classes, group_cells<Systems>, candidate_runs<Real>>;
  KOKKOS_FUNCTION static known make(binned_particles<Real, Systems> const& particles,
                                    group_cells<Systems> const& cells) {
    if constexpr (Classes) return cells;
    else return particles.candidates_in_one_grid(cells).runs;
  }

  /// visit(run of this lane, runs of the batch, near_squared)
  template <class Visitor>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_batch(Visitor const& visit) const {
    if constexpr (Classes) {
      for (int g = 0; g < particles_.grids_of(system_); ++g) {
        auto const in = particles_.candidates_in(g, of_);
        for_each_batch(in.grid, in.starts, in.runs, in.near_squared, visit);
      }
    } else {
      cell_starts const starts{particles_.candidates.packed + particles_.first_cell(system_)};
      for_each_batch(particles_.grid_of(system_), starts, of_, Real(0), visit);
    }
  }
  template <class Visitor>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_batch(grid_geometry<Real> const& grid, cell_starts const& starts,
                                                  candidate_runs<Real> const& runs, Real near_squared,
                                                  Visitor const& visit) const {
    for (int first = 0; first < runs.count(); first += Lanes::size) {
      int const r = first + lane_, left = runs.count() - first;
      visit(r < runs.count() ? runs(grid, starts, r) : candidate_run{0, 0, image(0, 0, 0)},
            left < Lanes::size ? left : Lanes::size, near_squared);
    }
  }

  binned_particles<Real, Systems> const& particles_;
  typename Systems::name system_;
  known of_;  ///< the group's cells, or their runs
  int lane_;
};

}  // namespace upsweep::neighbors::detail
