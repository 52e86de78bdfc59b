// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "options.hpp"

#include <upsweep/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace study {
namespace {

constexpr std::uint64_t largest = std::uint64_t(1) << 26;

std::vector<std::uint64_t> parse_sizes(std::string const& words) {
  std::vector<std::uint64_t> sizes;
  char const* at = words.data();
  char const* const end = at + words.size();
  for (bool more = true; more;) {
    std::uint64_t value = 0;
    auto const [next, code] = std::from_chars(at, end, value);
    more = next != end && *next == ',';
    if (code != std::errc{} || (!more && next != end) || value < 1 || value > largest)
      throw std::invalid_argument("--sizes " + words + ": expected numbers from 1 to " + std::to_string(largest) + ", such as 8,64,1024");
    sizes.push_back(value);
    at = next + 1;
  }
  return sizes;
}

}  // namespace

command_line parse(std::vector<std::string> arguments) {
  command_line result;
  auto& o = result.values;
  std::string sizes = "8,64,1024,65536";
  bool teams_only = false;
  CLI::App app("Counts what every scan algorithm really does - operations, barriers, span, reads, writes, launches - and prints it "
               "beside the formulas of the algorithms' sources.",
               "upsweep-study");
  app.set_version_flag("--version", "upsweep-study " UPSWEEP_VERSION_STRING);
  app.add_option("--sizes", sizes, "Numbers of elements; team algorithms run those up to 1024")->capture_default_str();
  app.add_option("--csv", o.csv, "Write the counts to this file; - is standard output, without the table");
  app.add_option("--plot", o.plot, "Draw work and span of the team algorithms against N to this SVG file (needs gnuplot)");
  app.add_flag("--teams-only", teams_only, "Leave out the device engines");
  app.footer("Options that start with --kokkos- go to Kokkos. Exit codes: 0 good, 1 a wrong result, 2 bad arguments or unwritable output.");
  try {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app.parse(std::move(arguments));
    o.sizes = parse_sizes(sizes);
    o.engines = !teams_only;
  } catch (CLI::ParseError const& e) {
    std::ostringstream out, err;
    bool const good = app.exit(e, out, err) == 0;
    result.proceed = false;
    result.exit_code = good ? 0 : 2;
    result.text = good ? out.str() : "upsweep-study: " + std::string(e.what()) + " (see --help)\n";
  } catch (std::invalid_argument const& e) {
    result.proceed = false;
    result.exit_code = 2;
    result.text = "upsweep-study: " + std::string(e.what()) + "\n";
  }
  return result;
}

}  // namespace study
