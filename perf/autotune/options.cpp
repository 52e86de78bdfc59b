// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "options.hpp"

#include "../../apps/support/options/options.hpp"
#include "../backend.hpp"
#include "../sizes.hpp"

namespace perf::autotune {

constexpr char purpose[] =
    "Times exclusive scans of int32 and int64 with several values for the library's constants, and writes a header "
    "with the best. Configure Upsweep with -DUpsweep_TUNING_HEADER=<header> to use it.";

command_line parse(std::vector<std::string> const& arguments, std::vector<std::string> const& groups) {
  apps::program<command_line> app("upsweep-autotune", purpose);
  auto& result = app.line.values;
  std::string sizes = on_host ? "2^12..2^18*2,2^20..2^24" : "2^12..2^18,2^19,2^20..2^28";
  using apps::number_option, apps::word_option;
  word_option(app, "--output", result.output, "the header", "FILE");
  word_option(app, "--sizes", sizes, "elements: 1000,2^20 or 2^10..2^30 (by factors of 4) or 2^10..2^30*2", "SIZES");
  number_option(app, "--measurements", result.measurements, apps::from_to(1, 100000),
                "measurements of each candidate; default: by the size")
      ->default_str("");
  app.add_option("--groups", result.groups, "which constants; default: all")
      ->delimiter(',')
      ->check(CLI::IsMember(groups));
  word_option(app, "--machine", result.machine, "name of this machine in the header; default: the processor");
  app.footer("Numbers are plain decimals. Exit codes: 0 good, 1 a wrong result, 2 bad arguments or unwritable output.");
  return app.read(arguments, [&] { result.sizes = parse_sizes(sizes); });
}

}  // namespace perf::autotune
