// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "failing_memory.hpp"

#include "../mpi/testing.hpp"

#include <upsweep/base/error.hpp>

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace testing_faults {

using upsweep::error_kind;

/// Ends the program with a line that names the call and the allocation after which a rank waits for ever.
class hang_guard {
 public:
  hang_guard(char const* call, int rank, std::int64_t allocation) {
    std::snprintf(text(), 160, "a rank waits for ever: %s, after allocation %lld failed on rank %d\n", call,
                  static_cast<long long>(allocation), rank);
    std::signal(SIGALRM, [](int) {
      static_cast<void>(!write(2, text(), std::char_traits<char>::length(text())));
      _exit(1);
    });
    alarm(30);
  }
  hang_guard(hang_guard const&) = delete;
  hang_guard& operator=(hang_guard const&) = delete;
  ~hang_guard() { alarm(0); }

 private:
  static char* text() {
    static char buffer[160];
    return buffer;
  }
};

/// What a call ended with on this rank.
template <class Call>
error_kind outcome_of(Call& call) {
  try {
    call.run();
    return error_kind::none;
  } catch (upsweep::error const& e) {
    return e.kind();
  } catch (...) {
    return error_kind::unknown;
  }
}

/// Whether an expectation has failed on any rank. Collective: a rank that returned alone would leave the
/// others waiting.
inline bool any_rank_failed() {
  int const mine = testing::Test::HasFailure() ? 1 : 0;
  int any = 0;
  MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return any != 0;
}

/// Fails every `stride`-th allocation of a collective call once, on each rank in turn. make() returns a new call with
/// run(), which is collective, and check(), which expects the right result. After each failure all ranks must have met
/// the same: out of memory, or nothing at all, where the library does without the memory. Then the same call must
/// succeed. `expected` is what a call without a failure ends with.
template <class Make>
void fail_each_allocation(char const* name, int stride, Make const& make, error_kind expected = error_kind::none) {
  MPI_Comm const everybody = MPI_COMM_WORLD;
  int rank = 0, size = 1;
  MPI_Comm_rank(everybody, &rank);
  MPI_Comm_size(everybody, &size);
  std::int64_t mine = 0;
  {
    hang_guard const guard(name, -1, -1);
    auto call = make();
    EXPECT_EQ(outcome_of(call), expected);
    if (any_rank_failed()) return;
  }
  {
    // The second of its kind, since the first may fill what is kept for ever.
    hang_guard const guard(name, -1, -1);
    auto call = make();
    failing_memory::arm(failing_memory::never);
    auto const outcome = outcome_of(call);
    mine = failing_memory::disarm();
    EXPECT_EQ(outcome, expected);
    if (outcome == error_kind::none) call.check();
    if (any_rank_failed()) return;
  }
  std::vector<std::int64_t> allocations(static_cast<std::size_t>(size));
  MPI_Allgather(&mine, 1, MPI_INT64_T, allocations.data(), 1, MPI_INT64_T, everybody);

  for (int culprit = 0; culprit < size; ++culprit) {
    std::int64_t const all = allocations[static_cast<std::size_t>(culprit)];
    std::int64_t failures = 0;
    for (std::int64_t k = 0; k < all; k += stride) {
      hang_guard const guard(name, culprit, k);
      auto call = make();
      failing_memory::arm(rank == culprit ? k : failing_memory::never);
      auto const outcome = outcome_of(call);
      failing_memory::disarm();
      int const kind = static_cast<int>(outcome);
      int const local[3] = {kind, -kind, failing_memory::has_failed() ? -1 : 0};
      int least[3] = {};
      MPI_Allreduce(local, least, 3, MPI_INT, MPI_MIN, everybody);
      std::string const where =
          std::string(name) + ", allocation " + std::to_string(k) + " on rank " + std::to_string(culprit);
      ASSERT_EQ(least[0], -least[1]) << where << ": ranks ended differently";
      if (least[2] != 0) ++failures;
      if (outcome != expected) {
        EXPECT_EQ(outcome, error_kind::out_of_memory) << where;
        EXPECT_NE(least[2], 0) << where << ": no allocation has failed";
        EXPECT_EQ(outcome_of(call), expected) << where << ": the second try";
      }
      if (expected == error_kind::none) call.check();
      if (any_rank_failed()) {
        ADD_FAILURE() << where;
        return;
      }
    }
    if (stride == 1) {
      EXPECT_GE(2 * failures, all) << name << ": most allocations must have failed once";
    }
  }
  if (rank == 0) std::printf("%s: %lld allocations on rank 0\n", name, static_cast<long long>(mine));
}

}  // namespace testing_faults
