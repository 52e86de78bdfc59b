// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "options.hpp"

#include "../support/options/options.hpp"
#include "../support/options/output_words.hpp"

namespace study {
namespace {

constexpr char purpose[] =
    "Counts what every scan algorithm really does - operations, barriers, span, reads, writes, launches - and "
    "prints it beside the formulas of the algorithms' sources.";

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
  apps::program<command_line> app("upsweep-study", purpose);
  auto& o = app.line.values;
  std::string sizes = "8,64,1024,65536";
  bool teams_only = false;
  using apps::word_option;
  word_option(app, "--sizes", sizes, "Numbers of elements; team algorithms run those up to 1024", "N,N,...");
  word_option(app, "--csv", o.csv, "Write the counts to this file; - is standard output, without the table", "FILE");
  word_option(app, "--plot", o.plot,
              "Draw work and span of the team algorithms against N to this SVG file (needs gnuplot)", "FILE");
  app.add_flag("--teams-only", teams_only, "Leave out the device engines")->disable_flag_override();
  apps::add_force_word(app, o.force);
  app.footer(
      "Options that start with --kokkos- go to Kokkos. Numbers are plain decimals. Exit codes: 0 good, 1 a wrong "
      "result, 2 bad arguments or unwritable output.");
  return app.read(arguments, [&] {
    o.sizes = read_sizes(sizes);
    o.engines = !teams_only;
    apps::require_use_of_force(o.force, !o.csv_file().empty() || !o.plot.empty());
  });
}

}  // namespace study
