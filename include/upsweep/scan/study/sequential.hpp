// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>

#include <cstddef>

namespace upsweep::scan::detail {

// Sequential scan (PMPP fig. 11.1): one thread of one team reads every element once and writes it once. The oracle on
// the device, and what tiny inputs need. N - 1 operations, 2 N traffic, one launch, no temporary memory.

template <class ExecutionSpace, class Problem>
struct sequential_kernel {
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  struct scan {};

  Problem problem;

  KOKKOS_FUNCTION void operator()(scan, member const&) const {
    using output = typename Problem::output;
    auto running = problem.init.load();
    for (std::size_t i = 0; i < problem.n; ++i) {
      auto const next = problem.monoid(running, internal::lift(problem.monoid, problem.in.load(i)));
      problem.out.store(i, internal::lower<output>(problem.monoid, Problem::inclusive ? next : running));
      running = next;
    }
    problem.total.store(problem.monoid, running);
  }
};

struct sequential_engine {
  static constexpr engine_memory memory = engine_memory::ordinary;

  struct one_thread {
    static constexpr int team_size = 1;
    static constexpr std::size_t scratch_bytes() { return 0; }
  };

  template <class ExecutionSpace, class State>
  static std::size_t bytes(std::size_t) {
    return 0;
  }
  template <class ExecutionSpace, class Problem>
  static void scan(ExecutionSpace const& space, Problem const& problem, std::byte*, scan_names const& names) {
    using kernel = sequential_kernel<ExecutionSpace, Problem>;
    launch_teams<typename kernel::scan, one_thread>(space, kernel{problem}, 1, "scan", names);
  }
};

}  // namespace upsweep::scan::detail
