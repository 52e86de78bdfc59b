// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../support/mpi/main.hpp"
#include "early_end.hpp"
#include "options.hpp"
#include "simulation.hpp"

int main(int argc, char** argv) {
  nbody::remember_sigterm();
  return apps::run_parallel("upsweep-nbody", argc, argv, nbody::parse, nbody::run);
}
