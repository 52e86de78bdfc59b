// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>

namespace upsweep::scan::detail {

// This layer has overloads of it.
using internal::scan_lanes;

}  // namespace upsweep::scan::detail
