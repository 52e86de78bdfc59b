// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <string>
#include <vector>

namespace apps {

/// How many ranks run on this rank's node, this one included. Pre: MPI runs. Collective over MPI_COMM_WORLD.
int ranks_on_node();

/// The command line in two parts: Kokkos' own options, and the program's.
struct split_arguments {
  std::vector<std::string> kokkos;
  std::vector<std::string> own;
};
split_arguments split(int argc, char** argv);

/// Adds defaults for what neither the command line nor the environment sets: the cores of a node shared evenly by its
/// ranks, and no warnings about how threads are bound. Pre: MPI runs. Collective.
void add_kokkos_defaults(std::vector<std::string>& arguments);

}  // namespace apps
