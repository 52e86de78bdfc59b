// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "launch.hpp"
#include "options.hpp"
#include "simulation.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

constexpr int bad_input = 2, other_failure = 1;

/// Everything that has views and communicators: they are gone when it returns.
int run(nbody::options const& options) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  try {
    nbody::run(comm, options);
    return 0;
  } catch (upsweep::error const& e) {
    using kind = upsweep::error_kind;
    if (e.kind() == kind::communication || e.kind() == kind::unknown) throw;
    // The library raises these on all ranks alike. Files are rank 0's, which needs no saying.
    bool const about_file = e.kind() == kind::input || e.kind() == kind::output;
    std::string text = e.what();
    if (about_file && text.rfind("rank 0: ", 0) == 0) text.erase(0, 8);
    if (comm.rank() == 0) std::fprintf(stderr, "upsweep-nbody: %s\n", text.c_str());
    return about_file || e.kind() == kind::precondition || e.kind() == kind::overflow ? bad_input : other_failure;
  }
}

int run_with_kokkos(std::string const& program, std::vector<std::string> arguments, nbody::options const& options) {
  nbody::add_kokkos_defaults(arguments);
  arguments.insert(arguments.begin(), program);
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  try {
    Kokkos::ScopeGuard const guard(argc, argv.data());
    return run(options);
  } catch (std::exception const& e) {
    // Perhaps on this rank alone: the others must not wait for it.
    std::fprintf(stderr, "upsweep-nbody: %s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, other_failure);
    return other_failure;
  }
}

}  // namespace

int main(int argc, char** argv) {
  auto const arguments = nbody::split(argc, argv);
  auto const line = nbody::parse(arguments.own);
  // --help and --version answer without MPI and without a device.
  if (!line.proceed && line.exit_code == 0) {
    if (nbody::launcher_rank() == 0) std::fputs(line.text.c_str(), stdout);
    return 0;
  }
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int code = line.exit_code;
  if (line.proceed) {
    code = run_with_kokkos(argc > 0 ? argv[0] : "upsweep-nbody", arguments.kokkos, line.values);
  } else {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::fputs(line.text.c_str(), stderr);
  }
  std::fflush(nullptr);
  // No launcher sees a failed rank, and kills the others, before rank 0 has spoken.
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return code;
}
