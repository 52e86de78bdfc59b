// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

namespace testing_mpi {

/// Within a scope MPI says that its ranks are on so many nodes, in turn. Otherwise it says what it finds: Debian's
/// MPICH 5.0, which has no shared memory, that each rank is on a node of its own.
class nodes {
 public:
  explicit nodes(int count) : before_(said_) { said_ = count; }
  nodes(nodes const&) = delete;
  nodes& operator=(nodes const&) = delete;
  ~nodes() { said_ = before_; }

  /// 0: as MPI finds.
  static int said() { return said_; }

 private:
  inline static int said_ = 0;
  int before_;
};

}  // namespace testing_mpi
