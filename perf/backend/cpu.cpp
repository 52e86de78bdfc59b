// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../backend.hpp"

#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>

namespace perf {
namespace {

using clock = std::chrono::steady_clock;

struct copy_chunk {
  char* to;
  char const* from;
  std::size_t bytes, chunks;
  void operator()(std::size_t c) const {
    // Whole cache lines, so that no two threads write to one.
    std::size_t const size = bytes / chunks / 64 * 64;
    std::size_t const begin = size * c;
    std::memcpy(to + begin, from + begin, c + 1 == chunks ? bytes - begin : size);
  }
};

/// The rest of the first line that starts with `name`, behind the colon and the blanks.
std::string line_of(char const* file, std::string const& name) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with(name)) return line.substr(line.find_first_not_of(" \t", line.find(':') + 1));
  return "";
}

}  // namespace

struct stopwatch::state {
  space instance;
  clock::time_point begin;
};

stopwatch::stopwatch(space const& instance) : state_(new state{instance, {}}) {}
stopwatch::~stopwatch() = default;
void stopwatch::start() { state_->begin = clock::now(); }
double stopwatch::stop() {
  state_->instance.fence("upsweep::perf::stop");
  return std::chrono::duration<double>(clock::now() - state_->begin).count();
}

void copy_bytes(space const& instance, void* to, void const* from, std::size_t bytes) {
  auto const chunks = static_cast<std::size_t>(instance.concurrency());
  Kokkos::parallel_for(
      "upsweep::perf::copy",
      Kokkos::RangePolicy<space, Kokkos::IndexType<std::size_t>>(instance, 0, chunks).set_chunk_size(1),
      copy_chunk{static_cast<char*>(to), static_cast<char const*>(from), bytes, chunks});
}

std::string processor_name() {
  auto const name = line_of("/proc/cpuinfo", "model name");
  return name.empty() ? "unknown processor" : name;
}

std::vector<std::pair<std::string, std::string>> compiled_with() { return {}; }

std::size_t free_memory() {
  std::size_t kilobytes = 0;
  std::istringstream(line_of("/proc/meminfo", "MemAvailable")) >> kilobytes;
  return kilobytes == 0 ? std::size_t(1) << 32 : kilobytes * 1024;
}

int calls_per_measurement(std::size_t n) { return n <= (std::size_t(1) << 18) ? 20 : 1; }

}  // namespace perf
