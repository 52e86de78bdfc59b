// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <mpi.h>

#include <string>

namespace apps {

/// Brings all ranks to one end, whatever happened on which of them.
class exit_protocol {
 public:
  /// `program` is named before errors. Collective over MPI_COMM_WORLD.
  explicit exit_protocol(std::string program);
  exit_protocol(exit_protocol const&) = delete;
  exit_protocol& operator=(exit_protocol const&) = delete;
  ~exit_protocol();

  /// Every rank calls this once, with what went wrong there or an empty text, and gets the program's exit code.
  /// Most errors are known to all ranks: then the lowest failed rank prints its text and all return. An error that only
  /// some ranks know leaves the others waiting in a call that never completes: a failed rank that has waited some
  /// seconds for them prints its text and ends the program on all ranks by MPI_Abort, with the same exit code.
  int together(std::string const& error);

 private:
  std::string program_;
  MPI_Comm comm_ = MPI_COMM_NULL;  // a copy, so what the run left unfinished cannot match it
};

}  // namespace apps
