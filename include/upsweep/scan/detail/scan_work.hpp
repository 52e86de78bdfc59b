// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/index.hpp>
#include <upsweep/scan/detail/one_pass.hpp>
#include <upsweep/scan/detail/scan_problem.hpp>
#include <upsweep/scan/detail/segmented_striped_tile.hpp>

#include <cstddef>
#include <string_view>

namespace upsweep::detail {

/// A scan as the Work of one_pass.hpp: decoupled look-back by warps, for any GPU that has them.
/// Memory: N reads and N writes.
/// Association: prefix(tile) * sums of the warps before * striped_tile's; fixed by n and the types.
template <class Problem, class Shape, class Lanes>
struct scan_work {
  using lanes = Lanes;
  using shape = Shape;
  using monoid_type = typename Problem::monoid_type;
  using state = typename Problem::state;
  using tile = tile_in_one_pass<Problem, Shape, Lanes>;
  struct scratch {};
  static constexpr bool emits = !wants_total_only<Problem>;

  Problem problem;
  bool by_chunks;

  KOKKOS_FORCEINLINE_FUNCTION monoid_type const& monoid() const { return problem.monoid; }
  KOKKOS_FORCEINLINE_FUNCTION state init() const { return problem.init.load(); }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool backwards() { return false; }
  KOKKOS_FORCEINLINE_FUNCTION void finish(state const& through) const { problem.total.store(problem.monoid, through); }

  struct part {
    tile held;
    state left;  ///< of the warps before
    std::size_t first;
    int warp;

    KOKKOS_FORCEINLINE_FUNCTION part(scan_work const&, std::size_t number, int w, bool)
        : first(number * tile::size + static_cast<std::size_t>(w) * tile::warp_elements), warp(w) {}

    KOKKOS_FORCEINLINE_FUNCTION bool is_whole(scan_work const& work) const {
      return work.by_chunks && first + tile::warp_elements <= work.problem.n;
    }
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION state load(scan_work const& work, scratch&, int lane) {
      int const count = length<Whole>(work);
      if (Whole || count > 0) held.template load<Whole>(work.problem, first, count, lane);
      if constexpr (emits) return held.template fold<Whole>(work.problem, first, count, lane);
      else return held.template reduce<Whole>(work.problem, first, count, lane);
    }
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION void arrange(scan_work const&, scratch&, state const& sums, int) {
      left = Lanes::shuffle(sums, warp > 0 ? warp - 1 : 0);
    }
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION void emit(scan_work const& work, scratch&, state const& before, int lane) const {
      state const prefix = warp > 0 ? work.problem.monoid(before, left) : before;
      held.template scan<Whole>(work.problem, first, length<Whole>(work), lane, prefix);
    }

   private:
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION int length(scan_work const& work) const {
      return Whole ? static_cast<int>(tile::warp_elements) : tile::run_length(work.problem, first);
    }
  };

  /// The aggregate of a tile from its input, by its owner's expression, in every lane of the warp that calls.
  struct reduction {
    Problem const& problem;
    int lane;

    KOKKOS_FUNCTION state operator()(std::size_t number) const {
      auto const& op = problem.monoid;
      state sums = op.identity();
      for (int w = 0; w < Shape::warps; ++w) {
        state const sum = of_warp(number * tile::size + static_cast<std::size_t>(w) * tile::warp_elements);
        if (lane == w) sums = sum;
      }
      return Lanes::shuffle(scan_lanes<Lanes>(op, sums, lane), Shape::warps - 1);
    }

   private:
    KOKKOS_FUNCTION state of_warp(std::size_t first) const {
      if constexpr (emits) {
        return tile::fold_input(problem, first, lane);
      } else {
        int const length = tile::run_length(problem, first);
        tile t;
        if (length > 0) t.template load<false>(problem, first, length, lane);
        return t.template reduce<false>(problem, first, length, lane);
      }
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION reduction stand_in(int lane) const { return {problem, lane}; }
};

/// Scans a problem on tiles of a shape. Pre: the region is as long as scan_region_bytes() says and was zeroed before its first use.
template <class Shape, bool Tickets, class ExecutionSpace, class Problem>
void scan_in_one_pass(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory, std::string_view phase,
                      scan_names const& names) {
  using work = scan_work<Problem, Shape, lanes_of<ExecutionSpace>>;
  run_one_pass<Tickets>(space, work{problem, work::tile::goes_by_chunks(problem)}, divide_up<std::size_t>(problem.n, work::tile::size),
                        memory, work::emits && may_be_in_place(problem), phase, names);
}

/// Bytes of the protocol's region for a scan of n elements on tiles of a shape.
template <class Shape, class ExecutionSpace, class Problem>
std::size_t scan_region_bytes(std::size_t n) {
  using work = scan_work<Problem, Shape, lanes_of<ExecutionSpace>>;
  return one_pass_bytes<typename work::monoid_type, typename work::lanes>(divide_up<std::size_t>(n, work::tile::size));
}

}  // namespace upsweep::detail
