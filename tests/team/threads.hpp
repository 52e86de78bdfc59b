// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <barrier>
#include <thread>
#include <vector>

namespace oracle {

/// A team of plain host threads with a real barrier: any team size, on any machine.
struct thread_member {
  int rank, size;
  std::barrier<>* barrier;
  int team_rank() const { return rank; }
  int team_size() const { return size; }
  void team_barrier() const { barrier->arrive_and_wait(); }
};

template <class Body>
void run_team(int size, Body const& body) {
  std::barrier<> barrier(size);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] { body(thread_member{rank, size, &barrier}); });
  for (auto& thread : threads) thread.join();
}

}  // namespace oracle
