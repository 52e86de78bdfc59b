// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/box/system_memory.hpp>
#include <upsweep/neighbors/detail/builders/compiled_list.hpp>
#include <upsweep/neighbors/detail/builders/list_parts.hpp>
#include <upsweep/neighbors/detail/builders/merge_rows.hpp>
#include <upsweep/neighbors/detail/builders/part_kernels.hpp>
#include <upsweep/neighbors/detail/grid/systems.hpp>
#include <upsweep/neighbors/detail/pairs/pair_arrays.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/reduce.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace upsweep::neighbors::detail {

/// The systems of a batch that are built again while the rows of the others are kept: a batch of their own, which is
/// built as any other, and whose rows are merged with those that were there. Keeps its memory; has none before it is
/// used.
///
/// Steps: take_flags(), whose caller fills them; choose(); gather(), then the part's list is built; merge().
template <class ExecutionSpace, class Real>
class part_of_batch {
 public:
  using memory_space = typename ExecutionSpace::memory_space;
  using list_type = compiled_list<ExecutionSpace, Real, many_systems<Real>>;
  using parts_type = list_parts<ExecutionSpace, Real, many_systems<Real>>;

  std::unique_ptr<list_type> list;  ///< of the part

  int* take_flags(ExecutionSpace const& space, std::size_t systems) {
    internal::grow(space, flags_, systems, function, "rebuild");
    return flags_.data();
  }

  /// Finds out which systems of the batch are in the part, and how many particles these have. Waits for the instance.
  part_size choose(parts_type& batch) {
    auto const& space = batch.space;
    int const count = batch.boxes.systems();
    auto const systems = static_cast<std::size_t>(count);
    internal::grow(space, before_, systems + 1, function, "part");
    in_part_ = {count, flags_.data(), batch.boxes.offsets(), batch.boxes.of_particle(), before_.data()};
    internal::for_each_index(space, "upsweep::batched_neighbor_list::measure_part", systems,
                             measure_part_kernel{flags_.data(), batch.boxes.offsets(), before_.data()});
    scan_counts(batch, before_, systems);
    size_ = {internal::fetch_one(space, before_.data() + systems, function)};
    return size_;
  }

  /// Copies offsets, boxes, positions and options of the part.
  void gather(parts_type const& batch, one_set<Real> const& positions, system_memory<Real> const& systems) {
    auto const& space = batch.space;
    auto const& options = batch.options;
    auto const n = static_cast<std::size_t>(size_.particles());
    bool const has_ids = options.ids.given() || options.exclusions.offsets.given();
    internal::grow(space, system_numbers_, static_cast<std::size_t>(size_.systems()), function, "systems of part");
    internal::grow(space, particle_numbers_, n, function, "particles of part");
    internal::grow(space, x_, 3 * n, function, "positions of part");
    if (has_ids) internal::grow(space, ids_, n, function, "ids of part");
    if (options.types.given()) internal::grow(space, types_, n, function, "types of part");
    if (options.radii.given()) internal::grow(space, radii_, n, function, "radii of part");
    internal::for_each_index(
        space, "upsweep::batched_neighbor_list::gather_systems", static_cast<std::size_t>(in_part_.systems) + 1,
        gather_systems_kernel<Real>{in_part_, batch.boxes.boxes(), systems, system_numbers_.data()});
    internal::for_each_index(
        space, "upsweep::batched_neighbor_list::gather_particles", static_cast<std::size_t>(batch.particles),
        gather_particles_kernel<Real>{.in_part = in_part_,
                                      .positions = positions,
                                      .wide_ids = options.ids.wide().data(),
                                      .narrow_ids = options.ids.narrow().data(),
                                      .types = options.types.data(),
                                      .radii = options.radii.data(),
                                      .x = x_.data(),
                                      .numbers = particle_numbers_.data(),
                                      .own_ids = has_ids ? ids_.data() : nullptr,
                                      .own_types = options.types.given() ? types_.data() : nullptr,
                                      .own_radii = options.radii.given() ? radii_.data() : nullptr});
  }
  /// Those of the part's particles, as gather() has copied them.
  one_set<Real> positions() const { return {x_.data(), 3, 1}; }
  part_numbers numbers(std::int64_t particles) const {
    return {system_numbers_.data(), particle_numbers_.data(), particles};
  }
  /// Those of the batch, of the particles of the part. Exclusions stay those of the batch: part_numbers says whose they
  /// are.
  neighbor_options options(neighbor_options const& of_batch) const {
    auto const n = static_cast<std::size_t>(size_.particles());
    neighbor_options own = of_batch;
    if (own.types.given()) own.types = Kokkos::View<int const*, memory_space>(types_.data(), n);
    if (own.radii.given()) own.radii = Kokkos::View<double const*, memory_space>(radii_.data(), n);
    if (own.ids.given() || own.exclusions.offsets.given())
      own.ids = Kokkos::View<std::int64_t const*, memory_space>(ids_.data(), n);
    return own;
  }

  /// Puts the rows of the part into those of the batch. Waits for the instance once, and again where it frees memory.
  /// Throws: out_of_memory_error.
  merged_summary merge(parts_type& batch, parts_type const& part) {
    auto const& space = batch.space;
    auto const rows = static_cast<std::size_t>(batch.rows), systems = static_cast<std::size_t>(in_part_.systems);
    two_lists const lists{in_part_, batch.offsets.data(), part.offsets.data()};
    internal::grow(space, offsets_, rows + 1, function, "offsets");
    internal::for_each_index(space, "upsweep::batched_neighbor_list::merge_lengths", rows,
                             merge_lengths_kernel{lists, offsets_.data()});
    scan_counts(batch, offsets_, rows);
    internal::grow(space, begins_, systems, function, "first pairs");
    internal::grow(space, runs_, systems, function, "runs of pairs");
    internal::for_each_index(space, "upsweep::batched_neighbor_list::find_runs", systems,
                             find_runs_kernel{lists, offsets_.data(), begins_.data(), runs_.data()});
    merged_summary const found = reduce(space, rows, summarize_merged{lists, offsets_.data()}, merged_summary_monoid{},
                                        {.workspace = &batch.grid.workspace(), .label = function});
    auto const kept = kept_contents(batch);
    bool const in_place = !found.moved && found.pairs <= batch.arrays.capacity(kept);
    auto& to = in_place ? batch.arrays : arrays_;
    if (!in_place) {
      require_memory(space, to.missing_bytes(kept, found.pairs), function,
                     "a list of " + std::to_string(found.pairs) + " pairs", to.held_bytes(kept, found.pairs));
      to.grow(space, kept, found.pairs, function);
    }
    merge_pairs<Real>{.begins = begins_.data(),
                      .runs = runs_.data(),
                      .systems = in_part_.systems,
                      .pairs = found.pairs,
                      .in_place = in_place,
                      .to = {to, kept},
                      .kept = {batch.arrays, kept},
                      .rebuilt = {part.arrays, kept}}
        .launch(space);
    std::swap(batch.offsets, offsets_);
    if (!in_place) std::swap(batch.arrays, arrays_);
    return found;
  }

  /// Device memory held, but that of the part's list.
  std::size_t bytes(pair_contents const& kept) const {
    return sizeof(int) *
               (flags_.extent(0) + system_numbers_.extent(0) + particle_numbers_.extent(0) + types_.extent(0)) +
           sizeof(std::size_t) * (before_.extent(0) + offsets_.extent(0) + begins_.extent(0)) +
           sizeof(pair_run) * runs_.extent(0) + sizeof(Real) * x_.extent(0) + sizeof(std::int64_t) * ids_.extent(0) +
           sizeof(double) * radii_.extent(0) + arrays_.held_bytes(kept, ~std::uint64_t(0));
  }

 private:
  static constexpr char const* function = many_systems<Real>::function;

  /// What the list gives: not what it needs while it is built.
  static pair_contents kept_contents(parts_type const& batch) {
    auto kept = batch.contents();
    kept.extra_images = kept.packs_images = false;
    return kept;
  }

  /// The first n entries become what is before each, and the one behind them the sum of all.
  static void scan_counts(parts_type& batch, Kokkos::View<std::size_t*, memory_space> const& counts, std::size_t n) {
    using view = Kokkos::View<std::size_t*, memory_space, Kokkos::MemoryUnmanaged>;
    counts_to_offsets(batch.space, view(counts.data(), n), view(counts.data(), n + 1),
                      {.workspace = &batch.grid.workspace(), .label = function});
  }

  systems_in_part in_part_ = {};
  part_size size_ = {};
  Kokkos::View<int*, memory_space> flags_, system_numbers_, particle_numbers_, types_;
  Kokkos::View<std::size_t*, memory_space> before_, begins_;
  Kokkos::View<pair_run*, memory_space> runs_;
  Kokkos::View<Real*, memory_space> x_;
  Kokkos::View<std::int64_t*, memory_space> ids_;
  Kokkos::View<double*, memory_space> radii_;
  // The next rows, while the last ones are read.
  Kokkos::View<std::size_t*, memory_space> offsets_;
  pair_arrays<memory_space, Real> arrays_;
};

}  // namespace upsweep::neighbors::detail
