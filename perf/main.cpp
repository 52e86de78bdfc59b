// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
// upsweep-perf: our scans, packing operations, neighbour lists and groups of points against their peers and a copy, in
// one run, verified.

#include "../apps/support/options/kokkos_options.hpp"
#include "../apps/support/missing_fma.hpp"
#include "../apps/support/outputs/standard_output.hpp"
#include "describe.hpp"
#include "groups/selection.hpp"
#include "measure.hpp"
#include "neighbors/force.hpp"
#include "options.hpp"
#include "results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

void perf::add(std::string const& name, int measurements, std::function<void(benchmark::State&)> body) {
  benchmark::RegisterBenchmark(name.c_str(), std::move(body))->UseManualTime()->Iterations(measurements);
}

namespace {

/// The pattern that only these benchmarks match. Behind a name Google Benchmark writes "/iterations:11/manual_time".
std::string pattern_of(std::vector<std::string> const& names) {
  std::string all;
  for (auto const& name : names) {
    all += all.empty() ? "" : "|";
    for (char const c : name) {
      bool const is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '/';
      all += is_plain ? std::string(1, c) : std::string("[") + c + "]";
    }
  }
  return "^(" + all + ")/iterations:";
}

/// Measures all rounds, and what was too noisy in as many again; the number of benchmarks.
std::size_t measure(perf::options const& options, perf::reporter& reporter) {
  std::size_t matching = 0;
  for (int round = 1; round <= options.rounds; ++round) {
    if (options.rounds > 1) fmt::print("round {} of {}\n", round, options.rounds);
    matching = benchmark::RunSpecifiedBenchmarks(&reporter, options.filter);
    if (matching == 0) return 0;
  }
  for (int round = 1; round <= options.rounds; ++round) {
    auto const noisy = reporter.noisy();
    if (noisy.empty()) break;
    fmt::print("{} of {} once more, because their measurements spread\n", noisy.size(), matching);
    benchmark::RunSpecifiedBenchmarks(&reporter, pattern_of(noisy));
  }
  return matching;
}

/// Says which benchmarks are too noisy to be written; whether there are some.
bool tell_left_out(perf::reporter const& reporter, double bound) {
  auto const sentences = reporter.left_out();
  if (!sentences.empty())
    fmt::print(stderr, "upsweep-perf: not written, because their measurements spread more than {:g} %:\n", 100 * bound);
  for (auto const& sentence : sentences) fmt::print(stderr, "  {}\n", sentence);
  return !sentences.empty();
}

}  // namespace

int main(int argc, char** argv) {
  apps::occupy_closed_streams();
  auto const line = perf::parse({argv + std::min(argc, 1), argv + argc});
  if (!line.proceed) return apps::answer("upsweep-perf", line);
  auto const& options = line.values;
  if (auto const mistake = apps::kokkos_mistake({}); !mistake.empty()) return apps::refuse("upsweep-perf", mistake);
  apps::note_missing_fma("upsweep-perf");
  Kokkos::ScopeGuard const guard;
  try {
    if (options.describe) {
      perf::describe();
      apps::flush_standard_output();
      return 0;
    }
    perf::reporter reporter(options.machine, options.git, options.spread);
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
    std::size_t const matching = measure(options, reporter);
    // They hold device memory, which must be given back before Kokkos ends.
    benchmark::ClearRegisteredBenchmarks();
    if (matching == 0) {
      return apps::refuse("upsweep-perf", "no benchmark matches '" + options.filter + "'");
    }
    if (!prefix.empty()) reporter.write_csv(prefix);
    bool const is_noisy = tell_left_out(reporter, options.spread);
    apps::flush_standard_output();
    return reporter.failed() ? 1 : is_noisy ? 3 : 0;
  } catch (std::exception const& e) {
    benchmark::ClearRegisteredBenchmarks();
    return apps::refuse("upsweep-perf", e.what());
  }
}
