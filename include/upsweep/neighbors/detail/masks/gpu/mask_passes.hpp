// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/masks/gpu/count_flat.hpp>
#include <upsweep/neighbors/detail/masks/gpu/count_hits.hpp>
#include <upsweep/neighbors/detail/masks/gpu/emit_flat.hpp>
#include <upsweep/neighbors/detail/masks/gpu/emit_hits.hpp>
#include <upsweep/neighbors/detail/masks/gpu/keep_nearest_gpu.hpp>

#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// The two passes of the fast builder where there are warps. Where rows are limited, another one chooses between them.
template <class ExecutionSpace, class Real, class Systems>
struct mask_passes_gpu {
  using pass_type = mask_pass<Real, Systems>;

  /// Particles a group: as many as a warp has lanes, fewer where groups would not fill the device. H200, floats, whole
  /// builds: 32,000 particles 0.154, 0.143, 0.149 ms in groups of 8, 16, 32; 100,000 particles 0.265, 0.231, 0.212 ms.
  static int group_size(std::int64_t particles) { return particles < 50000 ? 16 : 32; }

  /// Particles of a group that is of several cells.
  static int most_merged(std::int64_t particles) { return group_size(particles) * 3 / 4; }

  static void count(ExecutionSpace const& space, pass_type const& pass, row_counts const& rows, bool keep) {
    count_all(space, pass, rows, keep);
    if (!pass.search.rules.limits_rows()) return;
    if (pass.search.particles.has_classes())
      return launch(space, "upsweep::neighbor_list::keep_nearest", pass,
                    keep_nearest_gpu<Real, true, Systems>{pass, rows});
    launch(space, "upsweep::neighbor_list::keep_nearest", pass, keep_nearest_gpu<Real, false, Systems>{pass, rows});
  }

  /// Rules about pairs have one kernel here, not four: each user's functor is compiled with each kernel.
  template <class Visitor>
  static void visit(ExecutionSpace const& space, pass_type const& pass, Visitor const& visitor) {
    if (numbers_candidates(pass)) {
      if constexpr (std::is_same_v<Systems, one_system<Real>>)
        launch(space, "upsweep::for_each_pair::visit", pass,
               count_flat_gpu<Real, Systems, warp_lanes, 8, Visitor>{pass, {}, false, visitor});
      return;
    }
    auto const& rules = pass.search.rules;
    auto const& p = pass.search.particles;
    if (p.has_classes()) visit_by<hit_rules::classes>(space, pass, visitor);
    else if (rules.limits_distances() || rules.limits_ids() || p.images != nullptr)
      visit_by<hit_rules::all>(space, pass, visitor);
    else visit_by<hit_rules::none>(space, pass, visitor);
  }

  static void emit(ExecutionSpace const& space, pass_type const& pass, row_slots const& rows) {
    if (rows.images == nullptr) emit_by<false, false>(space, pass, rows);
    else emit_by<true, false>(space, pass, rows);
  }
  static void emit(ExecutionSpace const& space, pass_type const& pass, value_slots<Real> const& rows) {
    emit_by<true, true>(space, pass, rows);
  }

 private:
  /// Whether candidates of groups have a flat numbering (count_flat.hpp): where they are few, and the cutoff alone
  /// decides. Counting and emission ask for the same pass, since each has words of its own.
  /// H100, 2026-11-25, 10^6 uniform particles in double, count + emission in us: 20 neighbours 425 + 269 with blocks of
  /// candidates, 275 + 233 numbered, 1228 + 744 with a warp per row; 78 neighbours 528 + 392, 392 + 497, 2294 + 1060.
  /// Whole builds: 946 and 1118 us before, 765 and 1089 numbered.
  static bool numbers_candidates(pass_type const& pass) {
    if constexpr (std::is_same_v<Systems, one_system<Real>>) {
      auto const& rules = pass.search.rules;
      auto const& p = pass.search.particles;
      if (rules.limits_distances() || rules.limits_ids() || rules.limits_rows()) return false;
      if (p.images != nullptr || p.has_classes()) return false;
      // Then a group has 9 runs, each in up to 3 images.
      for (int const reach : p.grid.reach)
        if (reach != 1) return false;
      constexpr double most = 640;  // candidates a particle, on average
      return 27.0 * p.places <= most * p.grid.total();
    } else {
      return false;
    }
  }

  static void count_all(ExecutionSpace const& space, pass_type const& pass, row_counts const& rows, bool keep) {
    if (numbers_candidates(pass)) {
      if constexpr (std::is_same_v<Systems, one_system<Real>>)
        launch(space, "upsweep::neighbor_list::count", pass, count_flat_gpu<Real, Systems>{pass, rows, keep});
      return;
    }
    auto const& rules = pass.search.rules;
    auto const& p = pass.search.particles;
    bool const images = p.images != nullptr, by_distance = rules.limits_distances(), by_id = rules.limits_ids();
    if (p.has_classes()) count_by<hit_rules::classes>(space, pass, rows, keep);
    else if (by_distance && (by_id || images)) count_by<hit_rules::all>(space, pass, rows, keep);
    else if (by_distance) count_by<hit_rules::distances>(space, pass, rows, keep);
    else if (by_id) count_by<hit_rules::ids>(space, pass, rows, keep);
    else if (images) count_by<hit_rules::images>(space, pass, rows, keep);
    else count_by<hit_rules::none>(space, pass, rows, keep);
  }

  template <hit_rules Rules>
  static void count_by(ExecutionSpace const& space, pass_type const& pass, row_counts const& rows, bool keep) {
    launch(space, "upsweep::neighbor_list::count", pass, count_hits_gpu<Real, Rules, Systems>{pass, rows, keep});
  }

  template <hit_rules Rules, class Visitor>
  static void visit_by(ExecutionSpace const& space, pass_type const& pass, Visitor const& visitor) {
    launch(space, "upsweep::for_each_pair::visit", pass,
           count_hits_gpu<Real, Rules, Systems, warp_lanes, Visitor>{pass, {}, false, visitor});
  }

  template <bool Imaged, bool Values>
  static void emit_by(ExecutionSpace const& space, pass_type const& pass, slots_of<Real, Values> const& rows) {
    if constexpr (std::is_same_v<Systems, one_system<Real>>)
      if (numbers_candidates(pass))
        return launch(space, "upsweep::neighbor_list::emit", pass,
                      emit_flat_gpu<Real, Imaged, Values, Systems>{pass, rows});
    if (pass.search.particles.has_classes())
      return launch(space, "upsweep::neighbor_list::emit", pass,
                    emit_hits_gpu<Real, Imaged, Values, true, Systems>{pass, rows});
    launch(space, "upsweep::neighbor_list::emit", pass,
           emit_hits_gpu<Real, Imaged, Values, false, Systems>{pass, rows});
  }

  template <class Kernel>
  static void launch(ExecutionSpace const& space, char const* name, pass_type const& pass, Kernel const& kernel) {
    std::int64_t const groups = pass.last_group - pass.first_group;
    if (groups <= 0) return;
    int const teams = static_cast<int>(internal::divide_up<std::int64_t>(groups, Kernel::warps));
    constexpr int team_size = Kernel::warps * internal::warp_lanes::size;
    constexpr int resident = compat::resident_teams(Kernel::resident_teams, team_size, Kernel::scratch_bytes);
    using bounds = Kokkos::LaunchBounds<team_size, resident>;
    auto policy = Kokkos::TeamPolicy<ExecutionSpace, bounds>(space, teams, team_size)
                      .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes)));
    // Light: the functor goes along with the launch, which otherwise waits for an earlier one that took the same way.
    Kokkos::parallel_for(
        name, Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight), kernel);
  }
};

}  // namespace upsweep::neighbors::detail
