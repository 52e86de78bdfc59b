// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/masks/hit_masks.hpp>

#include <algorithm>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// The teams that work on groups.
enum class group_teams {
  of_all_groups,  ///< as many as groups ask for
  of_the_device,  ///< no more than the device holds: a kernel that may have nothing to do takes groups in turns
};

/// Runs a kernel with pass.warps_per_group warps for each group of a pass.
template <class ExecutionSpace, class Real, class Systems, class Kernel>
void launch_groups(ExecutionSpace const& space, char const* name, mask_pass<Real, Systems> const& pass,
                   Kernel const& kernel, group_teams which = group_teams::of_all_groups) {
  std::int64_t const groups = pass.last_group - pass.first_group;
  if (groups <= 0) return;
  constexpr int team_size = Kernel::warps * internal::warp_lanes::size;
  auto const all = internal::divide_up<std::int64_t>(groups * kernel.pass.warps_per_group, Kernel::warps);
  std::int64_t const most =
      which == group_teams::of_all_groups ? all : std::int64_t(compat::multiprocessors(space)) * Kernel::resident_teams;
  int const teams = static_cast<int>(std::min(all, most));
  using policy_type =
      compat::resident_team_policy<ExecutionSpace, Kernel::resident_teams, team_size, Kernel::scratch_bytes>;
  auto const policy = policy_type(space, teams, team_size)
                          .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes)));
  Kokkos::parallel_for(name, compat::light(policy), kernel);
}

}  // namespace upsweep::neighbors::detail
