// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What tests of GPU kernels for groups of particles share: kernels run on a CPU with lockstep lanes.

#include "host_list.hpp"

#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_league.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>

namespace lockstep_groups {

using host = Kokkos::DefaultHostExecutionSpace;
using lanes = upsweep::team::testing::lockstep_lanes<32>;

template <class Real>
struct host_positions {
  std::array<Real, 3> const* x;
  Kokkos::Array<Real, 3> operator()(std::int64_t i) const { return {x[i][0], x[i][1], x[i][2]}; }
};

/// The points times a factor.
template <class Real>
oracle::points<Real> scaled(oracle::points<Real> x, Real by) {
  for (auto& p : x)
    for (auto& c : p) c *= by;
  return x;
}
template <class Real>
oracle::cell_box<Real> cube_of(Real length) {
  return {{0, 0, 0}, {length, length, length}, {true, true, true}};
}

/// Runs the kernel with pass.warps_per_group warps for each group.
template <class Kernel>
void run(Kernel const& kernel, std::int64_t groups) {
  std::int64_t const all = groups * kernel.pass.warps_per_group;
  upsweep::team::testing::lockstep_league league(Kernel::scratch_bytes);
  league.run(static_cast<int>((all + Kernel::warps - 1) / Kernel::warps), Kernel::warps * lanes::size,
             [&](upsweep::team::testing::lockstep_league_member const& m) { kernel(m); });
}

}  // namespace lockstep_groups
