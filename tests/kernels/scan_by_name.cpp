// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The same call with an engine that is chosen when it runs: all engines have to be there.

#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/study/engines.hpp>

#include <string_view>

using space = Kokkos::DefaultExecutionSpace;

void scan(space const& instance, Kokkos::View<int const*, space> const& in, Kokkos::View<int*, space> const& out,
          std::string_view name) {
  upsweep::study::with_engine(name, [&]<class Engine>(Engine) {
    upsweep::exclusive_scan(instance, in, out, upsweep::plus<>{}, upsweep::basic_scan_options<Engine>{});
  });
}
