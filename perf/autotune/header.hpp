// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "choose.hpp"

#include <string>
#include <vector>

namespace perf::autotune {

/// The header that makes the library use what was chosen (scan/tuning.hpp).
std::string header_text(std::vector<decision> const& decisions, std::string const& machine);

}  // namespace perf::autotune
