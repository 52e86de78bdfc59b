// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "options.hpp"
#include "scan/engines.hpp"

#include <upsweep/version.hpp>

#include <CLI/CLI.hpp>

#include <stdexcept>
#include <utility>

namespace perf {
namespace {

std::vector<std::string> engine_list() {
  std::vector<std::string> names;
  for (auto const& [name, value] : engine_table()) names.push_back(name);
  return names;
}

}  // namespace

std::optional<int> parse_options(int argc, char** argv, options& result) {
  CLI::App app{
      "Times scans and neighbour lists of Upsweep and of other libraries in one run. Every result is verified; a wrong one is "
      "reported and not timed."};
  std::string sizes;
  auto const list = [&](char const* name, std::vector<std::string>& into, std::vector<std::string> const& allowed, char const* text) {
    app.add_option(name, into, text)->delimiter(',')->check(CLI::IsMember(allowed));
  };
  auto& scans = result.scans;
  list("--benchmarks", result.benchmarks, {"scan", "neighbors", "force"}, "which kinds to run; default: scan,neighbors");
  list("--types", scans.types, scan_types(), "element types of scans; default: all");
  list("--impls", scans.impls, scan_impls(), "implementations of scans; default: all. A copy always runs");
  list("--operations", scans.operations, scan_operations(), "operations of scans; default: all");
  list("--engine", scans.engines, engine_list(), "engines of our own scans; default: automatic");
  app.add_option("--sizes", sizes, "elements of a scan: 1000,2^20 or 2^10..2^30 (by factors of 4) or 2^10..2^30*2");
  app.add_option("--measurements", scans.measurements, "measurements of each scan; default: by its size")->check(CLI::Range(1, 100000));
  app.add_option("--neighbors-largest", result.neighbors_largest, "largest number of particles")->capture_default_str();
  app.add_option("--filter", result.filter, "run benchmarks whose kind/impl/operation/type/n matches this regular expression");
  auto* const csv = app.add_option("--csv", result.csv, "write PREFIX-scan.csv and PREFIX-neighbors.csv")->type_name("PREFIX");
  app.add_option("--results", result.results, "write FOLDER/<machine>-<date>-scan.csv and so on")->type_name("FOLDER")->excludes(csv);
  app.add_option("--machine", result.machine, "name of this machine in the CSV; default: the processor");
  result.git = UPSWEEP_GIT_REVISION;
  app.add_option("--git", result.git, "revision in the CSV; default: the source's when it was configured");
  app.set_version_flag("--version", std::string("upsweep-perf ") + UPSWEEP_VERSION_STRING);
  try {
    app.parse(argc, argv);
    if (!sizes.empty()) scans.sizes = parse_sizes(sizes);
    for (auto const& [option, text] : {std::pair("--machine", result.machine), std::pair("--git", result.git)})
      if (text.find_first_of(",\"\n") != std::string::npos)
        throw CLI::ValidationError(option, "a name in a CSV has no commas, quotes or line ends");
  } catch (CLI::ParseError const& e) {
    return app.exit(e) == 0 ? 0 : 2;
  } catch (std::invalid_argument const& e) {
    return app.exit(CLI::ValidationError("--sizes", e.what())) == 0 ? 0 : 2;
  }
  return std::nullopt;
}

}  // namespace perf
