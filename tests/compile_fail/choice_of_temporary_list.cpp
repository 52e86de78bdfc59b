// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: deleted function
// Lines: 60

#include "snippet.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>

void choice_of_temporary_list(upsweep::neighbor_list<snippet::space, double>& kept,
                              snippet::view<double* [3]> const& positions, upsweep::box<double> const& box,
                              snippet::view<std::size_t*> const& chosen) {
  auto const rows =
      upsweep::choose_rows(RIGHT_OR_WRONG(kept, upsweep::neighbor_list(snippet::space(), positions, box, 1.0)), chosen);
  static_cast<void>(rows);
}
