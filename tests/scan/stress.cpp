// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Single-pass scans under conditions that a quiet benchmark never shows. Suites named long_* belong to the long tests.

#include "../oracle/engines.hpp"
#include "../oracle/instances.hpp"
#include "../oracle/views.hpp"

#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace {

/// A sum whose operator sometimes takes its time.
struct slow_plus {
  using value_type = int;
  KOKKOS_FUNCTION int identity() const { return 0; }
  KOKKOS_FUNCTION int operator()(int left, int right) const {
    if ((right & 0xfff) == 0x123)
      for (int k = 0; k < 20; ++k) upsweep::compat::pause();
    return left + right;
  }
};

TEST(stress, delayed_operators) {
  oracle::space const space;
  std::size_t const n = 200009;
  auto const values = oracle::random_values<int>(n, 0, 100000);
  auto const in = oracle::to_device(values);
  Kokkos::View<int*, oracle::memory> const out("out", n);
  std::vector<int> expected(n);
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0,
                      [](unsigned a, unsigned b) { return int(a + b); });
  oracle::for_parallel_engines([&]<class Engine>() {
    upsweep::exclusive_scan(space, in, out, slow_plus{}, upsweep::basic_scan_options<Engine>{});
    EXPECT_EQ(oracle::to_host(out), expected) << oracle::name_of<Engine>();
  });
}

/// Keeps a device's cores busy for a while.
struct hog {
  Kokkos::View<unsigned*, oracle::memory> sink;
  int rounds;
  KOKKOS_FUNCTION void operator()(int i) const {
    unsigned x = static_cast<unsigned>(i);
    for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u;
    sink(i) = x;
  }
};

template <class Space>
void scan_on_instances_of_a_busy_device() {
  auto const instances = oracle::instances<Space>(33);
  Kokkos::View<unsigned*, oracle::memory> const sink("sink", 1 << 20);
  std::size_t const n = 1000003;
  auto const values = oracle::random_values<int>(n, 0, 9);
  std::vector<int> expected(n);
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0);
  auto const in = oracle::to_device(values);
  oracle::for_parallel_engines([&]<class Engine>() {
    std::vector<Kokkos::View<int*, oracle::memory>> outs;
    std::vector<upsweep::workspace> workspaces;
    for (int k = 0; k < 32; ++k) {
      outs.emplace_back("out", n);
      workspaces.emplace_back(instances[k]);
    }
    for (int rep = 0; rep < 5; ++rep) {
      Kokkos::parallel_for("stress::hog", Kokkos::RangePolicy<oracle::space>(instances[32], 0, 1 << 20),
                           hog{sink, 20000});
      for (int k = 0; k < 32; ++k)
        upsweep::exclusive_scan(instances[k], in, outs[k], upsweep::plus<>{},
                                upsweep::basic_scan_options<Engine>{.workspace = &workspaces[k]});
    }
    for (int k = 0; k < 33; ++k) instances[k].fence("stress::end");
    for (int k = 0; k < 32; ++k)
      ASSERT_EQ(oracle::to_host(outs[k]), expected) << oracle::name_of<Engine>() << ", instance " << k;
  });
}

TEST(stress, instances_at_once_on_a_busy_device) {
  if constexpr (upsweep::compat::is_gpu<oracle::space>) scan_on_instances_of_a_busy_device<oracle::space>();
  else GTEST_SKIP() << "launches of a CPU backend wait: its instances run in turn";
}

/// Pseudo-random bytes by index: an input that takes no memory.
struct bytes_by_index {
  KOKKOS_FUNCTION static std::uint8_t at(std::size_t i) {
    return static_cast<std::uint8_t>((i * 0x9e3779b97f4a7c15ull) >> 56);
  }
  KOKKOS_FUNCTION std::uint8_t operator()(std::size_t i) const { return at(i); }
};

/// Sums modulo 256 are right if the first one is and every step is.
struct wrong_steps {
  Kokkos::View<std::uint8_t*, oracle::memory> out;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& wrong) const {
    std::uint8_t const before = i == 0 ? std::uint8_t(0) : out(i - 1);
    if (static_cast<std::uint8_t>(out(i) - before) != bytes_by_index::at(i)) ++wrong;
  }
};

void scan_of_many_bytes(std::size_t n) {
  oracle::space const space;
  Kokkos::View<std::uint8_t*, oracle::memory> const out(Kokkos::view_alloc(Kokkos::WithoutInitializing, "out"), n);
  oracle::for_parallel_engines([&]<class Engine>() {
    Kokkos::deep_copy(space, out, std::uint8_t(0));
    upsweep::inclusive_scan(space, bytes_by_index{}, out, upsweep::plus<>{}, upsweep::basic_scan_options<Engine>{});
    std::size_t wrong = 0;
    Kokkos::parallel_reduce("stress::check",
                            Kokkos::RangePolicy<oracle::space, Kokkos::IndexType<std::size_t>>(space, 0, n),
                            wrong_steps{out}, wrong);
    EXPECT_EQ(wrong, 0u) << oracle::name_of<Engine>() << ", n = " << n;
  });
}

TEST(long_scan, more_than_two_to_the_31) { scan_of_many_bytes((std::size_t(1) << 31) + 7); }
TEST(long_scan, more_than_two_to_the_32) { scan_of_many_bytes((std::size_t(1) << 32) + 2000000); }

}  // namespace
