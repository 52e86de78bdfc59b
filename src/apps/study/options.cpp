// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "options.hpp"

#include "../shared/options.hpp"

#include <upsweep/version.hpp>

namespace study {
namespace {

constexpr std::uint64_t largest = std::uint64_t(1) << 26;

std::vector<std::uint64_t> read_sizes(std::string const& words) {
  std::vector<std::uint64_t> sizes;
  for (auto const word : apps::split(words, ',')) {
    auto const size = apps::read_number<std::uint64_t>(word);
    if (!size || *size < 1 || *size > largest)
      throw apps::bad_option("--sizes", words, "numbers from 1 to " + std::to_string(largest) + ", such as 8,64,1024");
    sizes.push_back(*size);
  }
  return sizes;
}

}  // namespace

command_line parse(std::vector<std::string> const& arguments) {
  command_line result;
  auto& o = result.values;
  std::string sizes = "8,64,1024,65536";
  bool teams_only = false;
  CLI::App app(
      "Counts what every scan algorithm really does - operations, barriers, span, reads, writes, launches - and "
      "prints it beside the formulas of the algorithms' sources.",
      "upsweep-study");
  app.set_version_flag("--version", "upsweep-study " UPSWEEP_VERSION_STRING);
  using apps::word_option;
  word_option(app, "--sizes", sizes, "Numbers of elements; team algorithms run those up to 1024", "N,N,...");
  word_option(app, "--csv", o.csv, "Write the counts to this file; - is standard output, without the table", "FILE");
  word_option(app, "--plot", o.plot,
              "Draw work and span of the team algorithms against N to this SVG file (needs gnuplot)", "FILE");
  app.add_flag("--teams-only", teams_only, "Leave out the device engines")->disable_flag_override();
  app.footer(
      "Options that start with --kokkos- go to Kokkos. Numbers are plain decimals. Exit codes: 0 good, 1 a wrong "
      "result, 2 "
      "bad arguments or unwritable output.");
  static_cast<apps::command_line&>(result) = apps::read_command_line(app, arguments, [&] {
    o.sizes = read_sizes(sizes);
    o.engines = !teams_only;
  });
  return result;
}

}  // namespace study
