// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "launch.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

namespace apps {
namespace {

bool in_environment(char const* name) { return std::getenv(name) != nullptr; }

bool given(std::vector<std::string> const& arguments, std::string_view start) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](std::string const& a) { return a.compare(0, start.size(), start) == 0; });
}

}  // namespace

int ranks_on_node() {
  // By the processor's name, not MPI_Comm_split_type: some builds of MPI share no memory on one node.
  char mine[MPI_MAX_PROCESSOR_NAME] = {};
  int length = 0, size = 1;
  MPI_Get_processor_name(mine, &length);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<char> all(sizeof(mine) * static_cast<std::size_t>(size));
  MPI_Allgather(mine, sizeof(mine), MPI_CHAR, all.data(), sizeof(mine), MPI_CHAR, MPI_COMM_WORLD);
  int same = 0;
  for (std::size_t r = 0; r < all.size(); r += sizeof(mine)) same += std::memcmp(&all[r], mine, sizeof(mine)) == 0;
  return std::max(same, 1);
}

split_arguments split(int argc, char** argv) {
  split_arguments result;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    (argument.substr(0, 9) == "--kokkos-" ? result.kokkos : result.own).emplace_back(argument);
  }
  return result;
}

void add_kokkos_defaults(std::vector<std::string>& arguments) {
  int const ranks = ranks_on_node();
  if (!given(arguments, "--kokkos-num-threads") && !in_environment("KOKKOS_NUM_THREADS") &&
      !in_environment("OMP_NUM_THREADS")) {
    int const cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    arguments.push_back("--kokkos-num-threads=" + std::to_string(std::max(1, cores / ranks)));
  }
  if (!given(arguments, "--kokkos-disable-warnings") && !in_environment("KOKKOS_DISABLE_WARNINGS"))
    arguments.push_back("--kokkos-disable-warnings");
}

}  // namespace apps
