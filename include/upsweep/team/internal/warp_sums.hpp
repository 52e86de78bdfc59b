// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>

// The sums of a team's warps. Each warp leaves its sum in scratch, a barrier is passed, and every warp reads the sums:
// those of the warps before it are its prefix, and all of them the team's total. Operands are combined in order
// (left, right), so any monoid will do.
//
//   through = scan_warp<Lanes>(op, value, scratch, warp, lane);    // or, of a sum that all lanes have:
//                                                                  // if (lane == 0) scratch[warp] = sum;
//   m.team_barrier();
//   using warp_sums = internal::warp_sums<Lanes, warps>;
//   sums = warp_sums::scan(op, lane < warps ? scratch[lane] : op.identity(), lane);
//   prefix = warp_sums::before(sums, warp);                        // not for the first warp
//   total = warp_sums::total(sums);
//
// The barrier is the caller's: it may be one of some warps only, and work may lie around it. Before the scratch is used
// again there is another barrier, or the caller has scratch for two uses in turn.
//
// Sums are combined in one of two ways, which associate them differently:
//   warp_sums   The lanes of each warp scan the sums: one read, and shuffles. Any prefix and the total are there. The
//               number of warps is a constant.
//   fold_warps  Each thread combines the sums from the left. All lanes read the same word, which is a broadcast. For a
//               number of warps that is known at run time only, and where few warps ask for their prefix alone.

namespace upsweep::internal {

/// Scans the values of a warp's lanes and leaves their combination in scratch[warp]. Returns the combination of the
/// lanes up to and including this one. All lanes of the warp call it.
template <class Lanes, class Monoid, class Scratch>
KOKKOS_FORCEINLINE_FUNCTION typename Monoid::value_type scan_warp(Monoid const& op,
                                                                  typename Monoid::value_type const& value,
                                                                  Scratch scratch, int warp, int lane) {
  // Unqualified, as a layer above may have an overload for its own monoid.
  typename Monoid::value_type const through = scan_lanes<Lanes>(op, value, lane);
  if (lane == Lanes::size - 1) scratch[warp] = through;
  return through;
}

/// The sums of the warps in registers: lane k has the combination of the warps 0 to k. Lanes beyond the number of warps
/// have values that are not to be used. All lanes of a warp call each function.
template <class Lanes, int Warps>
struct warp_sums {
  static_assert(Warps >= 1 && Warps <= Lanes::size, "upsweep: there is a lane for each warp of a team.");

  /// Lane k brings the sum of warp k, and lanes that have no warp the identity. The caller reads scratch, since nvcc 13
  /// made 3 % more instructions of a short scan of affine maps when this function did: it read each map in two words.
  template <class Monoid>
  KOKKOS_FORCEINLINE_FUNCTION static typename Monoid::value_type scan(Monoid const& op,
                                                                      typename Monoid::value_type const& of_warp,
                                                                      int lane) {
    // Unqualified, as a layer above may have an overload for its own monoid.
    return scan_lanes<Lanes>(op, of_warp, lane);
  }

  /// The combination of the warps before `warp`, which is the same in all lanes. For the first warp a value that is not
  /// to be used.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T before(T const& sums, int warp) {
    return Lanes::shuffle(sums, warp > 0 ? warp - 1 : 0);
  }
  /// The combination of all warps.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T total(T const& sums) {
    return Lanes::shuffle(sums, Warps - 1);
  }
};

/// `running` combined with the sums of the first `warps` warps, one after the other.
template <class Monoid, class Scratch>
KOKKOS_FORCEINLINE_FUNCTION typename Monoid::value_type fold_warps(Monoid const& op,
                                                                   typename Monoid::value_type running, Scratch scratch,
                                                                   int warps) {
  for (int w = 0; w < warps; ++w) {
    typename Monoid::value_type const sum = scratch[w];
    running = op(running, sum);
  }
  return running;
}

/// The combination of the warps before `warp`; `total`, of all `warps`.
template <class Monoid, class Scratch>
KOKKOS_FORCEINLINE_FUNCTION typename Monoid::value_type fold_warps(Monoid const& op, Scratch scratch, int warp,
                                                                   int warps, typename Monoid::value_type& total) {
  auto before = op.identity();
  auto running = op.identity();
  for (int w = 0; w < warps; ++w) {
    if (w == warp) before = running;
    typename Monoid::value_type const sum = scratch[w];
    running = op(running, sum);
  }
  total = running;
  return before;
}

}  // namespace upsweep::internal
