// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/builders/list_parts.hpp>
#include <upsweep/neighbors/detail/builders/mask_builder.hpp>
#include <upsweep/neighbors/detail/few_particles/build_rows.hpp>
#include <upsweep/neighbors/detail/few_particles/few_particles_slots.hpp>
#include <upsweep/neighbors/detail/grid/bin_in_each_team.hpp>
#include <upsweep/neighbors/detail/grid/check_particles.hpp>
#include <upsweep/neighbors/detail/grid/few_particles_report.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>
#include <upsweep/neighbors/detail/grid/row_sums.hpp>
#include <upsweep/neighbors/detail/grid/systems.hpp>
#include <upsweep/neighbors/detail/rules/neighbor_search.hpp>
#include <upsweep/neighbors/options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace upsweep::neighbors::detail {

/// Builds lists of few particles (few_particles_report.hpp). Keeps its memory.
template <class ExecutionSpace, class Real>
class few_particles_builder {
  using lanes = internal::warp_lanes;
  using positions_type = strided_positions<Real>;
  using bin_kernel = bin_in_each_team<lanes, positions_type, Real>;
  using row_kernel = build_rows_by_warps<lanes, Real, one_system_on_device<Real>>;

 public:
  using memory_space = typename ExecutionSpace::memory_space;
  using systems = one_system_on_device<Real>;
  using slots = few_particles_slots<Real>;
  using parts_type = list_parts<ExecutionSpace, Real, one_system<Real>>;
  static constexpr bool exists = compat::has_warps_of_32<ExecutionSpace>;
  /// As many as there are rows in two waves of an H100's 132 multiprocessors: 5280 particles took 57 us there, and 65
  /// by masks (2026-11-28). Of 3646 particles on, their cells and order take more than the 48 KiB of scratch that
  /// Kokkos had before 5.2.
  static constexpr std::int64_t most_particles = compat::has_large_scratch ? 5280 : 3584;

  /// Whether a list of n particles in one set is built here. What radii and max_neighbors ask for, and the edges that
  /// wrapping took off particles, take passes of their own; masks can be cut to fit a memory budget.
  static bool takes(std::int64_t n, neighbor_options const& options) {
    return exists && n > 0 && n <= most_particles && options.builder == neighbor_builder::automatic &&
           !options.radii.given() && !options.unwrapped_images && !options.max_neighbors && !options.memory_budget;
  }

  explicit few_particles_builder(ExecutionSpace const& space) : space_(space) {}

  static constexpr bool sorts_rows = mask_builder<ExecutionSpace, Real>::sorts_rows;
  static bool stores_values(row_order order) { return mask_builder<ExecutionSpace, Real>::stores_values(order); }
  bool has_waited() const { return are_written_; }
  /// Device memory held.
  std::size_t bytes() const {
    return report_.extent(0) * sizeof(few_particles_report<Real>) + sums_.extent(0) * sizeof(std::uint64_t);
  }

  /// Counts pairs, too. For a list, it writes the rows that arrays have room for already.
  /// Throws: precondition_error naming the first particle that cannot be used, or where the cutoff reaches too far.
  void bin(parts_type& parts, aim what, positions_type const& positions) {
    auto const binned = parts.grid.update_few_particles(*this, positions, parts.particles, parts.rows, parts.boxes,
                                                        parts.cutoff, parts.ids.in(parts.options));
    internal::grow(space_, parts.offsets, static_cast<std::size_t>(parts.rows) + 1, function, "offsets");
    auto const to = what == aim::list ? slots_of(parts) : slots();
    search_ = neighbor_search<Real, systems>{binned, parts.make_rules()};
    auto const found = find_rows(parts.offsets.data(), to, positions);
    parts.grid.set_geometry(found.layout.grid);
    totals_ = {found.pairs, found.largest_row};
    are_written_ = to.hold(found.pairs);
  }

  pair_totals count(parts_type& parts, aim what) {
    if (what == aim::list) parts.require_memory_for(totals_.pairs);
    return totals_;
  }

  void emit(parts_type& parts) {
    if (are_written_) return;
    Kokkos::deep_copy(space_, sums_, 0);
    launch_rows(parts.offsets.data(), slots_of(parts));
  }

  // What the grid bins by.

  /// Where binning leaves its report.
  few_particles_report<Real>* report() {
    internal::grow(space_, report_, 1, function, "report");
    return report_.data();
  }
  void launch_bin(bin_kernel const& kernel) {
    cutoff_ = kernel.frame.cutoff;
    static_assert(most_particles <= bin_kernel::most_particles);
    launch("bin", kernel.teams(), kernel, kernel.scratch_bytes());
  }
  /// What rows are added up with; to be cleared by launch_bin().
  row_sums sums(std::int64_t rows) {
    int const teams = row_kernel::teams(rows, row_kernel::parts_of_row(rows));
    internal::grow(space_, sums_, row_sums::words_of(teams), function, "sums of rows");
    return {sums_.data(), teams};
  }

 private:
  static constexpr char const* function = "neighbor_list";
  static constexpr std::size_t scratch_alignment = 16;
  using mailbox = Kokkos::View<few_particles_report<Real>, compat::mailbox_space<ExecutionSpace>>;

  static slots slots_of(parts_type const& parts) {
    return {parts.arrays, parts.contents(), stores_values(parts.options.order)};
  }

  /// Turns rows of the search into offsets, and writes the rows that there is room for: all, if slots hold the pairs of
  /// the report. Waits for the instance.
  few_particles_report<Real> find_rows(std::size_t* offsets, slots const& to, positions_type const& positions) {
    if (mailbox_.data() == nullptr) mailbox_ = mailbox("upsweep::neighbor_list::mailbox");
    launch_rows(offsets, to);
    space_.fence("upsweep::neighbor_list::totals");
    few_particles_report<Real> const found = *mailbox_.data();
    auto const& sim_box = search_->particles.sim_box;
    if (found.bad != 0) throw_bad_position(space_, positions, static_cast<std::int64_t>(~found.bad), sim_box, function);
    require_reach(found.layout, sim_box, cutoff_, function);
    return found;
  }
  void launch_rows(std::size_t* offsets, slots const& to) {
    int const rows = search_->particles.rows;
    auto const all = sums(rows);
    launch("rows", all.teams,
           row_kernel{{*search_}, report_.data(), mailbox_.data(), all, offsets, to, row_kernel::parts_of_row(rows)},
           sizeof(typename row_kernel::scratch) + scratch_alignment);
  }
  template <class Kernel>
  void launch(char const* name, int teams, Kernel const& kernel, std::size_t scratch) const {
    using policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<Kernel::team_size, Kernel::least_resident>>;
    auto const where =
        policy(space_, teams, Kernel::team_size).set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch)));
    Kokkos::parallel_for(internal::label(function, name, {}), compat::light(where), kernel);
  }

  ExecutionSpace space_;
  Real cutoff_ = 0;
  Kokkos::View<few_particles_report<Real>*, memory_space> report_;
  Kokkos::View<std::uint64_t*, memory_space> sums_;
  mailbox mailbox_;
  std::optional<neighbor_search<Real, systems>> search_;
  pair_totals totals_;
  bool are_written_ = false;
};

}  // namespace upsweep::neighbors::detail
