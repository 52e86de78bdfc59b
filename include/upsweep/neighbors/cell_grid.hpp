// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/allocate.hpp>
#include <upsweep/base/index.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/binning_kernels.hpp>
#include <upsweep/neighbors/detail/grid_geometry.hpp>
#include <upsweep/neighbors/detail/neighbor_search.hpp>
#include <upsweep/neighbors/detail/prepare_positions.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/scan/exclusive_scan_with_total.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace upsweep {

/// Particles binned into cells at least a cutoff wide: what a neighbour search reads. Memory is kept between updates.
/// `cell_grid<Kokkos::DefaultExecutionSpace, double> grid(space); grid.update(positions, box, 2.8, options);`
///
/// Pre: at most 2^31 - 1 particles; periodic directions at least two cutoffs long.
/// Cost: a particle is read about 6 times; memory 3 Real + 8 bytes a particle, 3 Real more in cell order, 4 with images,
/// and 8 bytes a cell (at most 2 cells a particle).
/// Order: places are by cell, in a cell by (id, image): a function of the input alone.
/// Sync: update waits for the instance.
/// Throws: precondition_error (cutoff, box, bad particle: named, before memory is taken), overflow_error, out_of_memory_error.
/// Source: *Prefix sums on GPUs*: counts, scan, place.
template <class ExecutionSpace, std::floating_point Real>
class cell_grid {
 public:
  using memory_space = typename ExecutionSpace::memory_space;

  explicit cell_grid(ExecutionSpace const& space) : space_(space), workspace_(space) {}

  /// Bins positions(0 .. n-1). Positions: a device functor of the index that returns Kokkos::Array<Real, 3>.
  template <class Positions>
  void update(Positions const& positions, std::int64_t n, std::int64_t rows, box<Real> const& box, Real cutoff,
              neighbor_options const& options) {
    check_arguments(n, rows, box, cutoff, options);
    detail::require_good_particles(space_, positions, n, rows, box, options, scan());
    particles_ = n;
    copy_wrapped(positions, box);
    choose_cells(box, cutoff, options);
    place(box, options);
    image const* const images = options.images.data();
    search_ = detail::neighbor_search<Real>{
        grid_,          box,           cutoff * cutoff, wrapped_.data(), x_.data(), y_.data(), z_.data(),
        starts_.data(), order_.data(), images,          images == nullptr ? nullptr : sorted_images_.data()};
  }

  /// What kernels need to walk the neighbours of a particle; valid until the next update. Pre: update() was called.
  detail::neighbor_search<Real> const& search() const { return *search_; }
  /// Particles in cell order, for visiting them with locality.
  int const* order() const { return order_.data(); }
  std::int64_t particles() const { return particles_; }
  /// Cells in x, y and z.
  Kokkos::Array<int, 3> cells() const { return {grid_.cells[0], grid_.cells[1], grid_.cells[2]}; }
  /// Device memory held, in bytes.
  std::size_t bytes() const {
    return sizeof(Real) * (wrapped_.extent(0) + x_.extent(0) + y_.extent(0) + z_.extent(0)) +
           sizeof(int) * (cell_of_.extent(0) + order_.extent(0) + starts_.extent(0) + cursors_.extent(0)) +
           sizeof(image) * sorted_images_.extent(0) + workspace_.size_bytes();
  }
  /// Temporary memory that later steps on the same instance share.
  upsweep::workspace& workspace() { return workspace_; }

 private:
  static constexpr char const* function = "neighbor_list";

  scan_options scan() { return {.workspace = &workspace_, .label = function}; }
  auto policy(std::int64_t n) const {
    return Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space_, 0, n);
  }

  void check_arguments(std::int64_t n, std::int64_t rows, box<Real> const& box, Real cutoff,
                       neighbor_options const& options) const {
    narrow<int>(n, function, "the number of particles");
    require(rows <= n, function, "rows = " + std::to_string(rows) + " of only " + std::to_string(n) + " particles");
    require(std::isfinite(cutoff) && cutoff > 0, function,
            "cutoff = " + std::to_string(cutoff) + "; it must be positive and finite");
    auto const one_each = [&](auto const& view, char const* name) {
      require(view.data() == nullptr || view.extent(0) == static_cast<std::size_t>(n), function,
              std::string(name) + " has " + std::to_string(view.extent(0)) + " entries for " + std::to_string(n) + " particles");
    };
    one_each(options.ids, "ids");
    one_each(options.images, "images");
    for (int d = 0; d < 3; ++d)
      require(!box.periodic(d) || box.length(d) >= 2 * cutoff, function,
              std::string("the periodic box is ") + std::to_string(box.length(d)) + " long in " + "xyz"[d] +
                  ", less than two cutoffs (2 * " + std::to_string(cutoff) + "); smaller boxes are not supported");
  }

  template <class Positions>
  void copy_wrapped(Positions const& positions, box<Real> const& box) {
    auto const n = static_cast<std::size_t>(particles_);
    grow(space_, wrapped_, 3 * n, function, "wrapped");
    Kokkos::parallel_for("upsweep::neighbor_list::wrap", policy(particles_),
                         detail::wrap_kernel<Positions, Real>{positions, box, wrapped_.data()});
  }

  void choose_cells(box<Real> const& box, Real cutoff, neighbor_options const& options) {
    // Ghosts given by the caller stand outside the box: then every direction is cut like an open one.
    bool periodic[3];
    for (int d = 0; d < 3; ++d) periodic[d] = box.periodic(d) && options.images.data() == nullptr;
    detail::bounds<Real> range{};
    bool const closed = periodic[0] && periodic[1] && periodic[2];
    if (!closed && particles_ > 0)
      range = reduce(space_, static_cast<std::size_t>(particles_),
                     detail::particle_bounds<Real>{wrapped_.data(), options.images.data(), box},
                     detail::bounds_monoid<Real>{}, scan());
    grid_ = detail::make_grid_geometry(box, range, periodic, cutoff, particles_);
  }

  void place(box<Real> const& box, neighbor_options const& options) {
    auto const n = static_cast<std::size_t>(particles_);
    auto const cells = static_cast<std::size_t>(grid_.total());
    image const* const images = options.images.data();
    grow(space_, cell_of_, n, function, "cell_of");
    grow(space_, order_, n, function, "order");
    grow(space_, starts_, cells + 1, function, "starts");
    grow(space_, cursors_, cells, function, "cursors");
    grow(space_, x_, n, function, "x");
    grow(space_, y_, n, function, "y");
    grow(space_, z_, n, function, "z");
    if (images != nullptr) grow(space_, sorted_images_, n, function, "images");

    using ints = Kokkos::View<int*, memory_space, Kokkos::MemoryUnmanaged>;
    ints const counts(cursors_.data(), cells), starts(starts_.data(), cells + 1);
    Kokkos::deep_copy(space_, counts, 0);
    Kokkos::parallel_for("upsweep::neighbor_list::count_cells", policy(particles_),
                         detail::count_cells_kernel<Real>{wrapped_.data(), images, box, grid_, cell_of_.data(), counts.data()});
    exclusive_scan_with_total(space_, counts, starts, scan());
    Kokkos::deep_copy(space_, counts, ints(starts_.data(), cells));
    Kokkos::parallel_for("upsweep::neighbor_list::place", policy(particles_),
                         detail::place_kernel{cell_of_.data(), counts.data(), order_.data()});
    Kokkos::parallel_for("upsweep::neighbor_list::order_cells", policy(static_cast<std::int64_t>(cells)),
                         detail::order_cells_kernel{starts_.data(), options.ids.data(), images, order_.data()});
    Kokkos::parallel_for("upsweep::neighbor_list::gather", policy(particles_),
                         detail::gather_kernel<Real>{wrapped_.data(), images, order_.data(), x_.data(), y_.data(), z_.data(),
                                                     sorted_images_.data()});
  }

  ExecutionSpace space_;
  upsweep::workspace workspace_;
  std::int64_t particles_ = 0;
  detail::grid_geometry<Real> grid_{};
  std::optional<detail::neighbor_search<Real>> search_;
  Kokkos::View<Real*, memory_space> wrapped_, x_, y_, z_;
  Kokkos::View<int*, memory_space> cell_of_, order_, starts_, cursors_;
  Kokkos::View<image*, memory_space> sorted_images_;
};

}  // namespace upsweep
