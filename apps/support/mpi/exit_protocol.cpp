// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "exit_protocol.hpp"

#include "../outputs/standard_output.hpp"

#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>

namespace apps {
namespace {

/// How long a failed rank waits for the others. Ranks that know of the same error come at once.
constexpr std::chrono::seconds patience{3};

}  // namespace

exit_protocol::exit_protocol(std::string program) : program_(std::move(program)) {
  MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
}

exit_protocol::~exit_protocol() { MPI_Comm_free(&comm_); }

int exit_protocol::together(std::string const& error) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm_, &request);
  int here = 0;
  auto const begin = std::chrono::steady_clock::now();
  while (here == 0) {
    MPI_Test(&request, &here, MPI_STATUS_IGNORE);
    if (here != 0) break;
    if (!error.empty() && std::chrono::steady_clock::now() - begin > patience) {
      MPI_Abort(MPI_COMM_WORLD, refuse(program_, error));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  int rank = 0, size = 1;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &size);
  int const mine = error.empty() ? size : rank;
  int first = size;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm_);
  if (first == rank) refuse(program_, error);
  std::fflush(nullptr);
  // A launcher that sees a failed rank kills the others: the one that prints must have printed.
  MPI_Barrier(comm_);
  return first == size ? 0 : bad_input;
}

}  // namespace apps
