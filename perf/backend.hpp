// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perf {

using space = Kokkos::DefaultExecutionSpace;
using memory = space::memory_space;
inline constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, memory>::accessible;

// What differs between backends, one file of backend/ each: gpu.cpp for CUDA and HIP, cpu.cpp for the others.

/// Measures the time that an instance spends between start and stop; stop waits for the instance. On GPUs by events in
/// the instance's stream, which leave out the way to the host and back.
class stopwatch {
 public:
  explicit stopwatch(space const& instance);
  ~stopwatch();
  void start();
  /// Seconds since start.
  double stop();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Copies as fast as the machine can: a device-to-device copy on GPUs, one memcpy per thread on CPUs.
/// Asynchronous on GPUs.
void copy_bytes(space const& instance, void* to, void const* from, std::size_t bytes);

/// The processor's name.
std::string processor_name();

/// What describe() says besides, as names and values. CUDA: "architecture", 9.0, or "8.0 9.0" for several; "cub", the
/// version of its headers.
std::vector<std::pair<std::string, std::string>> compiled_with();

/// Bytes of the space's memory that are free.
std::size_t free_memory();

/// How many calls one measurement of a scan of n elements holds, so that the clock weighs little.
int calls_per_measurement(std::size_t n);

}  // namespace perf
