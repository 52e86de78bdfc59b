// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/scan/detail/one_pass/one_pass.hpp>
#include <upsweep/scan/detail/problem/selection_problem.hpp>
#include <upsweep/scan/detail/tiles/part_bits.hpp>
#include <upsweep/scan/detail/tiles/selection_rows.hpp>
#include <upsweep/scan/internal/part_counts.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

/// Takes the counts of the first two parts.
struct counts_of_parts {
  internal::part_counts<2>* counts;
  KOKKOS_FUNCTION void finish(internal::part_counts<2> const& found) const { *counts = found; }
};

/// A pass that asks for the parts of elements, keeps the answers and counts them, as the Work of one_pass.hpp: a
/// reduction, since no tile wants its prefix. Threads have as many rows as those of the selection, which takes the
/// answers thread by thread. Kokkos' parallel_reduce over the threads took longer: H200, 2^20 / 2^24 / 2^28 int32,
/// 13.9 / 39 / 375 us.
/// Progress: as selection_work's.
template <class In, class PartOf, class Shape, class Lanes>
struct classify_work {
  using shape = Shape;
  using lanes = Lanes;
  using problem_type = selection_problem<In, PartOf, counts_of_parts>;
  using monoid_type = typename problem_type::monoid;
  using state = typename problem_type::counts;
  using rows = selection_rows<problem_type, Shape::warps, Shape::bytes_per_thread, Lanes>;
  using part_bits_type = part_bits<rows::rows, Lanes::size>;
  struct scratch {};

  problem_type problem;
  part_bits_type known;

  KOKKOS_FORCEINLINE_FUNCTION static monoid_type monoid() { return {}; }
  KOKKOS_FORCEINLINE_FUNCTION static state init() { return monoid_type{}.identity(); }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool backwards() { return false; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int wants_prefix(state const&) { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION static no_fallback fallback(int) { return {}; }
  KOKKOS_FORCEINLINE_FUNCTION void finish(state const& through) const { problem.finish(through); }

  struct part {
    std::size_t begin;  ///< the tile's first element
    int warp;

    KOKKOS_FORCEINLINE_FUNCTION part(classify_work const&, std::size_t number, int w, bool)
        : begin(number * rows::size), warp(w) {}

    KOKKOS_FORCEINLINE_FUNCTION bool is_whole(classify_work const& work) const {
      return rows::is_whole(work.problem, begin);
    }
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION state load(classify_work const& work, scratch&, int lane) const {
      rows mine;
      mine.template set_place<Whole>(work.problem, begin, warp, lane);
      mine.template load<Whole>(work.problem);
      std::uint32_t const sum = mine.template choose<Whole>(work.problem, false);
      if (Whole || mine.first < mine.there) work.known.set(mine.thread_of_all(), mine.is_chosen, mine.is_second);
      return rows::state_of(sum);
    }
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION void arrange(classify_work const&, scratch&, state const&, int) const {}
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION void emit(classify_work const&, scratch&, state const&, int) const {}
  };
};

}  // namespace upsweep::scan::detail
