// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../backend.hpp"

#include <stdexcept>

// The two runtimes have the same functions under different names.
#if defined(KOKKOS_ENABLE_CUDA)
#include <cub/version.cuh>
#include <cuda_runtime.h>
#define PERF_GPU(name) cuda##name
#else
#include <hip/hip_runtime.h>
#define PERF_GPU(name) hip##name
#endif

namespace perf {
namespace {

void require(PERF_GPU(Error_t) code) {
  if (code != PERF_GPU(Success)) throw std::runtime_error(PERF_GPU(GetErrorString)(code));
}

auto stream_of(space const& instance) {
#if defined(KOKKOS_ENABLE_CUDA)
  return instance.cuda_stream();
#else
  return instance.hip_stream();
#endif
}

}  // namespace

struct stopwatch::state {
  space instance;
  PERF_GPU(Event_t) begin, end;
};

stopwatch::stopwatch(space const& instance) : state_(new state{instance, {}, {}}) {
  require(PERF_GPU(EventCreate)(&state_->begin));
  require(PERF_GPU(EventCreate)(&state_->end));
}
stopwatch::~stopwatch() {
  static_cast<void>(PERF_GPU(EventDestroy)(state_->begin));
  static_cast<void>(PERF_GPU(EventDestroy)(state_->end));
}
void stopwatch::start() { require(PERF_GPU(EventRecord)(state_->begin, stream_of(state_->instance))); }
double stopwatch::stop() {
  require(PERF_GPU(EventRecord)(state_->end, stream_of(state_->instance)));
  require(PERF_GPU(EventSynchronize)(state_->end));
  float milliseconds = 0;
  require(PERF_GPU(EventElapsedTime)(&milliseconds, state_->begin, state_->end));
  return milliseconds * 1e-3;
}

void copy_bytes(space const& instance, void* to, void const* from, std::size_t bytes) {
  require(PERF_GPU(MemcpyAsync)(to, from, bytes, PERF_GPU(MemcpyDeviceToDevice), stream_of(instance)));
}

std::string processor_name() {
#if defined(KOKKOS_ENABLE_CUDA)
  return Kokkos::Cuda().cuda_device_prop().name;
#else
  return Kokkos::HIP::hip_device_prop().name;
#endif
}

std::vector<std::pair<std::string, std::string>> compiled_with() {
  std::vector<std::pair<std::string, std::string>> lines;
#if defined(__CUDA_ARCH_LIST__)  // of nvcc: 800,900
  std::string all;
  for (int const arch : {__CUDA_ARCH_LIST__})
    all += (all.empty() ? "" : " ") + std::to_string(arch / 100) + "." + std::to_string(arch % 100 / 10);
  lines.emplace_back("architecture", all);
#endif
#if defined(KOKKOS_ENABLE_CUDA)
  lines.emplace_back("cub", std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
                                std::to_string(CUB_SUBMINOR_VERSION));
#endif
  return lines;
}

std::size_t free_memory() {
  std::size_t free = 0, total = 0;
  require(PERF_GPU(MemGetInfo)(&free, &total));
  return free;
}

// Enough calls that the device never waits for the host's next one: the host needs a few microseconds for each.
int calls_per_measurement(std::size_t n) {
  return n <= (std::size_t(1) << 20) ? 20 : n <= (std::size_t(1) << 24) ? 5 : 1;
}

}  // namespace perf
