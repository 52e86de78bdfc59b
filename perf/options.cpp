// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "options.hpp"

#include "../apps/support/options/options.hpp"
#include "groups/selection.hpp"
#include "revision.hpp"

#include <upsweep/scan/study/engines.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace perf {
namespace {

constexpr char purpose[] =
    "Times scans, packing operations, neighbour lists and groups of points of Upsweep and of other libraries in one "
    "run. Every result is verified; a wrong one is reported and not timed.";

std::vector<std::string> engine_list() {
  std::vector<std::string> names;
  upsweep::study::for_each_engine([&](char const* name, auto) { names.emplace_back(name); });
  std::sort(names.begin(), names.end());
  return names;
}

/// The names of all lists, each once.
std::vector<std::string> united(std::initializer_list<std::vector<std::string>> lists) {
  std::vector<std::string> all;
  for (auto const& names : lists)
    for (auto const& name : names)
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
  return all;
}

}  // namespace

command_line parse(std::vector<std::string> const& arguments) {
  apps::program<command_line> app("upsweep-perf", purpose);
  auto& result = app.line.values;
  std::string sizes;
  auto const list = [&](char const* name, std::vector<std::string>& into, std::vector<std::string> const& allowed,
                        char const* text) {
    app.add_option(name, into, text)->delimiter(',')->check(CLI::IsMember(allowed));
  };
  auto& scans = result.scans;
  auto& packs = result.packs;
  auto& lists = result.lists;
  common_selection common;
  std::vector<std::string> operations;
  list("--benchmarks", result.benchmarks, {"scan", "pack", "neighbors", "force", "groups"},
       "which kinds to run; default: all but force and groups");
  list("--types", common.types,
       united({scan_types(), pack::pack_types(), neighbors::list_types(), groups::group_types()}),
       "element types; default: all");
  list("--impls", common.impls,
       united({scan_impls(), pack::pack_impls(), neighbors::list_impls(), groups::group_impls()}),
       "implementations; default: all. A copy always runs");
  list("--operations", operations, united({scan_operations(), pack::pack_operations()}),
       "operations of scan and pack; default: all");
  list("--workloads", lists.workloads, united({neighbors::list_workloads(), groups::group_workloads()}),
       "workloads of neighbors and groups; default: all");
  list("--engine", scans.engines, engine_list(), "engines of our own scans; default: automatic");
  using apps::number_option, apps::word_option;
  word_option(app, "--sizes", sizes, "elements or particles: 1000,2^20 or 2^10..2^30 (by factors of 4) or 2^10..2^30*2",
              "SIZES");
  number_option(app, "--keep", packs.keep, apps::from_to(0.0, 1.0), "part of the elements that compact keeps");
  number_option(app, "--measurements", common.measurements, apps::from_to(1, 100000),
                "measurements of each benchmark; default: by its size")
      ->default_str("");
  number_option(app, "--rounds", result.rounds, apps::from_to(1, 1000),
                "measure all so often, one round after the other; results are of all rounds");
  double percent = 0;
  auto* const spread =
      number_option(app, "--spread", percent, apps::positive(),
                    "measure rows whose quartiles are further apart than so many percent of the "
                    "median in as many rounds again, and leave out those that still are; default: none");
  spread->default_str("");
  word_option(app, "--filter", result.filter,
              "run benchmarks whose kind/impl/operation/type/n matches this regular expression");
  auto* const csv = word_option(app, "--csv", result.csv,
                                "write PREFIX-scan.csv, PREFIX-pack.csv, PREFIX-neighbors.csv and so on", "PREFIX");
  word_option(app, "--results", result.results, "write FOLDER/<machine>-<date>-scan.csv and so on", "FOLDER")
      ->excludes(csv);
  word_option(app, "--machine", result.machine, "name of this machine in the CSV; default: the processor");
  result.git = revision();
  word_option(app, "--git", result.git, "revision in the CSV; default: the source's when it was built");
  app.add_flag("--describe", result.describe,
               "print revision, processor, backend and the libraries that are measured beside, and end")
      ->disable_flag_override();
  app.footer(
      "Numbers are plain decimals. Exit codes: 0 good, 1 a wrong result, 2 bad arguments or unwritable output, 3 rows "
      "left out because of --spread.");
  return app.read(arguments, [&] {
    if (!sizes.empty()) common.sizes = parse_sizes(sizes);
    for (common_selection* const kind : std::initializer_list<common_selection*>{&scans, &packs, &lists})
      *kind = common;
    scans.operations = packs.operations = operations;
    if (spread->count() != 0) result.spread = percent / 100;
    if (spread->count() != 0 && common.measurements == 1 && result.rounds == 1)
      throw apps::bad_option("--spread " + fmt::format("{:g}", percent) +
                             " with --measurements 1: one measurement has no spread; --rounds 3 makes three");
    for (auto const& [option, text] : {std::pair("--machine", result.machine), std::pair("--git", result.git)})
      if (text.find_first_of(",\"\n") != std::string::npos)
        throw apps::bad_option(option, text,
                               "a name without commas, quotes or line ends, which a CSV has between names");
  });
}

}  // namespace perf
