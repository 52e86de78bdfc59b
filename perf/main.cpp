// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
// upsweep-perf: our scans, packing operations, neighbour lists and groups of points against their peers and a copy, in
// one run, verified.

#include "../apps/support/options/kokkos_options.hpp"
#include "../apps/support/missing_fma.hpp"
#include "../apps/support/outputs/standard_output.hpp"
#include "groups/selection.hpp"
#include "measure.hpp"
#include "neighbors/force.hpp"
#include "options.hpp"
#include "results.hpp"

#include <algorithm>
#include <exception>

void perf::add(std::string const& name, int measurements, std::function<void(benchmark::State&)> body) {
  benchmark::RegisterBenchmark(name.c_str(), std::move(body))->UseManualTime()->Iterations(measurements);
}

int main(int argc, char** argv) {
  apps::occupy_closed_streams();
  auto const line = perf::parse({argv + std::min(argc, 1), argv + argc});
  if (!line.proceed) return apps::answer("upsweep-perf", line);
  auto const& options = line.values;
  if (auto const mistake = apps::kokkos_mistake({}); !mistake.empty()) return apps::refuse("upsweep-perf", mistake);
  apps::note_missing_fma("upsweep-perf");
  Kokkos::ScopeGuard const guard;
  try {
    perf::reporter reporter(options.machine, options.git);
    auto const prefix = options.results.empty() ? options.csv : options.results + "/" + reporter.file_prefix();
    perf::prepare_csv(options, options.results.empty() ? "--csv" : "--results", prefix, options.benchmarks);
    auto const runs = [&](char const* kind) {
      return std::count(options.benchmarks.begin(), options.benchmarks.end(), kind) != 0;
    };
    if (runs("scan")) perf::add_scans(options.scans);
    if (runs("pack")) perf::pack::add_packs(options.packs);
    if (runs("neighbors")) perf::neighbors::add_lists(options.lists);
    if (runs("force")) perf::add_forces(options.lists.sizes);
    if (runs("groups")) perf::groups::add_groups(options.lists);
    std::size_t const matching = benchmark::RunSpecifiedBenchmarks(&reporter, options.filter);
    // They hold device memory, which must be given back before Kokkos ends.
    benchmark::ClearRegisteredBenchmarks();
    if (matching == 0) {
      return apps::refuse("upsweep-perf", "no benchmark matches '" + options.filter + "'");
    }
    if (!prefix.empty()) reporter.write_csv(prefix);
    apps::flush_standard_output();
    return reporter.failed() ? 1 : 0;
  } catch (std::exception const& e) {
    benchmark::ClearRegisteredBenchmarks();
    return apps::refuse("upsweep-perf", e.what());
  }
}
