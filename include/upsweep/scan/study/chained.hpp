// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/study/one_lane_look_back.hpp>

#include <cstddef>

namespace upsweep::scan::detail {

/// Chained scan (PMPP, single-pass "streaming" scan with dynamic block index): a tile waits for the prefix of its
/// left neighbour, adds its own sum and passes the result on, like falling dominoes. Kept for study: every tile waits
/// for all before it, one after the other. It relies on every started team making progress: there is no fallback for
/// a stalled tile.
struct chained_engine {
  static constexpr engine_memory memory = engine_memory::protocol;

  /// Bytes of the protocol's region for a scan of n elements.
  template <class ExecutionSpace, class Problem>
  static std::size_t region_bytes(std::size_t n) {
    return one_lane_look_back_engine::region_bytes<ExecutionSpace, Problem>(n);
  }

  /// Pre: as one_lane_look_back_engine, with the same region.
  template <class ExecutionSpace, class Problem>
  static void scan(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                   scan_names const& names) {
    one_lane_look_back_engine::run<false>(space, problem, memory, "chained", names);
  }
};

}  // namespace upsweep::scan::detail
