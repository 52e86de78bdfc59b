// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
// upsweep-autotune: finds the constants of the scans for the machine that it runs on, and writes them into a header.

#include "../../apps/support/options/kokkos_options.hpp"
#include "../../apps/support/outputs/output_paths.hpp"
#include "../../apps/support/outputs/standard_output.hpp"
#include "choose.hpp"
#include "header.hpp"
#include "options.hpp"

#include <upsweep/base/printable.hpp>
#include <upsweep/io/replace_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace perf::autotune {
namespace {

std::vector<std::string> groups_of(std::vector<candidate> const& candidates) {
  std::vector<std::string> groups;
  for (auto const& c : candidates)
    if (groups.empty() || groups.back() != c.group) groups.push_back(c.group);
  return groups;
}

void show(std::vector<decision> const& decisions) {
  for (auto const& d : decisions) {
    fmt::print("{}{}\n", d.group, d.element_bytes == 0 ? "" : fmt::format(", elements of {} bytes", d.element_bytes));
    for (auto const& line : d.measured) fmt::print("  {}\n", line);
    for (auto const& line : d.declarations) fmt::print("    {}\n", line);
  }
}

/// The exit code: 0 with a header, 1 where a result was wrong.
int tune(std::vector<candidate> const& candidates, options const& chosen) {
  apps::require_apart(apps::all_inputs(chosen, {}), {{"--output", chosen.output}});
  upsweep::check_writable(chosen.output);
  auto const measured = measure(candidates, chosen.sizes, chosen.measurements);
  for (std::size_t k = 0; k < candidates.size(); ++k)
    if (!measured.refused[k].empty())
      fmt::print(stderr, "upsweep-autotune: {} ({}) cannot run here: {}\n", candidates[k].group, candidates[k].name,
                 measured.refused[k]);
  auto const decisions = choose(candidates, measured);
  show(decisions);
  for (auto const& what : measured.wrong) fmt::print(stderr, "upsweep-autotune: WRONG RESULT: {}\n", what);
  if (!measured.wrong.empty()) {
    fmt::print(stderr, "upsweep-autotune: a wrong result is a mistake in the library; no header was written\n");
    return 1;
  }
  if (decisions.empty()) throw std::runtime_error("nothing could be measured, so no header was written");
  upsweep::replace_file(chosen.output,
                        header_text(decisions, chosen.machine.empty() ? processor_name() : chosen.machine));
  fmt::print("wrote {}\n", upsweep::printable(chosen.output));
  apps::flush_standard_output();
  return 0;
}

}  // namespace
}  // namespace perf::autotune

int main(int argc, char** argv) {
  apps::occupy_closed_streams();
  using namespace perf::autotune;
  auto candidates = all_candidates();
  auto const line = parse({argv + std::min(argc, 1), argv + argc}, groups_of(candidates));
  if (!line.proceed) return apps::answer("upsweep-autotune", line);
  auto const& chosen = line.values;
  auto const& groups = chosen.groups;
  if (!groups.empty())
    std::erase_if(candidates,
                  [&](candidate const& c) { return std::find(groups.begin(), groups.end(), c.group) == groups.end(); });
  if (auto const mistake = apps::kokkos_mistake({}); !mistake.empty()) return apps::refuse("upsweep-autotune", mistake);
  Kokkos::ScopeGuard const guard;
  try {
    return tune(candidates, chosen);
  } catch (std::exception const& e) {
    return apps::refuse("upsweep-autotune", e.what());
  }
}
