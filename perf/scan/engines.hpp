// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/study/engine_name.hpp>

#include <map>
#include <string>
#include <string_view>

namespace perf {

inline std::map<std::string, upsweep::study::engine_name, std::less<>> const& engine_table() {
  using upsweep::study::engine_name;
  static std::map<std::string, engine_name, std::less<>> const table{{"automatic", engine_name::automatic},
                                                                     {"sequential", engine_name::sequential},
                                                                     {"scan_then_propagate", engine_name::scan_then_propagate},
                                                                     {"reduce_then_scan", engine_name::reduce_then_scan},
                                                                     {"two_level", engine_name::two_level},
                                                                     {"chained", engine_name::chained},
                                                                     {"look_back", engine_name::look_back},
                                                                     {"pipelined", engine_name::pipelined},
                                                                     {"cache_tiles", engine_name::cache_tiles}};
  return table;
}

/// Pre: one of the table's names.
inline upsweep::study::engine_name engine_of(std::string_view name) { return engine_table().find(name)->second; }

}  // namespace perf
