// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: no member named
// Lines: 60

#include "snippet.hpp"

#include <upsweep/base/workspace.hpp>

// The memory of a workspace is for calls of the library.
void workspace_memory(upsweep::workspace& ws) {
  ws.RIGHT_OR_WRONG(check(snippet::space()), reserve(snippet::space() COMMA 1000));
}
