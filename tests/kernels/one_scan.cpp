// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// One call, as a user writes it: count_kernels.py counts what it makes a compiler produce.

#include <upsweep/scan/exclusive_scan.hpp>

using space = Kokkos::DefaultExecutionSpace;

void scan(space const& instance, Kokkos::View<int const*, space> const& in, Kokkos::View<int*, space> const& out) {
  upsweep::exclusive_scan(instance, in, out);
}
