// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Between std::vector and device memory, for tests of any backend.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace oracle {

using space = Kokkos::DefaultExecutionSpace;
using memory = space::memory_space;

template <class T>
Kokkos::View<T*, memory> to_device(std::vector<T> const& host) {
  Kokkos::View<T*, memory> device(Kokkos::view_alloc(Kokkos::WithoutInitializing, "oracle::device"), host.size());
  Kokkos::deep_copy(device,
                    Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(host.data(), host.size()));
  return device;
}

template <class V>
auto to_host(V const& device) {
  using T = typename V::non_const_value_type;
  Kokkos::View<T*, memory> packed(Kokkos::view_alloc(Kokkos::WithoutInitializing, "oracle::packed"), device.extent(0));
  Kokkos::deep_copy(packed, device);
  auto const mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), packed);
  return std::vector<T>(mirror.data(), mirror.data() + mirror.extent(0));
}

/// n values from `lo` to `hi`, the same for the same seed.
template <class T>
std::vector<T> random_values(std::size_t n, int lo, int hi, unsigned seed = 1) {
  std::mt19937_64 engine(seed);
  std::uniform_int_distribution<int> pick(lo, hi);
  std::vector<T> values(n);
  for (auto& v : values) v = static_cast<T>(pick(engine));
  return values;
}

/// Sizes around tiles and blocks of every backend: 0, 1, 2, powers of two and their neighbours, primes.
inline std::vector<std::size_t> sizes() {
  return {0, 1, 2, 31, 33, 255, 256, 257, 1021, 2048, 4095, 4096, 4097, 8191, 8193, 65537, 1000003, (1u << 22) + 5};
}

}  // namespace oracle
