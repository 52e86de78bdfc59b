// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <Kokkos_Core.hpp>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace perf {

using space = Kokkos::DefaultExecutionSpace;
using memory = space::memory_space;

template <class T>
constexpr char const* type_name();
template <> constexpr char const* type_name<int>() { return "int32"; }
template <> constexpr char const* type_name<std::int64_t>() { return "int64"; }
template <> constexpr char const* type_name<float>() { return "float"; }
template <> constexpr char const* type_name<double>() { return "double"; }

/// What one row of a result says besides its time; the key of a benchmark is "kind/impl/operation/type/n".
inline std::string key(std::string const& kind, std::string const& impl, std::string const& operation, std::string const& type,
                       std::size_t n) {
  return kind + "/" + impl + "/" + operation + "/" + type + "/" + std::to_string(n);
}

/// Times `call`, `batch` calls at a time with one fence behind them, and keeps the median in seconds of one call.
template <class Call>
void time_calls(benchmark::State& state, int batch, Call const& call) {
  space const instance;
  std::vector<double> seconds;
  call();
  instance.fence("upsweep::perf::warm_up");
  for (auto _ : state) {
    Kokkos::Timer const timer;
    for (int k = 0; k < batch; ++k) call();
    instance.fence("upsweep::perf::end");
    seconds.push_back(timer.seconds() / batch);
    state.SetIterationTime(seconds.back());
  }
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());
  state.counters["median_s"] = seconds[seconds.size() / 2];
}

/// Fills one Kokkos View from another as fast as the machine can: cudaMemcpyAsync and its kind on GPUs, one memcpy a
/// thread on CPUs.
template <class T>
struct copy_chunk {
  T const* in;
  T* out;
  std::size_t n, chunks;
  void operator()(int c) const {
    std::size_t const begin = n / chunks * static_cast<std::size_t>(c);
    std::size_t const end = static_cast<std::size_t>(c) + 1 == chunks ? n : begin + n / chunks;
    std::copy(in + begin, in + end, out + begin);
  }
};

template <class T>
void copy(space const& instance, Kokkos::View<T*, memory> const& in, Kokkos::View<T*, memory> const& out) {
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, memory>::accessible) {
    int const chunks = instance.concurrency();
    Kokkos::parallel_for("upsweep::perf::copy",
                         Kokkos::RangePolicy<space>(instance, 0, chunks).set_chunk_size(1),
                         copy_chunk<T>{in.data(), out.data(), in.extent(0), static_cast<std::size_t>(chunks)});
  } else {
    Kokkos::deep_copy(instance, out, in);
  }
}

/// Registers one benchmark with manual time. The number of measurements is fixed: letting it grow until enough time has
/// passed would set up and verify each case several times.
void add(std::string const& name, int measurements, std::function<void(benchmark::State&)> body);

/// The benchmarks of each file.
void add_scans(std::size_t largest);
void add_neighbors(std::size_t largest);

}  // namespace perf
