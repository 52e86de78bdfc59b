// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <string_view>

namespace upsweep {

class workspace;

/// Options of calls that have no algorithm to choose, reduce and packing for instance:
/// `reduce(space, in, max<>{}, {.workspace = &ws})`. Options of other calls that take a workspace begin with the same
/// two.
struct call_options {
  /// with one, the call takes its memory from there and does not wait where it need not
  upsweep::workspace* workspace = nullptr;
  std::string_view label = {};  ///< goes into the kernels' labels, in brackets
};

}  // namespace upsweep
