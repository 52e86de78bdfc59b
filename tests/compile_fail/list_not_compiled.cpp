// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: include <upsweep/neighbors/compile_lists.hpp> for others

#include "snippet.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>

using list_scalar = RIGHT_OR_WRONG(double, long double);

void list_not_compiled(upsweep::box<list_scalar> const& box) {
  upsweep::neighbor_list<snippet::space, list_scalar> list(snippet::space(), box, 1.0);
}
