// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Other work on the device, for tests of what must not depend on timing.

#include "instances.hpp"

#include <upsweep/base/kokkos_compat.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace oracle {

/// Steals the device from the test as long as it lives, in bursts of irregular length, so that teams stop and go on at
/// other moments in each run. GPUs: kernels on an instance of its own. CPUs: one thread per core, which computes and
/// sleeps in turn. Every thread has begun when the constructor returns; the destructor stops them and waits, also for a
/// test that fails.
template <class ExecutionSpace>
class load {
 public:
  load() {
    if constexpr (upsweep::compat::is_gpu<ExecutionSpace>) {
      threads_.emplace_back([this] { keep_device_busy(); });
    } else {
      for (unsigned t = 0; t < std::max(2u, std::thread::hardware_concurrency()); ++t)
        threads_.emplace_back([this, t] { keep_core_busy(t); });
    }
    while (started_ < threads_.size()) std::this_thread::yield();
  }
  ~load() {
    stop_ = true;
    for (auto& t : threads_) t.join();
  }
  load(load const&) = delete;
  load& operator=(load const&) = delete;

  /// Bursts that are over: a test that has been under load sees the number grow.
  std::uint64_t bursts() const { return bursts_; }

  /// One burst of a GPU.
  struct spin {
    Kokkos::View<unsigned*, typename ExecutionSpace::memory_space> sink;
    unsigned rounds;
    KOKKOS_FUNCTION void operator()(int i) const {
      unsigned x = static_cast<unsigned>(i);
      for (unsigned k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u;
      sink.data()[i] = x;
    }
  };

 private:
  void keep_device_busy() {
    auto const instance = instances<ExecutionSpace>(1)[0];
    int const threads = 1 << 18;
    Kokkos::View<unsigned*, typename ExecutionSpace::memory_space> const sink("oracle::load", threads);
    std::mt19937 random(1);
    ++started_;
    while (!stop_) {
      for (int k = 0; k < 4; ++k)
        Kokkos::parallel_for("oracle::load", Kokkos::RangePolicy<ExecutionSpace>(instance, 0, threads),
                             spin{sink, 100 + static_cast<unsigned>(random() % 20000)});
      instance.fence("oracle::load");
      ++bursts_;
    }
  }

  void keep_core_busy(unsigned seed) {
    std::mt19937 random(seed);
    auto const up_to = [&](unsigned microseconds) { return std::chrono::microseconds(random() % microseconds); };
    unsigned volatile sink = seed;
    ++started_;
    while (!stop_) {
      auto const end = std::chrono::steady_clock::now() + up_to(300);
      do {
        for (int k = 0; k < 1000; ++k) sink = sink * 1664525u + 1013904223u;
      } while (std::chrono::steady_clock::now() < end);
      ++bursts_;
      std::this_thread::sleep_for(up_to(100));
    }
  }

  std::atomic<bool> stop_{false};
  std::atomic<std::size_t> started_{0};
  std::atomic<std::uint64_t> bursts_{0};
  std::vector<std::thread> threads_;
};

}  // namespace oracle
