// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/options.hpp>

#include <map>
#include <string>
#include <string_view>

namespace perf {

inline std::map<std::string, upsweep::engine, std::less<>> const& engine_table() {
  using upsweep::engine;
  static std::map<std::string, engine, std::less<>> const table{{"automatic", engine::automatic},
                                                                {"sequential", engine::sequential},
                                                                {"scan_then_propagate", engine::scan_then_propagate},
                                                                {"reduce_then_scan", engine::reduce_then_scan},
                                                                {"two_level", engine::two_level},
                                                                {"chained", engine::chained},
                                                                {"look_back", engine::look_back},
                                                                {"pipelined", engine::pipelined},
                                                                {"cache_tiles", engine::cache_tiles}};
  return table;
}

/// Pre: one of the table's names.
inline upsweep::engine engine_of(std::string_view name) { return engine_table().find(name)->second; }

}  // namespace perf
