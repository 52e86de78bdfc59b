// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// reduce() on CPU threads: sizes around tiles and where threads begin, and bits that are those of the tiles alone.

#include "../oracle/forks.hpp"
#include "../oracle/monoids.hpp"
#include "../oracle/views.hpp"
#include "cpu_space.hpp"

#include <upsweep/scan/reduce.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <type_traits>
#include <vector>

#if defined(KOKKOS_ENABLE_OPENMP) || defined(KOKKOS_ENABLE_SERIAL)
namespace {

using namespace cpu_space;

template <class T>
std::vector<std::size_t> sizes() {
  std::size_t const tile = tuning::tile_bytes / sizeof(T), cached = tuning::cached_bytes / sizeof(T);
  return {1,          2,      tile - 1,   tile,           tile + 1,  5 * tile + 3, 9 * tile, 12 * tile, 20 * tile + 1,
          cached - 1, cached, cached + 1, 3 * cached + 7, 9 * cached};
}

template <class T, class Monoid>
void check_integers(Monoid const& monoid) {
  for (std::size_t n : sizes<T>()) {
    auto const values = oracle::random_values<T>(n, 1, 100);
    host_view<T> const in("in", n);
    std::copy(values.begin(), values.end(), in.data());
    T expected = monoid.identity();
    for (T const x : values) expected = monoid(expected, x);
    ASSERT_EQ(upsweep::reduce(space(), in, monoid), expected) << n;
  }
}

TEST(cpu_reduction, sums_and_extremes_of_integers) {
  check_integers<std::int32_t>(upsweep::plus<std::int32_t>{});
  check_integers<std::uint64_t>(upsweep::max<std::uint64_t>{});
  check_integers<std::int64_t>(upsweep::min<std::int64_t>{});
  check_integers<std::int16_t>(upsweep::max<std::int16_t>{});
}

// Each tile belongs to one ticket, and no ticket is empty: memory for one state per tile has a state for each.
TEST(cpu_reduction, tickets_share_out_all_tiles) {
  for (std::size_t tiles : {1u, 2u, 3u, 15u, 16u, 17u, 31u, 32u, 33u, 100u, 1000u, 4096u, 99991u})
    for (std::size_t threads : {1u, 2u, 3u, 7u, 64u, 200u})
      for (auto const cost : {upsweep::internal::tile_cost::even, upsweep::internal::tile_cost::uneven}) {
        upsweep::internal::guided_tickets const tickets(tiles, threads, cost);
        ASSERT_LE(tickets.count(), tiles) << threads;
        ASSERT_LE(tickets.threads, threads) << tiles;
        std::vector<int> given(tiles);
        for (std::size_t k = 0; k < tickets.count(); ++k) {
          auto const [first, last] = tickets(k);
          ASSERT_LT(first, last) << tiles << " " << threads;
          ASSERT_LE(last, tiles) << threads;
          for (std::size_t tile = first; tile < last; ++tile) ++given[tile];
        }
        ASSERT_EQ(given, std::vector<int>(tiles, 1)) << threads;
      }
}

// Operands are combined in order.
TEST(cpu_reduction, functions_are_composed_in_order) {
  upsweep::workspace ws{space()};
  for (std::size_t n : {1u, 1023u, 1024u, 1025u, 2047u, 2048u, 2049u, 4096u, 70001u, 1000003u}) {
    host_view<oracle::affine> const in("in", n);
    std::mt19937 random(static_cast<unsigned>(n));
    oracle::affine expected = oracle::affine_maps{}.identity();
    for (std::size_t i = 0; i < n; ++i) {
      in(i) = {random() | 1u, random()};
      expected = oracle::affine_maps{}(expected, in(i));
    }
    ASSERT_TRUE(upsweep::reduce(space(), in, oracle::affine_maps{}, {.workspace = &ws}) == expected) << n;
  }
}

#if defined(UPSWEEP_CPU_KERNELS)
template <class T>
void check_bits(space const& instance) {
  auto const& kernels =
      detail::cpu_kernels_for<T, detail::cpu_operation::plus>(upsweep::internal::instruction_set::portable);
  std::size_t const tile = tuning::tile_bytes / sizeof(T);
  for (std::size_t n : sizes<T>()) {
    host_view<T> const in("in", n);
    std::mt19937_64 random(n);
    for (std::size_t i = 0; i < n; ++i) in(i) = T(std::normal_distribution<double>(0, 1000)(random));
    T expected = kernels.fold(in.data(), std::min(tile, n));
    for (std::size_t i = tile; i < n; i += tile) expected += kernels.fold(in.data() + i, std::min(tile, n - i));
    for (int run = 0; run < 4; ++run) {
      std::optional<oracle::no_forks> alone;
      if (run == 3) alone.emplace();
      T const found = upsweep::reduce(instance, in);
      ASSERT_EQ(std::memcmp(&found, &expected, sizeof(T)), 0) << "n = " << n;
    }
  }
}
TEST(cpu_reduction, bits_are_those_of_the_tiles) {
  check_bits<float>(space());
  check_bits<double>(space());
}
#if defined(KOKKOS_ENABLE_OPENMP)
TEST(cpu_reduction, bits_are_the_same_on_more_threads_than_cores) {
  if constexpr (std::is_same_v<space, Kokkos::OpenMP>) check_bits<double>(Kokkos::OpenMP(5));
  else GTEST_SKIP() << "the default host space is another one";
}
#endif
#endif

TEST(cpu_reduction, a_nan_anywhere_is_the_sum) {
  for (std::size_t n : {std::size_t(1), std::size_t(40000)}) {
    host_view<double> const in("in", n);
    in(n / 2) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(upsweep::reduce(space(), in))) << n;
  }
}

// A workspace is asked for its instance also where it is not needed.
TEST(cpu_reduction, a_workspace_of_another_instance_is_refused) {
#if defined(KOKKOS_ENABLE_OPENMP)
  if constexpr (std::is_same_v<space, Kokkos::OpenMP>) {
    Kokkos::OpenMP const one(1);
    upsweep::workspace ws{one};
    if (one == Kokkos::OpenMP()) GTEST_SKIP() << "both are the same instance";
    for (std::size_t n : {std::size_t(5), std::size_t(1) << 22}) {
      host_view<int> const in("in", n);
      EXPECT_THROW(upsweep::reduce(Kokkos::OpenMP(), in, upsweep::plus<>{}, {.workspace = &ws}),
                   upsweep::precondition_error)
          << n;
    }
    return;
  }
#endif
  GTEST_SKIP() << "there is one instance";
}

}  // namespace
#endif
