// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "backend.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace perf {

/// The key of a benchmark, "kind/impl/operation/type/n": what one row of a result says besides its time.
inline std::string key(std::string const& kind, std::string const& impl, std::string const& operation,
                       std::string const& type, std::size_t n) {
  return kind + "/" + impl + "/" + operation + "/" + type + "/" + std::to_string(n);
}

/// The counter that has measurement k of a benchmark.
inline std::string seconds_counter(std::size_t k) { return "seconds_" + std::to_string(k); }

/// Keeps the measured seconds as the result of a benchmark. The reporter makes a median of those of all rounds.
inline void keep_seconds(benchmark::State& state, std::vector<double> const& seconds) {
  for (std::size_t k = 0; k < seconds.size(); ++k) state.counters[seconds_counter(k)] = seconds[k];
}

/// Times `call`, `batch` calls at a time, by the backend's clock.
template <class Call>
void time_throughput(benchmark::State& state, space const& instance, int batch, Call const& call) {
  stopwatch watch(instance);
  std::vector<double> seconds;
  call();
  instance.fence("upsweep::perf::warm_up");
  for (auto _ : state) {
    watch.start();
    for (int k = 0; k < batch; ++k) call();
    seconds.push_back(watch.stop() / batch);
    state.SetIterationTime(seconds.back());
  }
  keep_seconds(state, seconds);
}

/// Times what a caller waits for: one call and the fence behind it, by wall clock.
template <class Call>
void time_latency(benchmark::State& state, space const& instance, Call const& call) {
  using clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  call();
  instance.fence("upsweep::perf::warm_up");
  for (auto _ : state) {
    auto const begin = clock::now();
    call();
    instance.fence("upsweep::perf::latency");
    seconds.push_back(std::chrono::duration<double>(clock::now() - begin).count());
    state.SetIterationTime(seconds.back());
  }
  keep_seconds(state, seconds);
}

/// How often to measure: so often; or, if that is 0, until `seconds` have passed, three times at least and
/// `most` at most.
struct patience {
  int measurements, most;
  double seconds;
};

/// Times `call`, `batch` calls at a time, by the backend's clock, with `before` in front of each measurement,
/// outside of it. For a benchmark of one iteration, which then holds all measurements: how long a call takes is
/// not known before.
template <class Before, class Call>
void time_for_a_while(benchmark::State& state, space const& instance, patience const& limits, int batch,
                      Before const& before, Call const& call) {
  using clock = std::chrono::steady_clock;
  stopwatch watch(instance);
  std::vector<double> seconds;
  for (auto _ : state) {
    auto const begin = clock::now();
    auto const enough = [&] {
      int const done = static_cast<int>(seconds.size());
      if (limits.measurements > 0) return done >= limits.measurements;
      return done >= limits.most ||
             (done >= 3 && std::chrono::duration<double>(clock::now() - begin).count() > limits.seconds);
    };
    while (!enough()) {
      before();
      instance.fence("upsweep::perf::before");
      watch.start();
      for (int k = 0; k < batch; ++k) call();
      seconds.push_back(watch.stop() / batch);
    }
    state.SetIterationTime(seconds.front());
  }
  keep_seconds(state, seconds);
}

/// Registers one benchmark with manual time. The number of measurements is fixed: letting it grow until enough time has
/// passed would set up and verify each case several times.
void add(std::string const& name, int measurements, std::function<void(benchmark::State&)> body);

}  // namespace perf
