// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../support/mpi/main.hpp"
#include "early_end.hpp"
#include "options.hpp"
#include "simulation.hpp"

#include <string>
#include <vector>

int main(int argc, char** argv) {
  nbody::remember_sigterm();
  nbody::command_line line;
  auto const parse = [&](std::vector<std::string> const& arguments) {
    line = nbody::parse(arguments);
    return static_cast<apps::command_line>(line);
  };
  auto const run = [&](upsweep::mpi::communicator const& comm) { nbody::run(comm, line.values); };
  return apps::run_parallel(argc, argv, {"upsweep-nbody", parse, run});
}
