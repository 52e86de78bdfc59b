// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>
#include <upsweep/scan/detail/one_pass/one_wave_scan.hpp>
#include <upsweep/scan/detail/one_pass/scan_work.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>
#include <upsweep/scan/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace upsweep::scan::detail {

/// Decoupled look-back by warps, for any GPU that has them; inputs of a few tiles have one team per tile.
struct warp_look_back_engine {
  static constexpr engine_memory memory = engine_memory::protocol;

  template <class ExecutionSpace, class Problem, class Tuning = engine::tuning<ExecutionSpace>>
  using shape_of = std::conditional_t<
      takes_segmented_tile<Problem>::value,
      shape_for_width<Problem, typename Tuning::segmented_4, typename Tuning::segmented_8>,
      shape_for_width<Problem, typename Tuning::warp_look_back_4, typename Tuning::warp_look_back_8>>;

  /// Bytes of the protocol's region for scans of up to n elements.
  template <class ExecutionSpace, class Problem>
  static std::size_t region_bytes(std::size_t n) {
    using few = one_wave_scan<ExecutionSpace, Problem>;
    if (few::takes(n)) return few::region_bytes(n);
    return std::max(few::region_bytes(n),
                    scan_region_bytes<shape_of<ExecutionSpace, Problem>, ExecutionSpace, Problem>(n));
  }

  /// Pre: n > 0; the region is as long as region_bytes() says and was zeroed before its first use.
  template <class ExecutionSpace, class Problem>
  static void scan(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                   scan_names const& names) {
    using few = one_wave_scan<ExecutionSpace, Problem>;
    using many = shape_of<ExecutionSpace, Problem>;
    if (few::takes(problem.n)) return few::scan(space, problem, memory, names);
    auto const kernel = make_scan_kernel<many, true, ExecutionSpace>(problem, memory);
    launch_pipeline<many::teams>(space, kernel, kernel.prefixes.tiles, "look_back", names);
  }
};

}  // namespace upsweep::scan::detail
