// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <string_view>

namespace upsweep {

class workspace;

/// The algorithm that a scan runs. N is the number of elements; docs/scan.md shows how each works.
enum class engine {
  automatic,            ///< pipelined or cache_tiles, where the backend can run one of them; else two_level
  sequential,           ///< one thread, 2 N traffic: for tiny inputs, and as an oracle
  scan_then_propagate,  ///< scan blocks, scan their sums, add; 4 N traffic; for study
  reduce_then_scan,     ///< reduce blocks, scan the sums recursively, scan blocks; 3 N traffic; any backend
  two_level,            ///< the same with a fixed number of blocks: three launches; 3 N traffic; any backend
  chained,              ///< one pass, every block waits for its left neighbour; 2 N traffic; for study, on GPUs and OpenMP
  look_back,            ///< one pass, blocks look back over each other's sums; 2 N traffic
  pipelined,            ///< the same by teams that stay and copy ahead; 2 N traffic; CUDA from sm_90 on, look_back elsewhere
  cache_tiles           ///< one pass of host threads over tiles in the cache, SIMD; OpenMP and Serial, two_level elsewhere
};

/// What a repeated call on the same input promises for operations that are associative only up to rounding.
enum class determinism {
  run_to_run,  ///< the same bits: a fixed expression of n, type and the engine's constants, whatever the timing
  relaxed      ///< an engine may fold partial results in the order in which they arrive
};

/// Options of scans and reductions; all have defaults: `exclusive_scan(space, in, out, plus<>{}, {.workspace = &ws})`.
struct scan_options {
  upsweep::engine engine = upsweep::engine::automatic;
  upsweep::workspace* workspace = nullptr;  ///< with one, the call is asynchronous and takes its memory from there
  upsweep::determinism determinism = upsweep::determinism::run_to_run;
  std::string_view label = {};              ///< goes into the kernels' labels, in brackets
};

}  // namespace upsweep
