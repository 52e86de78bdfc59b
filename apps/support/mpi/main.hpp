// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../options/command_line.hpp"

#include <upsweep/mpi/communicator.hpp>

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace apps {

/// A program on MPI ranks.
struct parallel_program {
  std::string name;
  /// Reads the arguments, without argv[0] and Kokkos' own. Prints and throws nothing.
  std::function<command_line(std::vector<std::string> const&)> parse;
  /// Runs what was asked for. Collective; throws on all ranks alike.
  std::function<void(upsweep::mpi::communicator const&)> run;
};

/// What main does: help and version without MPI, one message and one exit code of all ranks after an error.
int run_parallel(int argc, char** argv, parallel_program const& program);

/// The main function of a program on MPI ranks, as run_program is that of one process: `parse` returns a command line
/// with `values`, which `run` gets behind the communicator.
template <class Parse, class Run>
int run_parallel(std::string const& name, int argc, char** argv, Parse const& parse, Run const& run) {
  std::invoke_result_t<Parse const&, std::vector<std::string> const&> line;
  auto const keep_line = [&](std::vector<std::string> const& arguments) {
    line = parse(arguments);
    return static_cast<command_line>(line);
  };
  return run_parallel(argc, argv,
                      {name, keep_line, [&](upsweep::mpi::communicator const& comm) { run(comm, line.values); }});
}

}  // namespace apps
