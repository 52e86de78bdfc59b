// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <mpi.h>

#include <cstdio>
#include <string>

namespace {

/// Whether a communicator is refused with this reason. MPI_COMM_WORLD may be used at any time as a name.
bool is_refused(char const* when, std::string const& reason) {
  try {
    upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  } catch (upsweep::precondition_error const& e) {
    if (std::string(e.what()).find(reason) != std::string::npos) return true;
    std::fprintf(stderr, "%s: another reason: %s\n", when, e.what());
    return false;
  }
  std::fprintf(stderr, "%s: nothing was thrown\n", when);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  bool good = is_refused("before MPI_Init", "MPI is not initialised");
  MPI_Init(&argc, &argv);
  {
    upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  good = is_refused("after MPI_Finalize", "MPI has been finalized") && good;
  return good ? 0 : 1;
}
