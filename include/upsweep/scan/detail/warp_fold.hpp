// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/scan_problem.hpp>
#include <upsweep/scan/detail/striped_tile.hpp>
#include <upsweep/scan/detail/tuning.hpp>

#include <cstddef>

namespace upsweep::detail {

/// A monoid whose elements are states.
template <class Monoid>
struct states_only {
  using value_type = typename Monoid::value_type;
  Monoid op;
  KOKKOS_FUNCTION value_type identity() const { return op.identity(); }
  KOKKOS_FUNCTION value_type operator()(value_type const& left, value_type const& right) const { return op(left, right); }
};

/// Folds elements side by side by a warp, in blocks of up to Bytes bytes a lane.
template <class In, class Monoid, int Bytes, class Lanes>
struct warp_fold {
  using state = typename Monoid::value_type;
  using problem = scan_problem<In, no_output<state>, Monoid, false>;
  using block = striped_tile<problem, striped_shape<1, Bytes, 1>, Lanes>;
  static constexpr std::size_t block_size = block::warp_elements;
  /// Where 16 bytes begin, if the sequence does at such a place.
  static constexpr std::size_t unit = block::per_round;

  In in;
  Monoid op;
  bool by_chunks;

  warp_fold(In const& sequence, Monoid const& monoid)
      : in(sequence), op(monoid), by_chunks(block::goes_by_chunks({sequence, {}, monoid, {monoid.identity()}, 0, {}})) {}
  /// In kernels: of what lies at a multiple of 16 bytes.
  KOKKOS_FORCEINLINE_FUNCTION warp_fold(In const& sequence, Monoid const& monoid, bool chunks)
      : in(sequence), op(monoid), by_chunks(chunks) {}

  /// The fold of elements [begin, end), in every lane. Pre: begin < end.
  KOKKOS_FORCEINLINE_FUNCTION state operator()(std::size_t begin, std::size_t end, int lane) const {
    problem const p{in, {}, op, {op.identity()}, end, {}};
    std::size_t const whole = block_size;  // nvcc: a constant has no address
    // The first block is such that the next one begins at a unit.
    std::size_t at = begin + Kokkos::min(end - begin, whole - begin % unit);
    state sum = op.identity();
    if (at - begin == whole && by_chunks) sum = fold_block<true>(p, begin, whole, lane);
    else sum = fold_block<false>(p, begin, at - begin, lane);
    UPSWEEP_NO_UNROLL
    for (; by_chunks && at + whole <= end; at += whole) sum = op(sum, fold_block<true>(p, at, whole, lane));
    UPSWEEP_NO_UNROLL
    for (; at < end; at += whole) sum = op(sum, fold_block<false>(p, at, Kokkos::min(end - at, whole), lane));
    return sum;
  }

 private:
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION static state fold_block(problem const& p, std::size_t first, std::size_t length, int lane) {
    block b;
    b.template load<Whole>(p, first, static_cast<int>(length), lane);
    return b.template reduce<Whole>(p, first, static_cast<int>(length), lane);
  }
};

}  // namespace upsweep::detail
