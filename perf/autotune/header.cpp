// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "header.hpp"

#include "../backend.hpp"
#include "../revision.hpp"

#include <upsweep/version.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ctime>

namespace perf::autotune {
namespace {

/// What may stand in a comment of one line: a backslash at its end would make the next line one, too.
std::string comment(std::string text) {
  for (char& c : text)
    if (c == '\\' || std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
  return text;
}

}  // namespace

std::string header_text(std::vector<decision> const& decisions, std::string const& machine) {
  std::string const backend = space::name();
  std::string macro = "KOKKOS_ENABLE_";
  for (char const c : backend) macro += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string text = fmt::format(
      "// Constants of Upsweep's scans for one machine, by upsweep-autotune {} ({}), {:%Y-%m-%d}.\n"
      "// {}; {}, {} threads; Kokkos {}.{}.{}.\n"
      "// To be used by configuring Upsweep with -DUpsweep_TUNING_HEADER=<this file>.\n"
      "#pragma once\n\n"
      "#if defined({})\n"
      "namespace upsweep::engine {{\n\n"
      "template <>\n"
      "struct tuning<Kokkos::{}> : default_tuning<Kokkos::{}> {{\n",
      UPSWEEP_VERSION_STRING, revision(), fmt::gmtime(std::time(nullptr)), comment(machine), backend,
      space().concurrency(), KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100, KOKKOS_VERSION % 100, macro, backend,
      backend);
  bool first = true;
  for (auto const& d : decisions) {
    if (!first) text += "\n";
    first = false;
    for (auto const& line : d.measured) text += fmt::format("  // {}\n", comment(line));
    for (auto const& line : d.declarations) text += fmt::format("  {}\n", line);
  }
  return text + "};\n\n}  // namespace upsweep::engine\n#endif\n";
}

}  // namespace perf::autotune
