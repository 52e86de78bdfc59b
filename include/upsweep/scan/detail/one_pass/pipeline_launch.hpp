// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace upsweep::scan::detail {

/// Which stage the i-th tile of a persistent team has, and the parity of that stage's phases.
template <int Stages>
struct stage_cursor {
  int stage = 0;
  std::uint32_t parity = 0;
  KOKKOS_FUNCTION void advance() {
    if (++stage == Stages) {
      stage = 0;
      parity ^= 1u;
    }
  }
};

/// Runs a kernel that goes through its data once, `teams` teams of it, of which a multiprocessor has
/// TeamsPerMultiprocessor, or as many as its scratch has room for. One copy, because Kokkos' kernels have internal
/// linkage, one for each file that launches them, while it remembers once for a program that a kernel has been allowed
/// large scratch: launched through another file, it would not run, and nothing said.
template <int TeamsPerMultiprocessor, class ExecutionSpace, class Kernel>
UPSWEEP_ONE_COPY void launch_pipeline(ExecutionSpace const& space, Kernel const& kernel, std::size_t teams,
                                      std::string_view phase, scan_names const& names) {
  constexpr std::size_t scratch_bytes = sizeof(typename Kernel::shared) + 128;
  using policy = compat::resident_team_policy<ExecutionSpace, TeamsPerMultiprocessor, Kernel::team_size, scratch_bytes,
                                              typename Kernel::scan>;
  Kokkos::parallel_for(internal::label(names.function, phase, names.caller),
                       policy(space, static_cast<int>(teams), Kernel::team_size)
                           .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch_bytes))),
                       kernel);
}

}  // namespace upsweep::scan::detail
