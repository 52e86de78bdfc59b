// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>

namespace upsweep::scan::detail {

/// Runs that start in a stretch of elements: how many, and where the last of them starts.
struct run_starts_state {
  std::uint64_t count, last;
};
struct join_run_starts {
  using value_type = run_starts_state;
  KOKKOS_FUNCTION constexpr value_type identity() const { return {0, 0}; }
  KOKKOS_FUNCTION constexpr value_type operator()(value_type const& a, value_type const& b) const {
    return {a.count + b.count, b.count > 0 ? b.last : a.last};
  }
};

/// Ends the last run. through: of all tiles.
template <class Problem>
KOKKOS_FORCEINLINE_FUNCTION void finish_runs(Problem const& p, run_starts_state const& through) {
  if (through.count > 0) p.out.ends(through.count - 1, p.n - through.last);
  p.out.finish(through.count);
}

}  // namespace upsweep::scan::detail
