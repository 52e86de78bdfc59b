// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <string>

namespace nbody {

/// printf into a string: text("%d pairs", 7). The compiler checks the arguments. Not fmt: nvcc does not take the
/// releases of it that distributions have.
[[gnu::format(printf, 1, 2)]] std::string text(char const* format, ...);

}  // namespace nbody
