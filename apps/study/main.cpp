// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../support/outputs/output_paths.hpp"
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
  bool const csv_file = !options.csv.empty() && options.csv != "-";
  study::rows all;
  try {
    std::vector<apps::place> outputs;
    if (csv_file) outputs.push_back({"--csv", options.csv});
    if (!options.plot.empty()) outputs.push_back({"--plot", options.plot});
    apps::require_apart(apps::all_inputs(options, {}), outputs);
    for (auto const& output : outputs) upsweep::check_writable(output.path);
  } catch (std::exception const& e) {
    return apps::refuse("upsweep-study", e.what());
  }
  try {
    all = count(options);
  } catch (std::exception const& e) {
    apps::complain("upsweep-study", e.what());
    return wrong_result;
  }
  try {
    apps::print(options.csv == "-" ? study::csv(all) : study::table(all));
    if (csv_file) upsweep::replace_file(options.csv, study::csv(all));
    if (!options.plot.empty()) study::plot(options.plot, all);
    return 0;
  } catch (std::exception const& e) {
    return apps::refuse("upsweep-study", e.what());
  }
}

}  // namespace

int main(int argc, char** argv) { return apps::run_program("upsweep-study", argc, argv, study::parse, run); }
