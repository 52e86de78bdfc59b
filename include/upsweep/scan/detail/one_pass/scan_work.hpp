// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/scan/detail/one_pass/one_pass.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>
#include <upsweep/scan/detail/tiles/segmented_tile.hpp>
#include <upsweep/team/internal/warp_sums.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::scan::detail {

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
  using warp_sums = internal::warp_sums<Lanes, Shape::warps>;
  using exchange = typename tile::exchange;
  static constexpr bool exchanges = !std::is_empty_v<exchange>;
  struct exchanges_of_warps {
    exchange of_warp[Shape::warps];
  };
  using scratch = std::conditional_t<exchanges, exchanges_of_warps, exchange>;

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
    KOKKOS_FORCEINLINE_FUNCTION state load(scan_work const& work, scratch& s, int lane) {
      int const count = length<Whole>(work);
      if (Whole || count > 0) held.template load<Whole>(work.problem, first, count, lane);
      return held.template fold<Whole>(work.problem, first, count, exchange_of(s), lane);
    }
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION void arrange(scan_work const& work, scratch&, state const& sums, int lane) {
      left = warp_sums::before(sums, warp);
      if constexpr (takes_segmented_tile<Problem>::value) tile::check_heads(work.problem, first, lane);
      else held.template arrange<Whole>(work.problem, first, length<Whole>(work), lane);
    }
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION void emit(scan_work const& work, scratch& s, state const& before, int lane) {
      state const prefix = warp > 0 ? work.problem.monoid(before, left) : before;
      held.template scan<Whole>(work.problem, first, length<Whole>(work), exchange_of(s), lane, prefix);
    }

   private:
    KOKKOS_FORCEINLINE_FUNCTION exchange& exchange_of(scratch& s) const {
      if constexpr (exchanges) return s.of_warp[warp];
      else return s;
    }
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
      state own = op.identity();
      for (int w = 0; w < Shape::warps; ++w) {
        state const sum =
            tile::fold_input(problem, number * tile::size + static_cast<std::size_t>(w) * tile::warp_elements, lane);
        if (lane == w) own = sum;
      }
      return warp_sums::total(warp_sums::scan(op, own, lane));
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION reduction fallback(int lane) const { return {problem, lane}; }
};

/// The kernel that scans a problem on tiles of a shape; one team for each of kernel.prefixes.tiles is to be launched.
/// Pre: the region is as long as scan_region_bytes() says and was zeroed before its first use.
template <class Shape, bool Tickets, class ExecutionSpace, class Problem>
auto make_scan_kernel(Problem const& problem, look_back_memory const& memory) {
  using work = scan_work<Problem, Shape, internal::lanes_of<ExecutionSpace>>;
  return make_one_pass_kernel<ExecutionSpace, Tickets>(work{problem, work::tile::goes_by_chunks(problem)},
                                                       internal::divide_up<std::size_t>(problem.n, work::tile::size),
                                                       memory, may_be_in_place(problem));
}

/// Bytes of the protocol's region for a scan of n elements on tiles of a shape.
template <class Shape, class ExecutionSpace, class Problem>
std::size_t scan_region_bytes(std::size_t n) {
  using work = scan_work<Problem, Shape, internal::lanes_of<ExecutionSpace>>;
  return one_pass_bytes<typename work::monoid_type, typename work::lanes>(
      internal::divide_up<std::size_t>(n, work::tile::size));
}

}  // namespace upsweep::scan::detail
