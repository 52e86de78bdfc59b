// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The engines that tests go through, in one place: an engine that is new here is tested everywhere.

#include <upsweep/scan/options.hpp>

#include <algorithm>
#include <array>
#include <iterator>

namespace oracle {

/// No `default`, so that compilers name an engine that is missing here.
constexpr char const* name_of(upsweep::engine which) {
  switch (which) {
    case upsweep::engine::automatic: return "automatic";
    case upsweep::engine::sequential: return "sequential";
    case upsweep::engine::scan_then_propagate: return "scan_then_propagate";
    case upsweep::engine::reduce_then_scan: return "reduce_then_scan";
    case upsweep::engine::two_level: return "two_level";
    case upsweep::engine::chained: return "chained";
    case upsweep::engine::look_back: return "look_back";
    case upsweep::engine::pipelined: return "pipelined";
    case upsweep::engine::cache_tiles: return "cache_tiles";
  }
  return nullptr;
}

inline constexpr std::array all_engines{
    upsweep::engine::automatic,        upsweep::engine::sequential, upsweep::engine::scan_then_propagate,
    upsweep::engine::reduce_then_scan, upsweep::engine::two_level,  upsweep::engine::chained,
    upsweep::engine::look_back,        upsweep::engine::pipelined,  upsweep::engine::cache_tiles};
static_assert(name_of(all_engines.back()) != nullptr &&
                  name_of(static_cast<upsweep::engine>(all_engines.size())) == nullptr,
              "all_engines does not have all engines");

/// Those for inputs of any size: the sequential one takes minutes for many elements on a GPU.
inline constexpr auto parallel_engines = [] {
  std::array<upsweep::engine, all_engines.size() - 1> some{};
  std::copy_if(all_engines.begin(), all_engines.end(), some.begin(),
               [](upsweep::engine e) { return e != upsweep::engine::sequential; });
  return some;
}();

}  // namespace oracle
