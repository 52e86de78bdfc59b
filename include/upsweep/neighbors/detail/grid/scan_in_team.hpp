// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/monoid.hpp>
#include <upsweep/team/internal/warp_sums.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// The sum of the values of all threads of a team before this one. `sums` is scratch with an entry per warp. All
/// threads call; one barrier, and the caller has another before `sums` are used again.
template <class Lanes, class Sum, class Member>
KOKKOS_FUNCTION Sum sum_before(Member const& m, Sum value, Sum* sums) {
  int const lane = m.team_rank() % Lanes::size, warp = m.team_rank() / Lanes::size;
  Sum const through = internal::scan_warp<Lanes>(plus<Sum>{}, value, sums, warp, lane);
  m.team_barrier();
  return internal::fold_warps(plus<Sum>{}, through - value, sums, warp);
}

/// A part of n entries that a thread of a team goes through: neighbours, as many as others have, or fewer.
struct part_of_thread {
  int begin, end;
  KOKKOS_FUNCTION part_of_thread(int n, int thread, int threads) {
    int const each = (n + threads - 1) / threads;
    begin = Kokkos::min(thread * each, n);
    end = Kokkos::min(begin + each, n);
  }
};

}  // namespace upsweep::neighbors::detail
