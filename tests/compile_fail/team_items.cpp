// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: a thread holds at least one item

#include "snippet.hpp"

#include <upsweep/team/coarsened.hpp>

std::size_t team_items() { return upsweep::team::coarsened<RIGHT_OR_WRONG(1, 0)>::scratch_bytes<int>(4); }
