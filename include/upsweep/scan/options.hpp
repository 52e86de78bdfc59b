// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <string_view>

namespace upsweep {

class workspace;

/// The algorithm that a scan or reduction runs.
enum class engine {
  automatic,  ///< chosen by backend, type and size
  two_level   ///< a fixed number of blocks: reduce each, scan the sums, scan each from its prefix; 3 N traffic
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
