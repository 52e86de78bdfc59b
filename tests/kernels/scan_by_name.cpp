// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The same call with an engine that is chosen when it runs: all engines have to be there.

#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/study/engine_name.hpp>

using space = Kokkos::DefaultExecutionSpace;

void scan(space const& instance, Kokkos::View<int const*, space> const& in, Kokkos::View<int*, space> const& out,
          upsweep::study::engine_name which) {
  upsweep::exclusive_scan(instance, in, out, upsweep::plus<>{}, upsweep::study::scan_options{.engine = which});
}
