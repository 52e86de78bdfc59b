// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Scans of the rows of a matrix.

#include "gate.hpp"

#include <upsweep/scan/batched_scan.hpp>

namespace gate {

void rows(Kokkos::View<int**, memory> const& ints,
          Kokkos::View<double**, Kokkos::LayoutStride, memory> const& doubles) {
  space const s;
  upsweep::batched_inclusive_scan(s, ints, ints);
  upsweep::batched_exclusive_scan(s, doubles, doubles, upsweep::max<>{});
  upsweep::basic_scan_options<upsweep::engine::look_back> const look_back;
  upsweep::batched_exclusive_scan(s, doubles, doubles, upsweep::max<>{}, look_back);
}

}  // namespace gate
