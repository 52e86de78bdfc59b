// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// upsweep-perf: our scan and neighbour list against Kokkos and a copy, in one run, verified.

#include "measure.hpp"
#include "results.hpp"

#include <upsweep/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <string>

namespace {

/// The processor's name, without commas, for the CSV's machine column.
std::string processor() {
#if defined(KOKKOS_ENABLE_CUDA)
  std::string name = Kokkos::Cuda().cuda_device_prop().name;
#else
  std::string name = "unknown processor";
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("model name")) {
      name = line.substr(line.find(':') + 2);
      break;
    }
#endif
  std::erase(name, ',');
  return name;
}

}  // namespace

void perf::add(std::string const& name, int measurements, std::function<void(benchmark::State&)> body) {
  benchmark::RegisterBenchmark(name.c_str(), std::move(body))->UseManualTime()->Iterations(measurements);
}

int main(int argc, char** argv) {
  CLI::App app{"Times exclusive_scan and neighbor_list against Kokkos::parallel_scan and a copy. Every result is verified first."};
  std::string csv, machine, filter = ".*";
  std::size_t scan_largest = std::size_t(1) << 26, neighbors_largest = 1000000;
  app.add_option("--csv", csv, "write PREFIX-scan.csv and PREFIX-neighbors.csv")->type_name("PREFIX");
  app.add_option("--filter", filter, "run benchmarks whose kind/impl/operation/type/n matches this regular expression");
  app.add_option("--scan-largest", scan_largest, "largest number of elements of a scan")->capture_default_str();
  app.add_option("--neighbors-largest", neighbors_largest, "largest number of particles")->capture_default_str();
  app.add_option("--machine", machine, "name of this machine in the CSV; default: the processor");
  app.set_version_flag("--version", std::string("upsweep-perf ") + UPSWEEP_VERSION_STRING);
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  Kokkos::ScopeGuard const guard;
  try {
    perf::add_scans(scan_largest);
    perf::add_neighbors(neighbors_largest);
    perf::reporter reporter(machine.empty() ? processor() : machine);
    if (benchmark::RunSpecifiedBenchmarks(&reporter, filter) == 0) {
      fmt::print(stderr, "upsweep-perf: no benchmark matches '{}'\n", filter);
      return 2;
    }
    if (!csv.empty()) reporter.write_csv(csv);
    return reporter.failed() ? 1 : 0;
  } catch (std::exception const& e) {
    fmt::print(stderr, "upsweep-perf: {}\n", e.what());
    return 2;
  }
}
