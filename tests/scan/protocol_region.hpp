// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The region of the look-back protocol, laid bare, and what tests of its engines do with it.

#include "../oracle/views.hpp"

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/detail/calls/run_engine.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

namespace protocol {

struct region {
  explicit region(std::size_t bytes) : memory("region", bytes / 8) {}
  Kokkos::View<std::uint64_t*, oracle::memory> memory;  // zeroed
  upsweep::scan::detail::look_back_memory with(std::uint32_t epoch_limit, int polls) const {
    return {reinterpret_cast<std::byte*>(memory.data()), memory.extent(0) * 8, epoch_limit, polls};
  }
  upsweep::scan::detail::look_back_control control() const {
    upsweep::scan::detail::look_back_control host;
    oracle::host_copy const words(Kokkos::subview(memory, std::make_pair(0, 16)));
    std::memcpy(&host, words.data(), sizeof(host));
    return host;
  }
};

/// run(in, out, epoch_limit) scans size(call) elements with stamps of four bits: two of epoch, two of state. Sizes
/// change from call to call, so that words of earlier epochs stand where later calls look.
template <class Size, class Run>
void check_hundred_calls(region const& r, Size const& size, Run const& run) {
  for (std::size_t call = 0; call < 100; ++call) {
    std::size_t const n = size(call);
    auto const values = oracle::random_values<int>(n, 0, 9, static_cast<unsigned>(call));
    auto const in = oracle::to_device(values);
    Kokkos::View<int*, oracle::memory> const out("out", n);
    run(in, out, 3);
    std::vector<int> expected(n);
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0);
    ASSERT_EQ(oracle::to_host(out), expected) << "call " << call;
    ASSERT_EQ(r.control().epoch, (call + 1) % 4) << "call " << call;
    ASSERT_EQ(r.control().ticket, 0u);
  }
}

/// Input whose tile `slow` takes its owner a long time: the first thread that asks for its first element waits until a
/// fallback has asked for it, too (or gives up, so that a missing fallback shows as a failed count and not as a hang).
struct stalling_input {
  using value_type = int;
  int const* data;
  std::size_t slow_element;
  int* asked;
  KOKKOS_FUNCTION int load(std::size_t i) const {
    if (i == slow_element && Kokkos::atomic_fetch_add(asked, 1) == 0)
      for (int k = 0; k < 20000000 && Kokkos::atomic_load(asked) < 2; ++k) upsweep::compat::pause();
    return data[i];
  }
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return load(i); }
};

}  // namespace protocol
