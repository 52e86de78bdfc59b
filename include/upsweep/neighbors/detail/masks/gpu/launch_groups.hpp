// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/masks/hit_masks.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// Runs a kernel with a warp for each group of a pass, or for each part of one.
template <class ExecutionSpace, class Real, class Systems, class Kernel>
void launch_groups(ExecutionSpace const& space, char const* name, mask_pass<Real, Systems> const& pass,
                   Kernel const& kernel) {
  std::int64_t const groups = pass.last_group - pass.first_group;
  if (groups <= 0) return;
  int const teams = static_cast<int>(internal::divide_up<std::int64_t>(groups * kernel.pass.parts, Kernel::warps));
  constexpr int team_size = Kernel::warps * internal::warp_lanes::size;
  using policy_type =
      compat::resident_team_policy<ExecutionSpace, Kernel::resident_teams, team_size, Kernel::scratch_bytes>;
  auto const policy = policy_type(space, teams, team_size)
                          .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes)));
  Kokkos::parallel_for(name, compat::light(policy), kernel);
}

}  // namespace upsweep::neighbors::detail
