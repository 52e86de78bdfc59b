// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

namespace testing_mpi {

/// Calls of an MPI function that return an error on this rank: the test program puts its own functions before MPI's.
struct mpi_errors {
  static constexpr int none = -1;
  int calls_before = none;  ///< good calls before the bad one

  /// True for the call that has to fail.
  bool due() {
    if (calls_before == none) return false;
    return calls_before-- == 0;
  }
};
inline mpi_errors irecv_errors, isend_errors, waitall_errors, allreduce_errors;

/// Fails one call within a scope.
class failing_call {
 public:
  failing_call(mpi_errors& errors, int calls_before) : errors_(errors) { errors_.calls_before = calls_before; }
  failing_call(failing_call const&) = delete;
  failing_call& operator=(failing_call const&) = delete;
  ~failing_call() { errors_.calls_before = mpi_errors::none; }
  /// Whether the call has happened.
  bool happened() const { return errors_.calls_before == mpi_errors::none; }

 private:
  mpi_errors& errors_;
};

}  // namespace testing_mpi
