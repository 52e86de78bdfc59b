// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the values of the result are a contiguous View of the rows. type that can be assigned

#include "snippet.hpp"

#include <upsweep/pack/sort_and_unique_rows.hpp>

void const_values_of_rows(snippet::view<std::size_t*> offsets, snippet::view<int*> values,
                          snippet::view<std::size_t*> out_offsets,
                          snippet::view<RIGHT_OR_WRONG(int*, int const*)> out_values) {
  upsweep::sort_and_unique_rows_into(snippet::space(), offsets, values, out_offsets, out_values);
}
