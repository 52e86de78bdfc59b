// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/study/engine_name.hpp>

#include <algorithm>
#include <string_view>

namespace perf {

/// Pre: one of upsweep::study::engine_names.
inline upsweep::study::engine_name engine_of(std::string_view name) {
  auto const& names = upsweep::study::engine_names;
  return static_cast<upsweep::study::engine_name>(std::ranges::find(names, name) - names);
}

}  // namespace perf
