// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Shapes of the pipelined engine.

#include "candidate.hpp"

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/scan/detail/persistent/pipelined.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace perf::autotune {

using pipeline = upsweep::scan::detail::pipelined_engine;

/// A shape, whatever the number of elements is.
template <class Shape>
struct with_stages : upsweep::engine::tuning<space> {
  using pipelined_4 = Shape;
  using pipelined_8 = Shape;
  static constexpr std::size_t few_tiles_bytes = 0, few_large_tiles_bytes = 0, few_largest_tiles_bytes = 0;
};

template <class Constants, class T>
std::function<void()> prepare_pipelined(problem<T> const& p) {
  return [p, scan = scan_problem_of(p), memory = std::make_shared<upsweep::workspace>(p.instance)] {
    std::byte* const region = upsweep::internal::access::reserve_protocol(
        *memory, p.instance, pipeline::region_bytes<space, scan_problem<T>, Constants>(p.n()));
    pipeline::scan<true, space, scan_problem<T>, Constants>(
        p.instance, scan, {region, upsweep::internal::access::protocol_bytes(*memory)}, {"autotune", {}});
  };
}

/// Bytes of stages that a team may have under Kokkos' limit of 48 KiB.
inline constexpr int small_scratch = 45 * 1024;

template <int Workers, int Stages, int Teams, int BytesPerThread, class Space = space>
void add_pipelined(std::vector<candidate>& all) {
  constexpr bool fits = upsweep::compat::has_large_scratch || Workers * 32 * Stages * BytesPerThread <= small_scratch;
  if constexpr (fits && pipeline::takes<Space, scan_problem<std::int32_t>>()) {
    using constants = with_stages<upsweep::engine::pipeline_shape<Workers, Stages, Teams, BytesPerThread>>;
    auto const text = [](int value) { return std::to_string(value); };
    candidate c{"pipelined",
                text(Workers) + " workers, " + text(Stages) + " stages, " + text(Teams) + " teams, " +
                    text(BytesPerThread) + " bytes",
                {"using pipelined_{} = pipeline_shape<" + text(Workers) + ", " + text(Stages) + ", " + text(Teams) +
                 ", " + text(BytesPerThread) + ">;"},
                {std::is_same_v<typename constants::pipelined_4, typename default_tuning::pipelined_4>,
                 std::is_same_v<typename constants::pipelined_8, typename default_tuning::pipelined_8>},
                {},
                {}};
    c.of_int32.least = c.of_int64.least = least_many;
    c.of_int32.prepare = prepare_pipelined<constants, std::int32_t>;
    c.of_int64.prepare = prepare_pipelined<constants, std::int64_t>;
    all.push_back(std::move(c));
  }
}

}  // namespace perf::autotune
