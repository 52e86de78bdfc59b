// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// What a lane of a team knows where each warp works on one group: which, and the warp's part of the team's scratch.
template <class Scratch>
struct warp_of_group {
  std::int64_t group;
  int lane;
  Scratch& scratch;
};

/// The groups of a launch begin at `first`; a team has so many warps.
template <class Lanes, class Scratch, class Member>
KOKKOS_FUNCTION warp_of_group<Scratch> find_warp_of_group(Member const& member, std::int64_t first, int warps) {
  int const rank = member.team_rank(), warp = rank / Lanes::size;
  std::size_t const bytes = static_cast<std::size_t>(warps) * sizeof(Scratch);
  auto* const all = static_cast<Scratch*>(member.team_scratch(0).get_shmem_aligned(bytes, 16));
  return {first + static_cast<std::int64_t>(member.league_rank()) * warps + warp, rank % Lanes::size, all[warp]};
}

}  // namespace upsweep::neighbors::detail
