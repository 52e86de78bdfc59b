// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/undo_on_error.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/box/positions_of.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/box/system_memory.hpp>
#include <upsweep/neighbors/detail/builders/compiled_list.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/kept_view.hpp>
#include <upsweep/neighbors/neighbor_plan.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/neighbors/options.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace upsweep {

/// Neighbour lists of many systems, each with a box of its own, in one call: molecules, crystals, frames of a
/// trajectory. `batched_neighbor_list nl(space, positions, batch_offsets, boxes, 6.0);`
///
/// Particles batch_offsets(b) ... batch_offsets(b+1) - 1 are system b; batch_offsets(0) is 0, the last entry is the
/// number of particles. A system may be empty. Rows are as positions, and neighbours are indices into them: row i of
/// system b is row i - batch_offsets(b) of the system's list alone, with batch_offsets(b) added, in the same order and
/// with the same images. No pair joins two systems.
///
/// positions: a View (n, 3) of any layout. batch_offsets: a View of integers, one more than systems. boxes: a View or
/// a std::vector of box<Real>, one a system, orthogonal, tilted or of any edges, each direction periodic or open.
/// Offsets and boxes are copied. Programs link Upsweep::batches, too.
/// Options: as neighbor_list, but no `rows`, `images` and `newton`. Ids are unique in a system; where none are given,
/// exclusions name indices into positions.
/// Pre: kernels of the space can read positions, offsets and the Views in options.
/// Cost: that of one list of as many particles, and of one grid per system. Launches and waits as one list has, and
/// three launches more (six with new systems), whatever the number of systems. On NVIDIA GPUs one launch and one wait
/// where systems have 12 particles or more on average, at most 128, and few enough candidates for a team's scratch
/// (2,000 near 128 particles), and the list was built before, if options ask for no more than images and sorted rows.
/// 4 bytes per particle and about 440 (float: 260) per system more, 710 (400)
/// once other systems were given. Where radii differ much in large systems, the CPU chooses the size classes of each of
/// those, from copies of what is known of all systems; 16 KB for each.
/// Order: as neighbor_list, of each system.
/// Sync: waits for the instance.
/// Throws: as neighbor_list; precondition_error naming the system: of offsets that descend or do not end with the
/// number of particles, of a particle that cannot be used, as its options cannot, of a box that the cutoff reaches over
/// too often. After an error of plan() or update() there is no list, and the systems are those that were there before:
/// the next call need not know of the one that failed.
template <class ExecutionSpace, std::floating_point Real>
class batched_neighbor_list {
  using list_type = neighbors::detail::compiled_list<ExecutionSpace, Real, neighbors::detail::many_systems<Real>>;
  static_assert(
      neighbors::detail::list_is_compiled<list_type>,
      "upsweep::batched_neighbor_list: the library has lists of float and double on Kokkos' default execution "
      "space; include <upsweep/neighbors/compile_lists.hpp> for others.");

 public:
  using execution_space = ExecutionSpace;
  using memory_space = typename ExecutionSpace::memory_space;
  using real = Real;

  /// Makes an empty list, to be built by update() or by plan() and emit().
  batched_neighbor_list(ExecutionSpace const& space, Real cutoff, neighbor_options const& options = {})
      : list_(space, cutoff, options) {}

  template <view_argument Positions, view_of_rank_1 Offsets, class Boxes>
  batched_neighbor_list(ExecutionSpace const& space, Positions const& positions, Offsets const& batch_offsets,
                        Boxes const& boxes, std::type_identity_t<Real> cutoff, neighbor_options const& options = {})
      : batched_neighbor_list(space, cutoff, options) {
    update(space, positions, batch_offsets, boxes);
  }

  /// Rebuilds the list, for moved particles of the systems that were given before. Views and pointers taken from it
  /// before are invalid.
  template <view_argument Positions>
  void update(ExecutionSpace const& space, Positions const& positions) {
    list_.build(prepare(space, positions));
  }
  /// The same of other systems.
  template <view_argument Positions, view_of_rank_1 Offsets, class Boxes>
  void update(ExecutionSpace const& space, Positions const& positions, Offsets const& batch_offsets,
              Boxes const& boxes) {
    set_systems(space, batch_offsets, boxes);
    internal::undo_on_error const undo([this] { list_.take_back_systems(); });
    update(space, positions);
  }

  /// Rebuilds the systems whose flags are set, and keeps the rows of the others: `list.update(space, moved, rebuild)`.
  /// rebuild: a View of bool or of integers of one byte, a flag for each system. A flag of 0 keeps the rows of its
  /// system, and all that options keep of their pairs, bit for bit; positions and ids of its particles are not read.
  /// Offsets stay packed. Views and pointers taken from the list before are invalid.
  /// Pre: there is a list of these systems: update all of them first, after an error, too. Kernels can read rebuild.
  /// Cost: that of a batch of the systems flagged; four launches over all rows (about 60 bytes per row); and a copy of
  /// all pairs into other memory, or of those of the flagged systems alone if no kept row moves, as where rows are as
  /// long as before. If no system is flagged, only the flags are read; if all are, it is an update of all. H200, 8192
  /// systems of 128 particles (float, 77 neighbours): all 0.89 ms, half of them 0.85, a hundredth 0.41 (2026-11-29).
  /// Waits three times more than the update. Memory, once used: a second list, and a batch of the systems flagged.
  /// Order: as an update of all systems, the others at their old positions.
  /// Throws: precondition_error if there is no list, or one of another number of particles or systems; for the flagged
  /// systems as update; out_of_memory_error. After an error there is no list.
  template <view_argument Positions, class Flags>
  void update(ExecutionSpace const& space, Positions const& positions, Flags const& rebuild) {
    if constexpr (!is_flag_view<Flags>()) {
      static_assert(
          is_flag_view<Flags>(),
          "upsweep::batched_neighbor_list::update: rebuild is a View of flags, one per system: bool, or integers of "
          "one byte.");
    } else {
      static_assert(
          Kokkos::SpaceAccessibility<ExecutionSpace, typename Flags::memory_space>::accessible,
          "upsweep::batched_neighbor_list::update: rebuild cannot be reached by kernels of this execution space.");
      internal::undo_on_error const undo([this] { list_.forget(); });
      auto const given = neighbors::detail::positions_of<ExecutionSpace, Real>(positions, function);
      neighbors::detail::copy_flags_kernel<Flags> const copy{rebuild,
                                                             list_.start_part(space, given.n, rebuild.extent(0))};
      internal::for_each_index(space, "upsweep::batched_neighbor_list::rebuild", rebuild.extent(0), copy);
      list_.build_part(given.positions);
    }
  }

  /// Bins the particles and counts the pairs, as neighbor_list::plan.
  template <view_argument Positions>
  neighbor_plan const& plan(ExecutionSpace const& space, Positions const& positions) {
    return list_.plan(prepare(space, positions));
  }
  template <view_argument Positions, view_of_rank_1 Offsets, class Boxes>
  neighbor_plan const& plan(ExecutionSpace const& space, Positions const& positions, Offsets const& batch_offsets,
                            Boxes const& boxes) {
    set_systems(space, batch_offsets, boxes);
    internal::undo_on_error const undo([this] { list_.take_back_systems(); });
    return plan(space, positions);
  }

  /// Takes the memory that the plan announced and fills it. Pre: positions and ids are those of the plan.
  void emit() { list_.emit(); }

  std::size_t systems() const { return static_cast<std::size_t>(list_.systems()); }
  std::size_t rows() const { return list_.last_plan().rows; }
  std::size_t pairs() const { return list_.last_plan().pairs; }
  std::size_t largest_row() const { return list_.last_plan().largest_row; }
  /// Of the last build: what it counted and the memory it took.
  neighbor_plan last_plan() const {
    neighbor_plan plan = list_.last_plan();
    plan.other_bytes += list_.bytes_of_systems();
    return plan;
  }
  /// rows + 1 entries; the last is the number of pairs. Known from the plan on.
  Kokkos::View<std::size_t const*, memory_space> offsets() const { return list_.offsets(); }
  /// Indices into positions.
  Kokkos::View<int const*, memory_space> neighbors() const { return list_.neighbors(); }
  /// The image of each neighbour in the box of its system, given with options.pair_images.
  kept_view<Kokkos::View<image const*, memory_space>> pair_images() const {
    return {list_.pair_images(), function, "pair_images"};
  }
  /// What else options ask for, as neighbor_list gives it: first indices are of the batch, images and displacements are
  /// in the box of the system.
  auto first_indices() const { return kept_view(list_.first_indices(), function, "first_indices"); }
  auto unwrapped_images() const { return kept_view(list_.unwrapped_images(), function, "unwrapped_images"); }
  auto displacements() const { return kept_view(list_.displacements(), function, "displacements"); }
  auto distances() const { return kept_view(list_.distances(), function, "distances"); }
  /// The system of each particle: what a kernel needs to know its box.
  Kokkos::View<int const*, memory_space> system_of() const {
    return Kokkos::View<int const*, memory_space>(list_.system_of(), rows());
  }

  /// As neighbor_list::view().
  neighbor_rows<> view() const& { return list_.view(); }
  /// The pointers would outlive a temporary list.
  neighbor_rows<> view() const&& = delete;

  // For callers who forgot the space: one sentence, and no list of all forms.
  template <class First, class... Others>
    requires(!std::is_convertible_v<First const&, ExecutionSpace const&>)
  void update(First const&, Others const&...) {
    static_assert(
        std::is_same_v<First, ExecutionSpace>,
        "upsweep::batched_neighbor_list::update: the first argument is an instance of the list's execution space.");
  }
  template <class First, class... Others>
    requires(!std::is_convertible_v<First const&, ExecutionSpace const&>)
  neighbor_plan const& plan(First const&, Others const&...) {
    static_assert(
        std::is_same_v<First, ExecutionSpace>,
        "upsweep::batched_neighbor_list::plan: the first argument is an instance of the list's execution space.");
    return list_.last_plan();
  }

 private:
  static constexpr char const* function = "batched_neighbor_list";

  template <class Flags>
  static constexpr bool is_flag_view() {
    // Not of longer integers: they may be offsets, or indices.
    if constexpr (view_of_rank_1<Flags>)
      return std::is_integral_v<typename Flags::non_const_value_type> && sizeof(typename Flags::value_type) == 1;
    else return false;
  }

  template <class Offsets, class Boxes>
  void set_systems(ExecutionSpace const& space, Offsets const& batch_offsets, Boxes const& boxes) {
    static_assert(std::is_integral_v<typename Offsets::non_const_value_type>,
                  "upsweep::batched_neighbor_list: batch_offsets is a View of integers.");
    static_assert(
        Kokkos::SpaceAccessibility<ExecutionSpace, typename Offsets::memory_space>::accessible,
        "upsweep::batched_neighbor_list: batch_offsets cannot be reached by kernels of this execution space.");
    static_assert(std::is_same_v<std::remove_cv_t<typename Boxes::value_type>, box<Real>>,
                  "upsweep::batched_neighbor_list: boxes is a View or a std::vector of boxes of the positions' type.");
    list_.start(space);
    auto const memory = list_.renew_systems(space, batch_offsets.extent(0), boxes.size());
    internal::undo_on_error const undo([this] { list_.take_back_systems(); });
    memory.copy(space, batch_offsets, boxes);
  }

  /// The next build is of these particles.
  template <class Positions>
  auto prepare(ExecutionSpace const& space, Positions const& positions) {
    list_.start(space);
    auto const& options = list_.options();
    internal::require(!options.rows && !options.images.given() && options.newton, function,
                      "batches have no rows and no images of ghosts, and no newton = false");
    auto const given = neighbors::detail::positions_of<ExecutionSpace, Real>(positions, function);
    list_.expect(given.n);
    return given.positions;
  }

  list_type list_;
};

/// A list that was made without the space ends here, in a sentence.
template <class Positions, std::floating_point Real>
  requires(!Kokkos::is_execution_space_v<Positions>)
class batched_neighbor_list<Positions, Real> {
  static_assert(Kokkos::is_execution_space_v<Positions>,
                "upsweep::batched_neighbor_list: the first argument is an execution-space instance.");

 public:
  template <class... Arguments>
  batched_neighbor_list(Arguments const&...) {}
};

template <view_argument Positions, class Offsets, class Boxes, class Cutoff>
batched_neighbor_list(Positions const&, Offsets const&, Boxes const&, Cutoff)
    -> batched_neighbor_list<Positions, typename Boxes::value_type::real>;
template <class ExecutionSpace, class Positions, class Offsets, class Boxes, class Cutoff>
batched_neighbor_list(ExecutionSpace const&, Positions const&, Offsets const&, Boxes const&, Cutoff)
    -> batched_neighbor_list<ExecutionSpace, typename Boxes::value_type::real>;
template <class ExecutionSpace, class Positions, class Offsets, class Boxes, class Cutoff>
batched_neighbor_list(ExecutionSpace const&, Positions const&, Offsets const&, Boxes const&, Cutoff, neighbor_options)
    -> batched_neighbor_list<ExecutionSpace, typename Boxes::value_type::real>;

}  // namespace upsweep
