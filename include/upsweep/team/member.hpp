// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <concepts>

namespace upsweep::team {

/// What the team algorithms ask of a team: a rank, a size and a barrier. Kokkos' TeamPolicy members have them.
template <class M>
concept member = requires(M const& m) {
  { m.team_rank() } -> std::convertible_to<int>;
  { m.team_size() } -> std::convertible_to<int>;
  m.team_barrier();
};

}  // namespace upsweep::team
