// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/mpi/detail/agree_and_scan/host_copy.hpp>
#include <upsweep/mpi/detail/bricks/halo_plan.hpp>
#include <upsweep/mpi/detail/rows/listed_rows.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/pack_lists.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace upsweep::mpi::detail {

/// internal::grow, to an eighth more than asked for: numbers of particles and ghosts change a little from build to
/// build.
template <class ExecutionSpace, class View>
void grow_with_room(ExecutionSpace const& space, View& view, std::size_t n, char const* name) {
  if (view.extent(0) < n) upsweep::internal::grow(space, view, n + n / 8, "halo", name);
}

/// Whether a particle is near enough to the border of its brick that it may meet another one.
template <class Positions, class Real>
struct is_near_border {
  Positions positions;
  upsweep::mpi::brick<Real> inner;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    bool inside = true;
    for (int d = 0; d < 3; ++d) inside = inside && positions(i, d) > inner.lo[d] && positions(i, d) < inner.hi[d];
    return !inside;
  }
};

/// The opposite. Without links nothing is near a border.
template <class Positions, class Real>
struct is_interior {
  is_near_border<Positions, Real> border;
  bool has_links;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return !has_links || !border(i); }
};

/// Emits an entry for each link that a particle crosses, the first, second, ... of those near the border.
template <class Positions, class Particles, class Regions>
struct links_of_particle {
  Positions positions;
  Particles particles;
  Regions regions;

  KOKKOS_FUNCTION void operator()(std::size_t k, upsweep::emitter<std::size_t> const& emit) const {
    std::size_t const i = particles(k);
    auto const x = positions(i, 0), y = positions(i, 1), z = positions(i, 2);
    // In the domain's type, which may be longer than the positions': a rounded sum would leave ghosts out.
    auto const meets = [](auto const& region, auto at, int d) {
      auto const shifted = at + region.shift[d];
      return shifted >= region.lo[d] && shifted <= region.hi[d];
    };
    for (std::size_t l = 0; l < regions.extent(0); ++l) {
      auto const& region = regions(l);
      if (meets(region, x, 0) && meets(region, y, 1) && meets(region, z, 2)) emit(list_entry::make(l, i));
    }
  }
};

/// The particles of each link, one link behind the other, each in the order of rows. All memory is kept from call to
/// call. For one instance.
template <class ExecutionSpace, class Real>
class halo_lists {
 public:
  using rows_view = Kokkos::View<std::size_t*, typename ExecutionSpace::memory_space>;

  /// Before list(), for another plan. Waits for the instance.
  void set_links(ExecutionSpace const& space, std::vector<halo_region<Real>> const& regions) {
    regions_ = to_device(space, regions, function, "regions");
    counts_ = allocate<std::uint64_t>(space, regions.size(), function, "counts");
    device_offsets_ = allocate<std::size_t>(space, regions.size() + 1, function, "offsets");
    offsets_.assign(regions.size() + 1, 0);
  }

  /// Waits for the instance. Takes new memory only where there are more particles or ghosts than before.
  template <class Positions>
  void list(ExecutionSpace const& space, Positions const& positions, upsweep::mpi::brick<Real> const& inner) {
    std::size_t const n = positions.extent(0);
    std::size_t const links = regions_.extent(0);
    internal::require(n <= list_entry::rows, function,
                      [&] { return "there are " + std::to_string(n) + " particles; at most 2^40 - 1 are supported"; });
    upsweep::call_options const options{.workspace = &memory(space), .label = function};
    offsets_.assign(links + 1, 0);
    near_count_ = 0;
    if (links == 0) return;
    grow_with_room(space, near_, n, "border");
    near_count_ = upsweep::compact_indices(space, n, near_, is_near_border<Positions, Real>{positions, inner}, options);
    grow_with_room(space, of_particles_.offsets, near_count_ + 1, "links");
    links_of_particle<Positions, rows_view, regions_view> const crossed{positions, near_, regions_};
    upsweep::plan_options const packing{.workspace = &memory(space), .label = function};
    upsweep::count_lists_into(space, near_count_, of_particles_, crossed, packing);
    std::size_t const size = of_particles_.total;
    if (size == 0) return;
    grow_with_room(space, rows_, size, "rows");
    rows_view const entries = Kokkos::subview(rows_, Kokkos::make_pair(std::size_t(0), size));
    upsweep::emit_lists_into(space, of_particles_, entries, crossed, packing);
    sort_entries(space, entries, links, memory(space), function);
    upsweep::histogram(space, size, list_of_entry<rows_view>{entries}, counts_, device_offsets_, options);
    Kokkos::deep_copy(space, host_span<std::size_t>(offsets_.data(), offsets_.size()), device_offsets_);
    upsweep::internal::for_each_index(
        space, [&] { return internal::label(function, "rows"); }, size,
        store_rows<rows_view, rows_view>{entries, entries, size, 0});
    space.fence(internal::label(function, "rows"));
  }

  /// The particles of the last list() that are not near the border, ascending. Waits for the instance.
  template <class Positions>
  rows_view interior(ExecutionSpace const& space, Positions const& positions, upsweep::mpi::brick<Real> const& inner) {
    std::size_t const n = positions.extent(0);
    grow_with_room(space, interior_, n - near_count_, "interior");
    upsweep::call_options const options{.workspace = &memory(space), .label = function};
    std::size_t const count = upsweep::compact_indices(
        space, n, interior_, is_interior<Positions, Real>{{positions, inner}, regions_.extent(0) != 0}, options);
    return Kokkos::subview(interior_, Kokkos::make_pair(std::size_t(0), count));
  }
  /// The others, ascending.
  rows_view border() const { return Kokkos::subview(near_, Kokkos::make_pair(std::size_t(0), near_count_)); }

  /// Rows of link l are rows()(offsets()[l]) ... rows()(offsets()[l + 1] - 1); rows() has more entries than that.
  std::vector<std::size_t> const& offsets() const { return offsets_; }
  rows_view const& rows() const { return rows_; }
  std::size_t size() const { return offsets_.empty() ? 0 : offsets_.back(); }

  /// Temporary memory for what comes before and after, too.
  workspace& memory(ExecutionSpace const& space) {
    if (!memory_) memory_.emplace(space);
    return *memory_;
  }

 private:
  static constexpr char const* function = "halo";
  using memory_space = typename ExecutionSpace::memory_space;
  using regions_view = Kokkos::View<halo_region<Real>*, memory_space>;

  std::optional<workspace> memory_;
  regions_view regions_;
  rows_view near_, interior_, rows_, device_offsets_;
  std::size_t near_count_ = 0;
  Kokkos::View<std::uint64_t*, memory_space> counts_;
  list_plan<std::size_t, memory_space> of_particles_;
  std::vector<std::size_t> offsets_;
};

}  // namespace upsweep::mpi::detail
