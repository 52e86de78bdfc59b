// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "options.hpp"

#include "../../apps/support/options/options.hpp"
#include "../revision.hpp"
#include "../sizes.hpp"
#include "session.hpp"

#include <utility>

namespace perf::ranks {
namespace {

constexpr char purpose[] =
    "Times distributed calls of Upsweep on the ranks it is started with, the same calls on one rank, and what one rank "
    "does without any communicator. Every result is verified; a wrong one is reported and not timed.";

}  // namespace

command_line parse(std::vector<std::string> const& arguments) {
  apps::program<command_line> app("upsweep-perf-mpi", purpose);
  auto& result = app.line.values;
  std::string sizes = "2^20";
  app.add_option("--operations", result.operations, "operations to time; default: all")
      ->delimiter(',')
      ->check(CLI::IsMember(operations()));
  using apps::number_option, apps::word_option;
  word_option(app, "--sizes", sizes,
              "elements or rows of all ranks together: 1000,2^20 or 2^10..2^30 (by factors of 4) or 2^10..2^30*2",
              "SIZES");
  number_option(app, "--measurements", result.measurements, apps::from_to(1, 100000), "measurements of each benchmark");
  word_option(app, "--csv", result.csv, "write PREFIX-mpi.csv", "PREFIX");
  word_option(app, "--machine", result.machine, "name of this machine in the CSV; default: the processor");
  result.git = revision();
  word_option(app, "--git", result.git, "revision in the CSV; default: the source's when it was built");
  app.footer(
      "Options that start with --kokkos- are Kokkos'. Exit codes: 0 good, 1 a wrong result, 2 bad arguments or "
      "unwritable output.");
  return app.read(arguments, [&] {
    result.sizes = parse_sizes(sizes);
    for (auto const& [option, text] : {std::pair("--machine", result.machine), std::pair("--git", result.git)})
      if (text.find_first_of(",\"\n") != std::string::npos)
        throw apps::bad_option(option, text,
                               "a name without commas, quotes or line ends, which a CSV has between names");
  });
}

}  // namespace perf::ranks
