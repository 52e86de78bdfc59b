// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "options.hpp"

#include "text.hpp"

#include <upsweep/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <system_error>
#include <utility>

namespace nbody {
namespace {

struct bad_value {
  std::string text;
};

void need(bool good, std::string const& option, std::string const& value, std::string const& expected) {
  if (!good) throw bad_value{"--" + option + " " + value + ": expected " + expected};
}

void need_positive(double value, std::string const& option) {
  need(std::isfinite(value) && value > 0, option, text("%g", value), "a finite number greater than 0");
}

void need_not_negative(double value, std::string const& option) {
  need(std::isfinite(value) && value >= 0, option, text("%g", value), "a finite number, 0 or greater");
}

/// "2,2,1" as three integers. CLI11's own lists would take the next words of the command line, too.
std::array<std::int64_t, 3> three(std::string const& words, std::string const& option, std::int64_t least) {
  std::array<std::int64_t, 3> result{};
  char const* at = words.data();
  char const* const end = at + words.size();
  bool good = true;
  for (std::size_t d = 0; d < 3 && good; ++d) {
    auto const [next, code] = std::from_chars(at, end, result[d]);
    good = code == std::errc{} && (d == 2 ? next == end : next != end && *next == ',') && result[d] >= least && result[d] <= 1'000'000;
    at = next + 1;
  }
  need(good, option, words.empty() ? "(none)" : words, "three integers from " + std::to_string(least) + " to 1000000, such as 4,2,1");
  return result;
}

/// What CLI11 cannot say in its own terms. Throws bad_value.
void check(options const& o) {
  need(o.input.empty() != o.lattice.empty(), "input", o.input.empty() ? "(none)" : o.input,
       "either --input FILE or --lattice fcc --cells a,b,c");
  need(o.lattice.empty() || o.lattice == "fcc", "lattice", o.lattice, "fcc");
  need_positive(o.density, "density");
  need_not_negative(o.temperature, "temperature");
  need_positive(o.cutoff, "cutoff");
  need_not_negative(o.skin, "skin");
  need_positive(o.dt, "dt");
  need(o.steps >= 0, "steps", std::to_string(o.steps), "0 or more");
  need(o.thermo >= 0, "thermo", std::to_string(o.thermo), "0 (first and last step only) or more");
}

}  // namespace

command_line parse(std::vector<std::string> arguments) {
  command_line result;
  auto& o = result.values;
  CLI::App app("Lennard-Jones molecular dynamics in reduced units on MPI ranks: a neighbour list with skin, velocity "
               "Verlet, constant energy.",
               "upsweep-nbody");
  app.set_version_flag("--version", "upsweep-nbody " UPSWEEP_VERSION_STRING);
  std::string cells, grid;
  auto* const input = app.add_option("--input", o.input, "LAMMPS data file to start from, plain or .gz");
  auto* const lattice = app.add_option("--lattice", o.lattice, "Start from a lattice instead: fcc")->excludes(input);
  app.add_option("--cells", cells, "Unit cells of the lattice in x, y, z: 20,20,20")->needs(lattice);
  app.add_option("--density", o.density, "Particles a volume of the lattice")->capture_default_str()->needs(lattice);
  app.add_option("--temperature", o.temperature, "Temperature of the lattice's start")->capture_default_str()->needs(lattice);
  app.add_option("--seed", o.seed, "Seed of the lattice's velocities")->capture_default_str()->needs(lattice);
  app.add_option("--cutoff", o.cutoff, "Range of the force")->capture_default_str();
  app.add_option("--skin", o.skin, "How much farther the neighbour list reaches")->capture_default_str();
  app.add_option("--dt", o.dt, "Time step")->capture_default_str();
  app.add_option("--steps", o.steps, "Number of steps")->capture_default_str();
  app.add_option("--thermo", o.thermo, "Steps between lines of the table; 0: first and last only")->capture_default_str();
  app.add_option("--ranks-grid", grid, "Ranks along x, y, z: 2,2,1; a 0 is chosen");
  app.add_option("--report", o.report, "Write results and times to this JSON file");
  app.add_option("--write-list", o.write_list,
                 "Write the last step's neighbour list to offsets.npy, neighbors.npy and images.npy in this folder");
  app.footer("Options that start with --kokkos- go to Kokkos. Exit codes: 0 good, 2 bad input or unwritable output.");
  try {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app.parse(std::move(arguments));
    if (!o.lattice.empty()) o.cells = three(cells, "cells", 1);
    if (!grid.empty()) {
      auto const wanted = three(grid, "ranks-grid", 0);
      for (int d = 0; d < 3; ++d) o.ranks_grid[d] = static_cast<int>(wanted[static_cast<std::size_t>(d)]);
    }
    check(o);
  } catch (CLI::ParseError const& e) {
    std::ostringstream out, err;
    bool const good = app.exit(e, out, err) == 0;
    result.proceed = false;
    result.exit_code = good ? 0 : 2;
    result.text = good ? out.str() : "upsweep-nbody: " + std::string(e.what()) + " (see --help)\n";
  } catch (bad_value const& e) {
    result.proceed = false;
    result.exit_code = 2;
    result.text = "upsweep-nbody: " + e.text + "\n";
  }
  return result;
}

}  // namespace nbody
