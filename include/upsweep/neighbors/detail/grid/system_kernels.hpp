// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/grid/check_particles.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>
#include <upsweep/neighbors/detail/grid/radius_bins.hpp>
#include <upsweep/neighbors/detail/grid/systems.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// One thread per block of particles: the system of each. Offsets may be wrong still, so none is used as an index.
template <int Block>
struct find_systems_kernel {
  std::int64_t const* offsets;
  int count;
  std::int64_t n;
  int* of_particle;

  KOKKOS_FUNCTION void operator()(std::int64_t block) const {
    std::int64_t const first = block * Block, end = first + Block < n ? first + Block : n;
    int system = last_not_above(offsets, count, first);
    for (std::int64_t i = first; i < end; ++i) {
      while (system + 1 < count && offsets[system + 1] <= i) ++system;
      of_particle[i] = system;
    }
  }
};

/// The summary of one particle in the box of its system, as a functor of its number.
template <class Positions, class Real>
struct summarize_in_system {
  Positions positions;
  int const* of_particle;
  box<Real> const* boxes;
  bin_of_radius bin_of;  ///< without radii where none are given

  KOKKOS_FUNCTION particle_summary<Real> operator()(std::size_t i) const {
    auto all = particle_summary_monoid<Real>{}.identity();
    auto const& sim_box = boxes[of_particle[i]];
    auto const x = positions(static_cast<std::int64_t>(i)), wrapped = sim_box.wrap(x);
    add_to_summary(all, cell_position(sim_box, wrapped, image(0, 0, 0)),
                   sim_box.fault(x, wrapped) ? ~static_cast<std::uint64_t>(i) : 0);
    if (bin_of.radii != nullptr) all.last_radius_bin = bin_of(static_cast<std::int64_t>(i));
    return all;
  }
};

/// What is wrong with a batch: of each kind the first, as the complement of its number; 0 where there is none.
struct batch_faults {
  std::uint64_t offset;    ///< system whose particles do not follow on those of the one before
  std::uint64_t particle;  ///< that cannot be used
  std::uint64_t reach;     ///< system of which the cutoff reaches over too many images
  std::uint64_t small;     ///< no fault: 1 where a radius is so small that size classes may pay
  std::uint64_t largest;   ///< no fault: particles of the largest system
};

/// What the grid of a system is cut from, whose particles are in this range.
template <class Real>
KOKKOS_FUNCTION grid_frame<Real> frame_of_system(box<Real> const& sim_box, bounds<Real> range, Real cutoff) {
  bool const periodic[3] = {sim_box.periodic(0), sim_box.periodic(1), sim_box.periodic(2)};
  // None of an empty system; with wrong offsets a range may be anything.
  bool usable = true;
  for (int d = 0; d < 3; ++d)
    usable = usable && Kokkos::isfinite(range.lo[d]) && Kokkos::isfinite(range.hi[d]) && range.lo[d] <= range.hi[d];
  if (!usable) range = {};
  return make_grid_frame(sim_box, range, periodic, cutoff);
}

/// One thread per system: its grid, and what is wrong with it.
template <class Real>
struct lay_out_systems_kernel {
  std::int64_t const* offsets;
  box<Real> const* boxes;
  particle_summary<Real> const* summaries;
  int count;
  std::int64_t n;
  Real cutoff;
  grid_geometry<Real>* grids;
  batch_faults* faults;

  KOKKOS_FUNCTION void operator()(std::int64_t b) const {
    std::int64_t const begin = offsets[b], end = offsets[b + 1];
    if (begin > end || (b == 0 && begin != 0) || (b + 1 == count && end != n)) report(faults->offset, b);
    else report_size(static_cast<std::uint64_t>(end - begin));
    if (summaries[b].bad != 0) Kokkos::atomic_max(&faults->particle, summaries[b].bad);
    auto const layout = lay_out(b);
    if (layout.reaches_too_far()) report(faults->reach, b);
    if (has_small_radii(b)) Kokkos::atomic_max(&faults->small, std::uint64_t(1));
    grids[b] = layout.grid;
  }

  KOKKOS_FUNCTION bool has_small_radii(std::int64_t b) const {
    return summaries[b].last_radius_bin >= radius_bins::similar;
  }
  KOKKOS_FUNCTION std::int64_t particles_of(std::int64_t b) const { return offsets[b + 1] - offsets[b]; }

  /// As the system's list alone has it.
  KOKKOS_FUNCTION grid_layout<Real> lay_out(std::int64_t b) const {
    return lay_out_grid(frame(b), cutoff, particles_of(b));
  }
  KOKKOS_FUNCTION grid_frame<Real> frame(std::int64_t b) const {
    return frame_of_system(boxes[b], summaries[b].range, cutoff);
  }

 private:
  KOKKOS_FUNCTION static void report(std::uint64_t& word, std::int64_t b) {
    Kokkos::atomic_max(&word, ~static_cast<std::uint64_t>(b));
  }
  KOKKOS_FUNCTION void report_size(std::uint64_t size) const {
    if (size > compat::load_word(&faults->largest)) Kokkos::atomic_max(&faults->largest, size);
  }
};

/// The number of cells of each system, and nothing behind the last.
template <class Real>
struct cells_of_systems {
  many_systems<Real> systems;
  KOKKOS_FUNCTION std::int64_t operator()(std::size_t b) const {
    return b < static_cast<std::size_t>(systems.count) ? systems.cells_of(static_cast<int>(b)) : 0;
  }
};

/// The bin of particle i's radius: each system with a number has bins of its own, in the order of numbers. Particles of
/// the other systems are in a bin behind all of these.
struct bin_in_system {
  bin_of_radius bin_of;
  int const* of_particle;
  int const* number_of;  ///< of each system; -1: none
  int numbers;
  KOKKOS_FUNCTION int operator()(std::int64_t i) const {
    int const number = number_of[of_particle[i]];
    return (number < 0 ? numbers : number) * radius_bins::count + (number < 0 ? 0 : bin_of(i));
  }
};

}  // namespace upsweep::neighbors::detail
