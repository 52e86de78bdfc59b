// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Every snippet without its mistake. This must compile, or else the others could be refused for any reason.

#define UPSWEEP_CONTROL

#include "all_snippets.hpp"
