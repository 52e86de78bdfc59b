// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/calls/run_engine.hpp>
#include <upsweep/scan/options.hpp>
#include <upsweep/scan/study/chained.hpp>
#include <upsweep/scan/study/one_lane_look_back.hpp>
#include <upsweep/scan/study/reduce_then_scan.hpp>
#include <upsweep/scan/study/scan_then_propagate.hpp>
#include <upsweep/scan/study/sequential.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep {

/// Engines that are chosen at run time, those of the textbooks among them: for studies, benchmarks and tests. A call
/// compiles the kernels of all of them.
namespace study {

using sequential = scan::detail::sequential_engine;
using scan_then_propagate = scan::detail::scan_then_propagate_engine;
using reduce_then_scan = scan::detail::reduce_then_scan_engine;
using chained = scan::detail::chained_engine;
using one_lane_look_back = scan::detail::one_lane_look_back_engine;

enum class engine_name {
  automatic,            ///< as upsweep::engine::automatic
  sequential,           ///< one thread, 2 N traffic: for tiny inputs, and as an oracle
  scan_then_propagate,  ///< scan blocks, scan their sums, add; 4 N traffic
  reduce_then_scan,     ///< reduce blocks, scan the sums recursively, scan blocks; 3 N traffic; any backend
  two_level,            ///< as upsweep::engine::two_level
  chained,              ///< one pass, every block waits for its left neighbour; 2 N traffic; GPUs and OpenMP
  one_lane_look_back,   ///< the same, folding the tile of a neighbour that does not come; as chained on GPUs
  look_back,            ///< as upsweep::engine::look_back
  pipelined,            ///< as upsweep::engine::pipelined
  cache_tiles           ///< as upsweep::engine::cache_tiles
};

/// Their names, in the same order.
inline constexpr char const* engine_names[] = {"automatic", "sequential", "scan_then_propagate", "reduce_then_scan",
                                               "two_level", "chained",    "one_lane_look_back",  "look_back",
                                               "pipelined", "cache_tiles"};

/// `inclusive_scan(space, in, out, plus<>{}, study::scan_options{.engine = study::engine_name::chained});`
using scan_options = basic_scan_options<engine_name>;

}  // namespace study

namespace scan::detail {

template <>
struct engine_dispatch<study::engine_name> {
  using name = study::engine_name;
  static constexpr bool is_fixed = false;
  static constexpr bool is_automatic(name which) { return which == name::automatic; }

  template <class ExecutionSpace, class State>
  static std::size_t bytes(name which, std::size_t n) {
    return with(which, [&]<class Engine>(Engine engine) {
      return engine_dispatch<Engine>::template bytes<ExecutionSpace, State>(engine, n);
    });
  }
  template <class Problem, class ExecutionSpace>
  static void reserve(ExecutionSpace const& space, name which, std::size_t n, workspace& memory) {
    with(which, [&]<class Engine>(Engine engine) {
      engine_dispatch<Engine>::template reserve<Problem>(space, engine, n, memory);
    });
  }
  template <class ExecutionSpace, class Problem>
  static void run(ExecutionSpace const& space, name which, Problem const& problem, workspace& memory,
                  scan_names const& names) {
    with(which,
         [&]<class Engine>(Engine engine) { engine_dispatch<Engine>::run(space, engine, problem, memory, names); });
  }

 private:
  /// Calls f with the engine.
  template <class F>
  static auto with(name which, F const& f) {
    switch (which) {
      case name::sequential: return f(sequential_engine{});
      case name::scan_then_propagate: return f(scan_then_propagate_engine{});
      case name::reduce_then_scan: return f(reduce_then_scan_engine{});
      case name::chained: return f(chained_engine{});
      case name::one_lane_look_back: return f(one_lane_look_back_engine{});
      case name::two_level: return f(engine::two_level{});
      case name::look_back: return f(engine::look_back{});
      case name::pipelined: return f(engine::pipelined{});
      case name::cache_tiles: return f(engine::cache_tiles{});
      case name::automatic: break;
    }
    return f(engine::automatic{});
  }
};

}  // namespace scan::detail
}  // namespace upsweep
