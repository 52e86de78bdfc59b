// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/neighbors/detail/grid/choose_classes.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>
#include <upsweep/neighbors/detail/grid/size_classes.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/pack/histogram.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// The size classes of a list's particles, where there are any: on the host, and for kernels. Keeps its memory.
template <class ExecutionSpace, class Real>
class class_tables {
 public:
  using memory_space = typename ExecutionSpace::memory_space;
  using table_type = size_classes<Real>;

  /// Chooses them, if radii are given and differ enough. `one_grid` is the grid for the cutoff alone. Whether there are
  /// classes, and which, is a function of the input alone. Waits for the instance where there is something to choose.
  void set(ExecutionSpace const& space, grid_frame<Real> const& frame, grid_geometry<Real> const& one_grid, Real cutoff,
           std::int64_t n, int sets, neighbor_options::optional_input<double> const& radii, int last_radius_bin,
           call_options const& histogram_options) {
    count_ = 0;
    if (!radii.given() || last_radius_bin < radius_bins::similar) return;
    class_chooser<Real> const chooser(frame, cutoff, sets);
    if (!chooser.may_pay(static_cast<double>(n), one_grid)) return;
    constexpr std::size_t bins = radius_bins::count;
    internal::grow(space, counts_, bins, function, "radius_counts");
    Kokkos::View<std::uint32_t*, memory_space, Kokkos::MemoryUnmanaged> const counts(counts_.data(), bins);
    histogram(space, n, bin_of_radius{radius_bins(double(cutoff)), radii.data()}, counts, histogram_options);
    std::uint32_t found[bins];
    internal::fetch(space, counts_.data(), found, bins, "upsweep::neighbor_list::radius_counts");
    auto const chosen = chooser(found, one_grid);
    if (!chosen) return;
    internal::grow(space, table_, 1, function, "size_classes");
    Kokkos::deep_copy(space, Kokkos::View<table_type*, memory_space, Kokkos::MemoryUnmanaged>(table_.data(), 1),
                      Kokkos::View<table_type const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&chosen->table, 1));
    space.fence("upsweep::neighbor_list::size_classes");
    count_ = chosen->table.count;
    cells_ = chosen->table.cells();
    candidates_each_ = chosen->tests / static_cast<double>(n);
  }

  void forget() { count_ = 0; }
  bool given() const { return count_ > 0; }
  /// Of all classes.
  int cells() const { return cells_; }
  /// Roughly how many others a particle is compared with.
  double candidates_each() const { return candidates_each_; }
  /// Null where there are no classes.
  table_type const* table() const { return given() ? table_.data() : nullptr; }
  /// Device memory held.
  std::size_t bytes() const {
    return counts_.extent(0) * sizeof(std::uint32_t) + table_.extent(0) * sizeof(table_type);
  }

 private:
  static constexpr char const* function = "neighbor_list";

  int count_ = 0, cells_ = 0;
  double candidates_each_ = 0;
  Kokkos::View<std::uint32_t*, memory_space> counts_;
  Kokkos::View<table_type*, memory_space> table_;
};

}  // namespace upsweep::neighbors::detail
