// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/index.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/grouped_prefixes.hpp>
#include <upsweep/scan/detail/look_back.hpp>
#include <upsweep/scan/detail/pipeline_launch.hpp>
#include <upsweep/scan/detail/scan_problem.hpp>
#include <upsweep/scan/detail/striped_tile.hpp>
#include <upsweep/scan/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::detail {

// Decoupled look-back by warps, for any GPU that has them: no copies by the hardware, and next to no scratch.
//
// Work to threads: the last warp of a team takes a tile by ticket. The others load their parts of it into registers
// (striped_tile.hpp) and leave their sums in scratch; the last warp publishes the aggregate, finds the prefix
// (grouped_prefixes.hpp), and the others store. One warp of its own for that: its registers come on top of a tile's otherwise.
// Other teams of the multiprocessor load and store meanwhile: several must fit.
// Scratch: a state a warp, and two words.
// Memory: N reads and N writes. Shared state, memory order and progress: grouped_prefixes.hpp. In place, a team stores behind a
// barrier that the last warp reaches after it has published and fenced.
// Barriers: all threads of a team meet three times, at different places of the program, each warp as a whole. CUDA's barrier
// of a block asks no more of devices from 7.0 on (PTX, bar.sync).
// Association: prefix(tile) * sums of the warps before * striped_tile's; fixed by n and the types.

template <class ExecutionSpace, class Problem, class Shape, class Lanes = lanes_of<ExecutionSpace>>
struct warp_look_back_kernel {
  using state = typename Problem::state;
  using tile = striped_tile<Problem, Shape, Lanes>;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using prefixes_type = grouped_prefixes<typename Problem::monoid_type, Lanes>;
  static constexpr int team_size = (Shape::warps + 1) * Lanes::size;
  struct scan {};

  Problem problem;
  prefixes_type prefixes;
  bool load_chunks, store_chunks;

  struct shared {
    std::uint64_t number;
    state prefix;
    state warp_sum[Shape::warps];
  };

  KOKKOS_FUNCTION void operator()(scan, member const& m) const {
    auto& s = *static_cast<shared*>(m.team_scratch(0).get_shmem_aligned(sizeof(shared), Kokkos::max(alignof(shared), std::size_t(16))));
    int const warp = m.team_rank() / Lanes::size, lane = m.team_rank() % Lanes::size;
    if (warp == Shape::warps && lane == 0) s.number = Kokkos::atomic_fetch_add(&prefixes.control->ticket, std::uint64_t(1));
    m.team_barrier();
    std::size_t const number = s.number;
    if (warp == Shape::warps) walk(m, s, number, lane);
    else if ((number + 1) * tile::size <= problem.n) work<true>(m, s, number, warp, lane);
    else work<false>(m, s, number, warp, lane);
  }

 private:
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void work(member const& m, shared& s, std::size_t number, int warp, int lane) const {
    auto const& op = problem.monoid;
    std::size_t const first = number * tile::size + static_cast<std::size_t>(warp) * tile::warp_elements;
    int const length = Whole ? static_cast<int>(tile::warp_elements) : tile::run_length(problem, first);
    tile t;
    if (Whole || length > 0) t.template load<Whole>(problem, first, length, lane, load_chunks);
    state const sum = t.template fold<Whole>(problem, first, length, lane);
    if (lane == 0) s.warp_sum[warp] = sum;
    m.team_barrier();
    state const sums = scan_lanes<Lanes>(op, lane < Shape::warps ? s.warp_sum[lane] : op.identity(), lane);
    state const warps_left = Lanes::shuffle(sums, warp > 0 ? warp - 1 : 0);
    m.team_barrier();
    state const prefix = warp > 0 ? op(s.prefix, warps_left) : s.prefix;
    t.template scan<Whole>(problem, first, length, lane, prefix, store_chunks);
  }

  KOKKOS_FORCEINLINE_FUNCTION void walk(member const& m, shared& s, std::size_t number, int lane) const {
    auto const& op = problem.monoid;
    auto const epoch = static_cast<std::uint32_t>(compat::load_word(&prefixes.control->epoch));
    state const init = problem.init.load();
    m.team_barrier();
    state const sums = scan_lanes<Lanes>(op, lane < Shape::warps ? s.warp_sum[lane] : op.identity(), lane);
    state const aggregate = Lanes::shuffle(sums, Shape::warps - 1);
    if (lane == 0) prefixes.publish(number, epoch, aggregate);
    // What is asked for at once is not there yet, and words that many ask for come later.
    for (int k = 0; k < Shape::pauses; ++k) compat::pause();
    auto const found = prefixes.prefix_of(number, epoch, op, init, lane, reduction{problem, lane});
    if (lane == 0) {
      s.prefix = found.before;
      if (number + 1 == prefixes.tiles) problem.total.store(op, found.through);
    }
    m.team_barrier();
    prefixes.finish(prefixes.tiles, epoch, lane);
  }

  /// The aggregate of a tile from its input, by its owner's expression, in every lane of the warp that calls.
  struct reduction {
    Problem const& problem;
    int lane;

    KOKKOS_FUNCTION state operator()(std::size_t number) const {
      auto const& op = problem.monoid;
      state sums = op.identity();
      for (int w = 0; w < Shape::warps; ++w) {
        state const sum = tile::fold_input(problem, number * tile::size + static_cast<std::size_t>(w) * tile::warp_elements, lane);
        if (lane == w) sums = sum;
      }
      return Lanes::shuffle(scan_lanes<Lanes>(op, sums, lane), Shape::warps - 1);
    }
  };
};

struct warp_look_back_engine {
  static constexpr engine_memory memory = engine_memory::protocol;

  template <class ExecutionSpace>
  static constexpr bool runs_on = compat::has_warps<ExecutionSpace>;

  template <class ExecutionSpace, class Problem>
  using shape_of = std::conditional_t<(sizeof(typename decltype(Problem::in)::value_type) <= 4 && sizeof(typename Problem::state) <= 4),
                                      typename tuning<ExecutionSpace>::warp_look_back_4,
                                      typename tuning<ExecutionSpace>::warp_look_back_8>;

  template <class ExecutionSpace, class Problem, class Shape = shape_of<ExecutionSpace, Problem>>
  static std::size_t region_bytes(std::size_t n) {
    using kernel = warp_look_back_kernel<ExecutionSpace, Problem, Shape>;
    return sizeof(std::uint64_t) * (control_words + kernel::prefixes_type::words(divide_up<std::size_t>(n, kernel::tile::size)));
  }

  /// Pre: n > 0; the region is as long as region_bytes() says and was zeroed before its first use.
  template <class ExecutionSpace, class Problem, class Shape = shape_of<ExecutionSpace, Problem>>
  static void scan(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory, scan_names const& names) {
    using kernel = warp_look_back_kernel<ExecutionSpace, Problem, Shape>;
    using tile = typename kernel::tile;
    auto* const words = reinterpret_cast<std::uint64_t*>(memory.region);
    std::size_t const tiles = divide_up<std::size_t>(problem.n, tile::size);
    typename kernel::prefixes_type const prefixes{reinterpret_cast<look_back_control*>(words),
                                                  words + control_words,
                                                  tiles,
                                                  memory.bytes / sizeof(std::uint64_t) - control_words,
                                                  memory.epoch_limit,
                                                  memory.polls > 0 ? memory.polls : tuning<ExecutionSpace>::polls,
                                                  may_be_in_place(problem)};
    launch_pipeline<Shape::teams>(space, kernel{problem, prefixes, tile::loads_chunks(problem), tile::stores_chunks(problem)},
                                  tiles, "look_back", names);
  }
};

}  // namespace upsweep::detail
