// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "options.hpp"

#include "../backend.hpp"
#include "../sizes.hpp"

#include <upsweep/version.hpp>

#include <CLI/CLI.hpp>

#include <stdexcept>

namespace perf::autotune {

std::optional<int> parse_options(int argc, char** argv, std::vector<std::string> const& groups, options& result) {
  CLI::App app{
      "Times exclusive scans of int32 and int64 with several values for the library's constants, and writes a header with the best. "
      "Configure Upsweep with -DUpsweep_TUNING_HEADER=<header> to use it."};
  std::string sizes = on_host ? "2^12..2^18*2,2^20..2^24" : "2^12..2^18,2^19,2^20..2^28";
  app.add_option("--output", result.output, "the header")->capture_default_str();
  app.add_option("--sizes", sizes, "elements: 1000,2^20 or 2^10..2^30 (by factors of 4) or 2^10..2^30*2")->capture_default_str();
  app.add_option("--measurements", result.measurements, "measurements of each candidate; default: by the size")
      ->check(CLI::Range(1, 100000));
  app.add_option("--groups", result.groups, "which constants; default: all")->delimiter(',')->check(CLI::IsMember(groups));
  app.add_option("--machine", result.machine, "name of this machine in the header; default: the processor");
  app.set_version_flag("--version", std::string("upsweep-autotune ") + UPSWEEP_VERSION_STRING);
  try {
    app.parse(argc, argv);
    result.sizes = parse_sizes(sizes);
  } catch (CLI::ParseError const& e) {
    return app.exit(e) == 0 ? 0 : 2;
  } catch (std::invalid_argument const& e) {
    return app.exit(CLI::ValidationError("--sizes", e.what())) == 0 ? 0 : 2;
  }
  return std::nullopt;
}

}  // namespace perf::autotune
