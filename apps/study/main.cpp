// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../support/outputs/require_own_output.hpp"
#include "../support/run_program.hpp"
#include "../support/outputs/standard_output.hpp"
#include "engine_counts.hpp"
#include "options.hpp"
#include "report.hpp"
#include "team_counts.hpp"

#include <upsweep/io/replace_file.hpp>

#include <exception>
#include <string>
#include <vector>

namespace {

constexpr char program[] = "upsweep-study";
constexpr int wrong_result = 1;

study::rows count(study::options const& options) {
  study::rows all;
  for (auto const n : options.sizes)
    if (n <= study::largest_team) study::count_teams(n, all);
  if (options.engines)
    for (auto const n : options.sizes) study::count_engines(n, all);
  return all;
}

int run(study::options const& options) {
  study::rows all;
  try {
    std::vector<apps::place> const outputs{{"--csv", options.csv_file()}, {"--plot", options.plot}};
    apps::require_apart(apps::all_inputs(options, {}), outputs);
    for (auto const& output : outputs) apps::require_replaceable(output, program, options.force);
  } catch (std::exception const& e) {
    return apps::refuse(program, e.what());
  }
  try {
    all = count(options);
  } catch (std::exception const& e) {
    apps::complain(program, e.what());
    return wrong_result;
  }
  try {
    apps::print(options.csv == "-" ? study::csv(all) : study::table(all));
    if (!options.csv_file().empty()) upsweep::replace_file(options.csv, study::csv(all));
    if (!options.plot.empty()) study::plot(options.plot, all);
    return 0;
  } catch (std::exception const& e) {
    return apps::refuse(program, e.what());
  }
}

}  // namespace

int main(int argc, char** argv) { return apps::run_program(program, argc, argv, study::parse, run); }
