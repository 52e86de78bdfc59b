// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

namespace perf {

/// `git describe` of the sources when the program was built, "unknown" where they are no checkout. CMake writes the
/// definition (write_revision.cmake).
char const* revision();

}  // namespace perf
