// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/masks/gpu/compact_groups.hpp>
#include <upsweep/neighbors/detail/masks/gpu/count_flat.hpp>
#include <upsweep/neighbors/detail/masks/gpu/count_hits.hpp>
#include <upsweep/neighbors/detail/masks/gpu/emit_flat.hpp>
#include <upsweep/neighbors/detail/masks/gpu/emit_hits.hpp>
#include <upsweep/neighbors/detail/masks/gpu/keep_nearest_gpu.hpp>
#include <upsweep/neighbors/detail/masks/gpu/keep_nearest_in_lanes.hpp>
#include <upsweep/neighbors/detail/masks/gpu/launch_groups.hpp>
#include <upsweep/neighbors/detail/masks/gpu/numbers_candidates.hpp>

#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// The two passes of the fast builder where there are warps. Where rows are limited, another one chooses between them.
template <class ExecutionSpace, class Real, class Systems>
struct mask_passes_gpu {
  using pass_type = mask_pass<Real, Systems>;

  /// So many particles make groups of a warp's lanes that fill a device.
  static constexpr std::int64_t enough_for_device = 80000;

  /// Particles per group: as many as a warp has lanes, fewer where groups would not fill the device. H100, doubles,
  /// whole builds in groups of 16, 24, 32 by warps_per_group(), us: 16,000 particles 81, 81, 89; 32,000: 105, 102, 104;
  /// 64,000: 144, 133, 135; 100,000 (one warp per group): 185, 189, 176 (2026-11-28).
  static int group_size(std::int64_t particles) {
    return particles <= 20000 ? 16 : particles <= enough_for_device ? 24 : 32;
  }

  /// Particles of a group that is of several cells.
  static int most_merged(std::int64_t particles) { return group_size(particles) * 3 / 4; }

  /// Whether groups are made compact: where most cells make several. Candidates are numbered (numbers_candidates) in
  /// cells of fewer particles only.
  static bool has_compact_groups(double particles_per_cell) { return particles_per_cell > 40; }
  /// memory: two for each particle.
  static void compact_groups(ExecutionSpace const& space, pass_type& pass, int cells, int* memory) {
    auto const& p = pass.search.particles;
    compact_groups_kernel<Real>{p.starts, cells, group_size(p.places), p.x, p.y, p.z, memory, memory + p.places}.launch(
        space);
    pass.slots = memory;
    pass.slots_of_places = memory + p.places;
  }

  static void count(ExecutionSpace const& space, pass_type const& pass, row_counts const& rows, bool keep) {
    count_all(space, pass, rows, keep);
    if (!pass.search.rules.limits_rows()) return;
    if (pass.search.particles.has_classes()) keep_nearest<true>(space, pass, rows);
    else keep_nearest<false>(space, pass, rows);
  }

  static void emit(ExecutionSpace const& space, pass_type const& pass, row_slots const& rows) {
    if (rows.images == nullptr) emit_by<false, false>(space, pass, rows);
    else emit_by<true, false>(space, pass, rows);
  }
  static void emit(ExecutionSpace const& space, pass_type const& pass, value_slots<Real> const& rows) {
    emit_by<true, true>(space, pass, rows);
  }

 private:
  template <bool Classes>
  static void keep_nearest(ExecutionSpace const& space, pass_type const& pass, row_counts const& rows) {
    bool const are_few = !has_many_candidates(pass.search.particles);
    if (are_few) keep_nearest_by<Classes, few_hits>(space, pass, rows, true);
    keep_nearest_by<Classes, many_hits>(space, pass, rows, !are_few);
    launch_groups(space, "upsweep::neighbor_list::keep_nearest_in_lanes", pass,
                  keep_nearest_in_lanes<Real, Classes, Systems>{pass}, group_teams::of_the_device);
  }
  template <bool Classes, class Room>
  static void keep_nearest_by(ExecutionSpace const& space, pass_type pass, row_counts const& rows, bool is_first) {
    using kernel = keep_nearest_gpu<Real, Classes, Systems, Room>;
    pass.warps_per_group = kernel::warps;
    launch_groups(space, "upsweep::neighbor_list::keep_nearest", pass, kernel{pass, rows, is_first},
                  is_first ? group_teams::of_all_groups : group_teams::of_the_device);
  }
  /// Whether most groups have too many for few_hits: three quarters of the particles of 27 cells are near a group.
  static bool has_many_candidates(binned_particles<Real, Systems> const& p) {
    if constexpr (std::is_same_v<Systems, one_system<Real>>)
      return 27.0 * 0.75 * p.places > double(few_hits::window) * p.grid.total();
    else return false;
  }

  /// Warps that share a group. H100, doubles, whole builds by 1, 2, 4 warps, us: 5,280 particles 91, 75, 65; 8,000: 92,
  /// 75, 66; 16,000: 88, 81, 83; 32,000 in groups of 24: 109, 102 (2026-11-28).
  static int warps_per_group(std::int64_t particles) {
    return particles <= 12000 ? 4 : particles <= enough_for_device ? 2 : 1;
  }
  static pass_type shared_by_warps(pass_type pass) {
    pass.warps_per_group = warps_per_group(pass.search.particles.places);
    return pass;
  }

  static void count_all(ExecutionSpace const& space, pass_type const& pass, row_counts const& rows, bool keep) {
    auto const& rules = pass.search.rules;
    auto const& p = pass.search.particles;
    bool const images = p.images != nullptr, by_distance = rules.limits_distances(), by_id = rules.limits_ids();
    if (numbers_candidates(pass, warps_per_group(p.places))) {
      if (by_distance && by_id) count_flat<hit_rules::all>(space, pass, rows, keep);
      else if (by_distance) count_flat<hit_rules::distances>(space, pass, rows, keep);
      else if (by_id) count_flat<hit_rules::ids>(space, pass, rows, keep);
      else count_flat<hit_rules::none>(space, pass, rows, keep);
    } else if (p.has_classes()) count_by<hit_rules::classes>(space, pass, rows, keep);
    else if (by_distance && (by_id || images)) count_by<hit_rules::all>(space, pass, rows, keep);
    else if (by_distance) count_by<hit_rules::distances>(space, pass, rows, keep);
    else if (by_id) count_by<hit_rules::ids>(space, pass, rows, keep);
    else if (images) count_by<hit_rules::images>(space, pass, rows, keep);
    else count_by<hit_rules::none>(space, pass, rows, keep);
  }

  /// Rules need registers. H200, 1 M particles with 78 neighbours, doubles, counting alone with 5, 6, 7 teams, us: half
  /// lists 728, 707, 724; types 570, 560, 569; radii 579, 568, 567; types with 8 587 (H100; 2026-11-28).
  template <hit_rules Rules>
  static constexpr int resident_teams = Rules == hit_rules::none ? 8 : 6;
  template <hit_rules Rules>
  static void count_flat(ExecutionSpace const& space, pass_type const& pass, row_counts const& rows, bool keep) {
    if constexpr (std::is_same_v<Systems, one_system<Real>>)
      launch_groups(space, "upsweep::neighbor_list::count", pass,
                    count_flat_gpu<Real, Systems, warp_lanes, resident_teams<Rules>, no_visitor, Rules>{
                        shared_by_warps(pass), rows, keep});
  }

  template <hit_rules Rules>
  static void count_by(ExecutionSpace const& space, pass_type const& pass, row_counts const& rows, bool keep) {
    launch_groups(space, "upsweep::neighbor_list::count", pass, count_hits_gpu<Real, Rules, Systems>{pass, rows, keep});
  }

  template <bool Imaged, bool Values>
  static void emit_by(ExecutionSpace const& space, pass_type const& pass, slots_of<Real, Values> const& rows) {
    if constexpr (std::is_same_v<Systems, one_system<Real>>)
      if (numbers_candidates(pass, warps_per_group(pass.search.particles.places)))
        return launch_groups(space, "upsweep::neighbor_list::emit", pass,
                             emit_flat_gpu<Real, Imaged, Values, Systems>{shared_by_warps(pass), rows});
    if (pass.search.particles.has_classes())
      return launch_groups(space, "upsweep::neighbor_list::emit", pass,
                           emit_hits_gpu<Real, Imaged, Values, true, Systems>{pass, rows});
    launch_groups(space, "upsweep::neighbor_list::emit", pass,
                  emit_hits_gpu<Real, Imaged, Values, false, Systems>{pass, rows});
  }
};

}  // namespace upsweep::neighbors::detail
