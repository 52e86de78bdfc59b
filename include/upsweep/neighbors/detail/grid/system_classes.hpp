// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/neighbors/detail/grid/choose_classes.hpp>
#include <upsweep/neighbors/detail/grid/radius_bins.hpp>
#include <upsweep/neighbors/detail/grid/size_classes.hpp>
#include <upsweep/neighbors/detail/grid/system_kernels.hpp>
#include <upsweep/pack/histogram.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace upsweep::neighbors::detail {

/// The size classes of the systems of a batch: each has those that its list alone has (class_tables.hpp). Keeps its
/// memory, 16 KB for each system that has classes.
template <class ExecutionSpace, class Real>
class system_classes {
 public:
  using memory_space = typename ExecutionSpace::memory_space;
  using table_type = size_classes<Real>;

  void forget() { given_ = false; }

  /// Chooses them, system by system on the CPU, for those of so many particles that it may pay. The arrays of `on_host`
  /// are there. Waits for the instance.
  void set(ExecutionSpace const& space, lay_out_systems_kernel<Real> const& on_host, int const* of_particle,
           bin_of_radius const& bin_of, call_options const& histogram_options) {
    forget();
    std::vector<int> some, number_of(static_cast<std::size_t>(on_host.count), -1);
    for (int b = 0; b < on_host.count; ++b) {
      if (!on_host.has_small_radii(b)) continue;
      auto const frame = on_host.frame(b);
      if (!chooser(frame, on_host).may_pay(static_cast<double>(on_host.particles_of(b)), on_host.lay_out(b).grid))
        continue;
      number_of[static_cast<std::size_t>(b)] = static_cast<int>(some.size());
      some.push_back(b);
    }
    if (some.empty()) return;
    upload(space, number_of, table_of_, "numbers");
    auto const counts = count_radii(space, {bin_of, of_particle, table_of_.data(), static_cast<int>(some.size())},
                                    on_host.n, histogram_options);
    std::vector<table_type> tables;
    for (std::size_t k = 0; k < some.size(); ++k) {
      auto const frame = on_host.frame(some[k]);
      std::uint32_t own[radius_bins::count];
      std::copy_n(counts.data() + k * radius_bins::count, radius_bins::count, own);
      auto const chosen = chooser(frame, on_host)(own, on_host.lay_out(some[k]).grid);
      number_of[static_cast<std::size_t>(some[k])] = chosen ? static_cast<int>(tables.size()) : -1;
      if (chosen) tables.push_back(chosen->table);
    }
    if (tables.empty()) return;
    upload(space, number_of, table_of_, "tables of systems");
    upload(space, tables, tables_, "size_classes");
    given_ = true;
  }

  /// Null where no system has classes.
  table_type const* tables() const { return given_ ? tables_.data() : nullptr; }
  /// The table of each system; -1: none.
  int const* table_of() const { return table_of_.data(); }
  /// Device memory held.
  std::size_t bytes() const {
    return counts_.extent(0) * sizeof(std::uint32_t) + tables_.extent(0) * sizeof(table_type) +
           table_of_.extent(0) * sizeof(int);
  }

 private:
  static constexpr char const* function = many_systems<Real>::function;

  static class_chooser<Real> chooser(grid_frame<Real> const& frame, lay_out_systems_kernel<Real> const& of) {
    return class_chooser<Real>(frame, of.cutoff, 1);
  }

  template <class T>
  static void upload(ExecutionSpace const& space, std::vector<T> const& from, Kokkos::View<T*, memory_space>& to,
                     char const* name) {
    internal::grow(space, to, from.size(), function, name);
    Kokkos::deep_copy(space, Kokkos::View<T*, memory_space, Kokkos::MemoryUnmanaged>(to.data(), from.size()),
                      Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(from.data(), from.size()));
    space.fence("upsweep::batched_neighbor_list::size_classes");
  }

  std::vector<std::uint32_t> count_radii(ExecutionSpace const& space, bin_in_system const& bin, std::int64_t n,
                                         call_options const& options) {
    std::size_t const bins = (static_cast<std::size_t>(bin.numbers) + 1) * radius_bins::count;
    internal::grow(space, counts_, bins, function, "radius_counts");
    Kokkos::View<std::uint32_t*, memory_space, Kokkos::MemoryUnmanaged> const counts(counts_.data(), bins);
    histogram(space, n, bin, counts, options);
    std::vector<std::uint32_t> found(bins);
    internal::fetch(space, counts_.data(), found.data(), bins, "upsweep::batched_neighbor_list::radius_counts");
    return found;
  }

  bool given_ = false;
  Kokkos::View<std::uint32_t*, memory_space> counts_;
  Kokkos::View<table_type*, memory_space> tables_;
  Kokkos::View<int*, memory_space> table_of_;
};

}  // namespace upsweep::neighbors::detail
