// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: deleted function
// Lines: 60

#include "snippet.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>

upsweep::neighbor_rows<> view_of_temporary_list(upsweep::neighbor_list<snippet::space, double>& kept,
                                                snippet::view<double* [3]> const& positions,
                                                upsweep::box<double> const& box) {
  return RIGHT_OR_WRONG(kept, upsweep::neighbor_list(snippet::space(), positions, box, 1.0)).view();
}
