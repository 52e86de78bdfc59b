// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

namespace upsweep::neighbors::detail {

/// What particles are binned and counted for: a list, or its size alone.
enum class aim { list, plan };

}  // namespace upsweep::neighbors::detail
