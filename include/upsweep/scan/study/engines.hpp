// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/options.hpp>
#include <upsweep/scan/study/chained.hpp>
#include <upsweep/scan/study/one_lane_look_back.hpp>
#include <upsweep/scan/study/reduce_then_scan.hpp>
#include <upsweep/scan/study/scan_then_propagate.hpp>
#include <upsweep/scan/study/sequential.hpp>

#include <string_view>

/// Engines for studies, benchmarks and tests, most of them from textbooks. Calls take them as those of production:
/// `inclusive_scan(space, in, out, plus<>{}, basic_scan_options<study::chained>{.workspace = &ws});`
namespace upsweep::study {

using sequential = scan::detail::sequential_engine;  ///< one thread, 2 N traffic: for tiny inputs, and as an oracle
using scan_then_propagate = scan::detail::scan_then_propagate_engine;  ///< scan blocks, scan their sums, add; 4 N
/// reduce blocks, scan the sums recursively, scan blocks; 3 N; any backend
using reduce_then_scan = scan::detail::reduce_then_scan_engine;
/// one pass, every block waits for its left neighbour; 2 N; GPUs and OpenMP
using chained = scan::detail::chained_engine;
/// the same, but who waits too long folds the neighbour's block; as chained on GPUs
using one_lane_look_back = scan::detail::one_lane_look_back_engine;

/// Calls f(name, engine) for each engine, those of production among them: `basic_scan_options<decltype(engine)>`.
template <class F>
void for_each_engine(F const& f) {
  f("automatic", engine::automatic{});
  f("sequential", sequential{});
  f("scan_then_propagate", scan_then_propagate{});
  f("reduce_then_scan", reduce_then_scan{});
  f("two_level", engine::two_level{});
  f("chained", chained{});
  f("one_lane_look_back", one_lane_look_back{});
  f("look_back", engine::look_back{});
  f("pipelined", engine::pipelined{});
  f("cache_tiles", engine::cache_tiles{});
}

/// Calls f(engine) for the engine of that name; false where there is none. What f calls is compiled for all engines.
template <class F>
bool with_engine(std::string_view name, F const& f) {
  bool found = false;
  for_each_engine([&](std::string_view each, auto engine) {
    if (each != name) return;
    found = true;
    f(engine);
  });
  return found;
}

}  // namespace upsweep::study
