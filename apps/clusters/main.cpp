// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../support/mpi/main.hpp"
#include "options.hpp"
#include "run.hpp"

int main(int argc, char** argv) {
  return apps::run_parallel("upsweep-clusters", argc, argv, clusters::parse, clusters::run);
}
