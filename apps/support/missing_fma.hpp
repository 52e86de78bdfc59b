// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <string>

namespace apps {

/// A line on standard error where the CPU computes and has FMA instructions that the program was compiled without.
void note_missing_fma(std::string const& program);

}  // namespace apps
