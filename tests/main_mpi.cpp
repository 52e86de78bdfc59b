// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <gtest/gtest.h>
#include <mpi.h>

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <string>

namespace {

/// Replaces GoogleTest's printer on every rank but the first: prints nothing of what passes, and names the
/// rank of a failure.
class failure_printer : public testing::EmptyTestEventListener {
 public:
  explicit failure_printer(int rank) : rank_(rank) {}

 private:
  // Remembered here, because GoogleTest holds the lock of current_test_info() while it reports a failure.
  void OnTestStart(testing::TestInfo const& info) override {
    test_ = std::string(info.test_suite_name()) + "." + info.name();
  }
  void OnTestEnd(testing::TestInfo const&) override { test_ = "outside of a test"; }

  void OnTestPartResult(testing::TestPartResult const& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "[rank %d] %s: %s:%d: Failure\n%s\n", rank_, test_.c_str(),
                 result.file_name() ? result.file_name() : "unknown file", result.line_number(), result.message());
    std::fflush(stderr);
  }

  int rank_;
  std::string test_ = "outside of a test";
};

int run(int& argc, char** argv) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  testing::InitGoogleTest(&argc, argv);
  Kokkos::ScopeGuard const guard(argc, argv);
  if (rank != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new failure_printer(rank));
  } else {
    std::printf("%d ranks\n", size);
  }

  // A failure anywhere is a failure everywhere, whatever exit code the launcher picks from its ranks.
  int const mine = RUN_ALL_TESTS() == 0 ? 0 : 1;
  int failed_ranks = 0;
  MPI_Allreduce(&mine, &failed_ranks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && failed_ranks > 0) std::fprintf(stderr, "%d of %d ranks failed\n", failed_ranks, size);
  return failed_ranks > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  // The double of NCCL sends from threads of its own, while the main thread waits for them.
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  int const code = run(argc, argv);
  MPI_Finalize();
  return code;
}
