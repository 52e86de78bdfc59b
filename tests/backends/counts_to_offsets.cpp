// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Counts to offsets.

#include "gate.hpp"

#include <upsweep/scan/counts_to_offsets.hpp>

namespace gate {

void totals(view<int const> const& counts, view<std::uint64_t> const& offsets,
            strided_view<int> const& narrow_offsets) {
  space const s;
  std::size_t total = 0;
  upsweep::basic_scan_options<upsweep::engine::look_back> const look_back;
  upsweep::counts_to_offsets(s, counts, offsets);
  upsweep::counts_to_offsets(s, squares{}, narrow_offsets, upsweep::into{total}, look_back);
}

}  // namespace gate
