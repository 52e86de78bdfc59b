// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
// upsweep-perf-mpi: distributed calls on all ranks, beside one rank and beside MPI, in one run, verified.

#include "../../apps/support/launcher.hpp"
#include "../../apps/support/options/kokkos_options.hpp"
#include "../../apps/support/mpi/launch.hpp"
#include "../../apps/support/outputs/standard_output.hpp"
#include "../measure.hpp"
#include "../results.hpp"
#include "options.hpp"
#include "session.hpp"

#include <upsweep/mpi/gpu_aware.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

void perf::add(std::string const& name, int measurements, std::function<void(benchmark::State&)> body) {
  benchmark::RegisterBenchmark(name.c_str(), std::move(body))->UseManualTime()->Iterations(measurements);
}

namespace {

namespace ranks = perf::ranks;

/// What ranks other than 0 report.
class no_reporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(Context const&) override { return true; }
  void ReportRuns(std::vector<Run> const&) override {}
};

/// Refuses a file that cannot be written; returns the exit code. For one rank.
int prepare(ranks::options const& options) {
  try {
    perf::prepare_csv(options, "--csv", options.csv, {"mpi"});
    return 0;
  } catch (std::exception const& e) {
    return apps::refuse("upsweep-perf-mpi", e.what());
  }
}

/// Measures everything; returns the exit code. Collective.
int run(ranks::options const& options) {
  ranks::mpi::communicator const all(MPI_COMM_WORLD), alone(MPI_COMM_SELF);
  int code = 0;
  if (all.rank() == 0) code = prepare(options);
  MPI_Bcast(&code, 1, MPI_INT, 0, all.get());
  if (code != 0) return code;
  ranks::session const s{all, alone, perf::space(), options.operations, options.sizes, options.measurements};
  auto const transport = ranks::mpi::describe_transfers(all, s.instance);
  if (all.rank() == 0) fmt::print("{} ranks; {}\n", all.size(), transport);
  ranks::add_scans(s);
  ranks::add_sorts(s);
  ranks::add_states(s);
  ranks::add_collectives(s);
  ranks::add_migrations(s);
  ranks::add_halos(s);
  ranks::add_redistributions(s);
  if (all.rank() == 0) {
    perf::reporter reporter(options.machine, options.git);
    benchmark::RunSpecifiedBenchmarks(&reporter, ".*");
    if (!options.csv.empty()) reporter.write_csv(options.csv);
    apps::flush_standard_output();
    code = reporter.failed() ? 1 : 0;
  } else {
    no_reporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter, ".*");
  }
  benchmark::ClearRegisteredBenchmarks();
  MPI_Bcast(&code, 1, MPI_INT, 0, all.get());
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  apps::occupy_closed_streams();
  auto const arguments = apps::split(argc, argv);
  auto const line = ranks::parse(arguments.own);
  auto const mistake = apps::kokkos_mistake(arguments.kokkos);
  if (!line.proceed || !mistake.empty()) {
    if (apps::launcher_rank() != 0) return line.proceed ? apps::bad_input : line.exit_code;
    return line.proceed ? apps::refuse("upsweep-perf-mpi", mistake) : apps::answer("upsweep-perf-mpi", line);
  }
  MPI_Init(&argc, &argv);
  int code = 0;
  try {
    auto words = arguments.kokkos;
    apps::add_kokkos_defaults(words);
    words.insert(words.begin(), "upsweep-perf-mpi");
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    int count = static_cast<int>(words.size());
    Kokkos::ScopeGuard const guard(count, pointers.data());
    code = run(line.values);
  } catch (std::exception const& e) {
    // The others may wait for this rank.
    apps::refuse("upsweep-perf-mpi", e.what());
    MPI_Abort(MPI_COMM_WORLD, apps::bad_input);
  }
  MPI_Finalize();
  return code;
}
