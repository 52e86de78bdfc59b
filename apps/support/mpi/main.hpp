// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../options/command_line.hpp"

#include <upsweep/mpi/communicator.hpp>

#include <functional>
#include <string>
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

}  // namespace apps
