// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/base/internal/memory/undo_on_error.hpp>
#include <upsweep/neighbors/detail/box/system_memory.hpp>
#include <upsweep/neighbors/detail/grid/radius_bins.hpp>
#include <upsweep/neighbors/detail/grid/system_classes.hpp>
#include <upsweep/neighbors/detail/grid/system_kernels.hpp>
#include <upsweep/neighbors/detail/grid/unmeasured_systems.hpp>
#include <upsweep/neighbors/detail/options/largest_square.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/segmented_reduce.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace upsweep::neighbors::detail {

/// The systems of a batch on the device: where the particles of each begin, its box, and, once measured, its grid.
/// Memory is kept. No step is done system by system on the host, except for the choice of size classes.
template <class ExecutionSpace, std::floating_point Real>
class system_table {
 public:
  using memory_space = typename ExecutionSpace::memory_space;
  using box_type = box<Real>;

  /// Memory for so many offsets and boxes, which the caller fills. Offsets are checked by measure(). The systems that
  /// were there before are kept, for take_back().
  /// Throws: precondition_error unless there is one more offset than boxes. After an error nothing has changed.
  system_memory<Real> renew(ExecutionSpace const& space, std::size_t offsets, std::size_t boxes) {
    internal::require(boxes < static_cast<std::size_t>(std::numeric_limits<int>::max()), function,
                      [&] { return std::to_string(boxes) + " systems are too many"; });
    internal::require(offsets > 0, function,
                      "batch_offsets is empty; it begins with 0, and has an entry more for each system");
    internal::require(offsets == boxes + 1, function, [&] {
      return "batch_offsets has " + std::to_string(offsets) + " entries for " + std::to_string(boxes) +
             " boxes; it needs one more than boxes";
    });
    internal::undo_on_error const undo([this] { take_back(); });
    take_back();
    given_.systems = static_cast<int>(boxes);
    given_.count = given_.systems > 0 ? given_.systems : 1;
    auto const n = static_cast<std::size_t>(given_.count);
    internal::grow(space, given_.offsets, n + 1, function, "batch_offsets");
    internal::grow(space, given_.boxes, n, function, "boxes");
    return {given_.offsets.data(), given_.boxes.data()};
  }

  /// The systems are those that were there before the last renew().
  void take_back() {
    std::swap(given_, others_);
    known_particles_ = -1;
    has_grids_ = false;
  }

  /// The grids of n particles, with size classes where radii are given and differ much. Waits for the instance, once;
  /// where size classes may pay some times more.
  /// Throws: precondition_error naming the first system whose offset is wrong, the first particle that cannot be used
  /// and its system, or the first system of which the cutoff reaches over too many images; overflow_error.
  template <class Positions>
  many_systems<Real> measure(ExecutionSpace const& space, Positions const& positions, std::int64_t n, Real cutoff,
                             neighbor_options::optional_input<double> const& radii, scan_options const& options) {
    bin_of_radius const bin_of{radius_bins(double(cutoff)), radii.data()};
    internal::require(given_.count > 0, function, "no systems are given yet");
    int const count = given_.count;
    auto const systems = static_cast<std::size_t>(count);
    bool const is_known = known_particles_ == n;
    known_particles_ = -1;
    has_grids_ = false;
    take_memory(space, n);
    internal::grow(space, summaries_, systems, function, "summaries");
    internal::grow(space, first_cells_, systems + 1 + fault_words, function, "first cells");
    auto* const faults = reinterpret_cast<batch_faults*>(first_cells_.data() + systems + 1);
    Kokkos::deep_copy(space, view<std::int64_t>(first_cells_.data() + systems + 1, fault_words), std::int64_t(0));
    constexpr int block = compat::is_gpu<ExecutionSpace> ? 1 : 256;
    if (!is_known)
      internal::for_each_index(space, "upsweep::batched_neighbor_list::systems",
                               internal::divide_up(static_cast<std::size_t>(n), std::size_t(block)),
                               find_systems_kernel<block>{offsets(), count, n, of_particle_.data()});
    known_particles_ = n;
    segmented_reduce(space, static_cast<std::size_t>(n),
                     summarize_in_system<Positions, Real>{positions, of_particle_.data(), boxes(), bin_of},
                     segment_offsets{view<std::int64_t const>(offsets(), systems + 1)},
                     view<particle_summary<Real>>(summaries_.data(), systems), particle_summary_monoid<Real>{},
                     {.workspace = options.workspace, .label = options.label});
    lay_out_systems_kernel<Real> const lay_out{offsets(), boxes(), summaries_.data(), count,
                                               n,         cutoff,  grids_.data(),     faults};
    internal::for_each_index(space, "upsweep::batched_neighbor_list::grids", systems, lay_out);
    many_systems<Real> result{.grids = grids_.data(),
                              .boxes = boxes(),
                              .first_cells = first_cells_.data(),
                              .of_particle = of_particle_.data(),
                              .offsets = offsets(),
                              .count = count,
                              .part = part_};
    report found = place_cells(space, result, options);
    if (found.faults.offset != 0) throw_bad_offset(space, index(found.faults.offset), n, options);
    if (found.faults.particle != 0) {
      auto const i = index(found.faults.particle);
      auto const system = fetch_one(space, of_particle_.data() + i);
      throw_bad_position(space, positions, i, fetch_box(space, system), function, part_.name_of(space, system),
                         part_.number_of(space, i));
    }
    if (found.faults.reach != 0) throw_far_reach(space, index(found.faults.reach), lay_out);
    if (found.faults.small != 0) {
      choose_classes(space, lay_out, bin_of, {.workspace = options.workspace, .label = options.label});
      result.classes = classes_.tables();
      result.table_of = classes_.table_of();
      if (result.classes != nullptr) found = place_cells(space, result, options);
    }
    if (found.cells >= std::numeric_limits<int>::max())
      throw overflow_error(std::string(function) + ": " + std::to_string(found.cells) + " cells; at most " +
                           std::to_string(std::numeric_limits<int>::max() - 1) + " are supported");
    cells_ = static_cast<int>(found.cells);
    has_grids_ = true;
    largest_ = static_cast<std::int64_t>(found.faults.largest);
    return result;
  }

  /// For a kernel that checks n particles and lays out the grids itself. Does not wait.
  unmeasured_systems<Real> unmeasured(ExecutionSpace const& space, one_set<Real> const& positions, std::int64_t n,
                                      Real cutoff, bool include_cutoff) {
    // The systems of other particles are not known any more, whatever happens next.
    if (known_particles_ != n) known_particles_ = -1;
    take_memory(space, n);
    return {.positions = positions,
            .particles = n,
            .offsets = offsets(),
            .boxes = boxes(),
            .count = given_.count,
            .cutoff = cutoff,
            .cutoff_squared = largest_square(cutoff, include_cutoff),
            .grids = grids_.data(),
            .grids_are_known = has_grids_,
            .of_particle = known_particles_ == n ? nullptr : of_particle_.data()};
  }
  /// That kernel has found nothing wrong.
  void note_measured(std::int64_t n, std::int64_t largest) {
    known_particles_ = n;
    has_grids_ = true;
    largest_ = largest;
  }

  /// The systems are a part of those that the caller has given.
  void set_numbers(part_numbers const& numbers) { part_ = numbers; }

  int systems() const { return given_.systems; }
  /// Particles of the largest of the systems that were measured or noted last; -1: none were.
  std::int64_t largest() const { return largest_; }
  std::int64_t const* offsets() const { return given_.offsets.data(); }
  box_type const* boxes() const { return given_.boxes.data(); }
  /// Cells of all systems, once measured.
  int cells() const { return cells_; }
  int const* of_particle() const { return of_particle_.data(); }
  /// Device memory held, in bytes.
  std::size_t bytes() const {
    return given_.bytes() + others_.bytes() + sizeof(std::int64_t) * first_cells_.extent(0) +
           sizeof(int) * of_particle_.extent(0) + sizeof(particle_summary<Real>) * summaries_.extent(0) +
           sizeof(grid_geometry<Real>) * grids_.extent(0) + classes_.bytes();
  }

 private:
  static constexpr char const* function = many_systems<Real>::function;
  static constexpr std::size_t fault_words = sizeof(batch_faults) / sizeof(std::int64_t);

  template <class T>
  using view = Kokkos::View<T*, memory_space, Kokkos::MemoryUnmanaged>;

  /// What the host asks for: behind the first cells of all systems the faults.
  struct report {
    std::int64_t cells;
    batch_faults faults;
  };

  /// What was given. count: one where there is no system.
  struct copied_systems {
    int systems = 0, count = 0;
    Kokkos::View<std::int64_t*, memory_space> offsets;
    Kokkos::View<box_type*, memory_space> boxes;

    std::size_t bytes() const { return sizeof(std::int64_t) * offsets.extent(0) + sizeof(box_type) * boxes.extent(0); }
  };

  void take_memory(ExecutionSpace const& space, std::int64_t n) {
    internal::grow(space, of_particle_, static_cast<std::size_t>(n), function, "systems of particles");
    internal::grow(space, grids_, static_cast<std::size_t>(given_.count), function, "grids");
  }

  /// Numbers the cells of all systems.
  report place_cells(ExecutionSpace const& space, many_systems<Real> const& systems, scan_options const& options) {
    auto const count = static_cast<std::size_t>(systems.count);
    exclusive_scan(space, cells_of_systems<Real>{systems}, view<std::int64_t>(first_cells_.data(), count + 1), plus<>{},
                   options);
    report found;
    internal::fetch(space, reinterpret_cast<report const*>(first_cells_.data() + count), &found, 1,
                    "upsweep::batched_neighbor_list::measure");
    return found;
  }

  /// Pre: no system has a fault.
  void choose_classes(ExecutionSpace const& space, lay_out_systems_kernel<Real> at, bin_of_radius const& bin_of,
                      call_options const& options) {
    auto const count = static_cast<std::size_t>(at.count);
    std::vector<std::int64_t> ends(count + 1);
    std::vector<particle_summary<Real>> summaries(count);
    std::vector<box_type> boxes(count, box_type({0, 0, 0}, {1, 1, 1}));
    internal::fetch(space, at.offsets, ends.data(), count + 1, "upsweep::batched_neighbor_list::offsets");
    internal::fetch(space, at.summaries, summaries.data(), count, "upsweep::batched_neighbor_list::summaries");
    internal::fetch(space, at.boxes, boxes.data(), count, "upsweep::batched_neighbor_list::boxes");
    at.offsets = ends.data();
    at.summaries = summaries.data();
    at.boxes = boxes.data();
    classes_.set(space, at, of_particle_.data(), bin_of, options);
  }

  static std::int64_t index(std::uint64_t complement) { return static_cast<std::int64_t>(~complement); }
  template <class T>
  static T fetch_one(ExecutionSpace const& space, T const* device) {
    return internal::fetch_one(space, device, function);
  }
  box_type fetch_box(ExecutionSpace const& space, std::int64_t system) const {
    box_type result({0, 0, 0}, {1, 1, 1});
    internal::fetch(space, boxes() + system, &result, 1, "upsweep::batched_neighbor_list::box");
    return result;
  }

  [[noreturn]] void throw_bad_offset(ExecutionSpace const& space, std::int64_t system, std::int64_t n,
                                     scan_options const& options) const {
    // The reduction has met it, too, and noted it for later.
    try {
      options.workspace->check(space);
    } catch (precondition_error const&) {
    }
    std::int64_t ends[2];
    internal::fetch(space, offsets() + system, ends, 2, "upsweep::batched_neighbor_list::offsets");
    internal::require(given_.systems > 0 || ends[0] != 0, function, [&] {
      return "there are " + std::to_string(n) +
             " particles and no systems: batch_offsets has one entry, and boxes has none";
    });
    internal::require(given_.systems > 0, function, [&] {
      return "batch_offsets begins with " + std::to_string(ends[0]) + "; it must begin with 0";
    });
    throw precondition_error(std::string(function) + ": " + part_.name_of(space, system) + "batch_offsets are " +
                             std::to_string(ends[0]) + " and " + std::to_string(ends[1]) +
                             "; they begin with 0, never descend and end with the " + std::to_string(n) + " particles");
  }

  [[noreturn]] void throw_far_reach(ExecutionSpace const& space, std::int64_t system,
                                    lay_out_systems_kernel<Real> at) const {
    std::int64_t ends[2];
    internal::fetch(space, offsets() + system, ends, 2, "upsweep::batched_neighbor_list::offsets");
    auto const summary = fetch_one(space, summaries_.data() + system);
    auto const sim_box = fetch_box(space, system);
    at.offsets = ends;
    at.boxes = &sim_box;
    at.summaries = &summary;
    require_reach(at.lay_out(0), sim_box, at.cutoff, function, part_.name_of(space, system));
    throw error(error_kind::unknown, std::string(function) + ": a grid is another one on the device");
  }

  copied_systems given_, others_;  ///< others: those of before, and memory for the next ones
  int cells_ = 0;
  std::int64_t known_particles_ = -1;  ///< so many have their systems in of_particle_; -1: none
  bool has_grids_ = false;             ///< of the systems that are given
  std::int64_t largest_ = -1;
  part_numbers part_;
  Kokkos::View<std::int64_t*, memory_space> first_cells_;
  Kokkos::View<int*, memory_space> of_particle_;
  Kokkos::View<particle_summary<Real>*, memory_space> summaries_;
  Kokkos::View<grid_geometry<Real>*, memory_space> grids_;
  system_classes<ExecutionSpace, Real> classes_;
};

}  // namespace upsweep::neighbors::detail
