// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/detail/reduce/warp_fold.hpp>

#include <bit>
#include <cstddef>

namespace upsweep::scan::detail {

/// Combines few elements by one team. What such a reduction takes is a round trip to memory and the launch, so the
/// kernel has little code, and nothing that only several teams need.
///
/// Work to threads: warps share the elements out (warp_fold.hpp). Scratch: one state per warp.
/// Association: fixed by n, the types and the shape: what each warp has, then these in order as a balanced tree.
template <class Problem, class Shape, class Lanes>
struct short_reduction_kernel {
  using state = typename Problem::state;
  using fold_type = warp_fold<decltype(Problem::in), typename Problem::monoid_type, Shape::bytes_per_thread, Lanes>;
  static constexpr int warps = Shape::warps;
  static constexpr int warp_bits = std::countr_zero(static_cast<unsigned>(warps));
  static_assert(warps <= Lanes::size && warps == 1 << warp_bits);
  static constexpr int team_size = warps * Lanes::size;
  struct scan {};
  struct shared {
    state warp_sum[warps];
  };

  Problem problem;
  fold_type fold;

  /// Pre: p.n > 0.
  explicit short_reduction_kernel(Problem const& p) : problem(p), fold(p.in, p.monoid, p.n) {}

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(scan, Member const& m) const {
    auto const& op = problem.monoid;
    auto& s = *static_cast<shared*>(
        m.team_scratch(0).get_shmem_aligned(sizeof(shared), Kokkos::max(alignof(shared), std::size_t(16))));
    int const warp = Lanes::uniform(m.team_rank() / Lanes::size), lane = m.team_rank() % Lanes::size;
    state sum = fold.part(0, problem.n, warp, warp_bits, lane);
    if (lane == 0) s.warp_sum[warp] = sum;
    m.team_barrier();
    if (warp != 0) return;
    sum = s.warp_sum[lane % warps];
    UPSWEEP_UNROLL
    for (int bit = 1; bit < warps; bit *= 2) sum = internal::join_lanes<Lanes>(op, sum, sum, bit, lane);
    if (lane == 0) problem.total.store(op, sum);
  }
};

}  // namespace upsweep::scan::detail
