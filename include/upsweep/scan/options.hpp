// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/concepts.hpp>

#include <string_view>
#include <type_traits>

namespace upsweep {

/// The algorithms that a scan can run, as types: a call compiles the kernels of its engine and no others. N is the
/// number of elements; docs/scan.md shows how each works. Those of the textbooks are in scan/study/engines.hpp.
namespace engine {

/// pipelined or cache_tiles where the backend can run one; else look_back on CUDA from sm_70 on and HIP,
/// two_level on others
struct automatic {};
struct two_level {};  ///< reduce blocks, scan their sums, scan blocks: three launches; 3 N traffic; any backend
/// one pass, blocks look back over each other's sums; 2 N traffic; GPUs with warps, two_level elsewhere
struct look_back {};
/// the same by persistent teams that copy ahead; 2 N traffic; CUDA from sm_90 on, look_back elsewhere
struct pipelined {};
/// one pass of host threads over tiles in the cache, SIMD; OpenMP and Serial, two_level elsewhere
struct cache_tiles {};

}  // namespace engine

/// Options of scans, all with defaults: `basic_scan_options<engine::look_back>{.workspace = &ws}`.
template <class Engine = engine::automatic>
struct basic_scan_options {
  upsweep::workspace* workspace = nullptr;  ///< with one, the call is asynchronous and takes its memory from there
  std::string_view label = {};              ///< goes into the kernels' labels, in brackets

  /// For calls that have no engine, packing for instance; only where none is asked for, which they would not run.
  operator call_options() const
    requires std::is_same_v<Engine, engine::automatic>
  {
    return {workspace, label};
  }
};

/// With the engine that fits the backend, the type and the size:
/// `exclusive_scan(space, in, out, {.workspace = &ws})`.
using scan_options = basic_scan_options<>;

namespace scan::detail {
template <class F>
inline constexpr bool is_scan_options = false;
template <class Engine>
inline constexpr bool is_scan_options<basic_scan_options<Engine>> = true;
template <class F>
inline constexpr bool is_options = is_scan_options<F> || std::is_same_v<F, call_options>;
}  // namespace scan::detail

/// A predicate or an equality of a call: no View and no options, so that overloads differ.
template <class F>
concept functor_argument = !view_argument<F> && !scan::detail::is_options<F>;

}  // namespace upsweep
