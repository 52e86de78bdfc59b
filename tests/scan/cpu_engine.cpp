// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// engine::automatic on CPU threads: sizes around tiles, groups and the limits of streaming; and its bits, which must be
// those of the tiles alone, however many threads run them and whatever vectors they use.

#include "../oracle/forks.hpp"
#include "../oracle/monoids.hpp"
#include "../oracle/views.hpp"
#include "cpu_space.hpp"

#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <thread>
#include <type_traits>
#include <vector>

#if defined(KOKKOS_ENABLE_OPENMP) || defined(KOKKOS_ENABLE_SERIAL)
namespace {

using namespace cpu_space;

/// Around one tile, the parallel limit, groups of one to four threads, and streaming.
template <class T>
std::vector<std::size_t> sizes() {
  std::size_t const tile = tuning::tile_bytes / sizeof(T), group = tile * tuning::largest_group;
  std::vector<std::size_t> all{1, tile - 1, tile + 1};
  for (std::size_t n : {tile * tuning::parallel_tiles, tile * (tuning::parallel_tiles - 1), group, 2 * group, 4 * group,
                        4 * group + tile * 5})
    all.insert(all.end(), {n - 1, n, n + 1});
  all.push_back(tuning::streaming_bytes / sizeof(T) + 1);
  return all;
}

/// Exclusive out of place and inclusive in place, with init and total; outputs aligned and not.
template <class T, class Monoid, class Next>
void check(Monoid const& monoid, T init, Next const& next) {
  space const instance;
  for (std::size_t n : sizes<T>())
    for (std::size_t offset : {0, 1}) {
      host_view<T> const in("in", n), memory("memory", n + 2 + offset);
      std::mt19937_64 engine(n);
      for (std::size_t i = 0; i < n; ++i) in(i) = next(engine);
      oracle::fill(memory, T(77));
      std::size_t const begin = offset;
      auto const out = Kokkos::subview(memory, std::make_pair(begin, begin + n));
      std::vector<T> expected(n);
      T running = init;
      for (std::size_t i = 0; i < n; ++i) {
        expected[i] = running;
        running = monoid(running, in(i));
      }
      T total{};
      upsweep::exclusive_scan(instance, in, out, upsweep::into{total}, init, monoid);
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), out.data()))
          << "exclusive, n = " << n << ", offset " << offset;
      ASSERT_EQ(memory(begin + n), T(77));
      ASSERT_EQ(total, running) << n;
      upsweep::inclusive_scan(instance, in, in, init, monoid);
      expected.erase(expected.begin());
      expected.push_back(running);
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), in.data())) << "inclusive in place, n = " << n;
    }
}

template <class T>
T any(std::mt19937_64& engine) {
  return static_cast<T>(engine());
}
template <class T>
T small(std::mt19937_64& engine) {
  return T(int(engine() % 9) - 4);
}

TEST(cpu_engine, sums_of_integers) {
  check<int>(upsweep::plus<int>{}, 5, small<int>);
  check<std::uint32_t>(upsweep::plus<std::uint32_t>{}, 5, any<std::uint32_t>);
  check<std::int64_t>(upsweep::plus<std::int64_t>{}, -5, small<std::int64_t>);
  check<unsigned long long>(upsweep::plus<unsigned long long>{}, 5, any<unsigned long long>);
}
TEST(cpu_engine, sums_of_small_numbers_are_exact) {
  check<float>(upsweep::plus<float>{}, 0.5f, small<float>);
  check<double>(upsweep::plus<double>{}, 0.5, small<double>);
}
TEST(cpu_engine, minima_and_maxima) {
  check<int>(upsweep::min<int>{}, 1 << 30, any<int>);
  check<std::uint64_t>(upsweep::max<std::uint64_t>{}, 3, any<std::uint64_t>);
  check<float>(upsweep::max<float>{}, -1, small<float>);
}

#if defined(UPSWEEP_CPU_KERNELS)
/// What the engine promises: the strict left fold of tile aggregates, each tile behind its prefix, by portable kernels.
template <class T, class Tuning = tuning>
std::vector<T> by_tiles(std::vector<T> const& in, bool inclusive) {
  auto const& kernels =
      detail::cpu_kernels_for<T, detail::cpu_operation::plus>(upsweep::internal::instruction_set::portable);
  std::size_t const tile = Tuning::tile_bytes / sizeof(T);
  std::vector<T> out(in.size());
  if (upsweep::internal::divide_up(in.size(), tile) < Tuning::parallel_tiles) {
    kernels.scan[inclusive](in.data(), out.data(), in.size(), T(0), nullptr, 0);
    return out;
  }
  T prefix = 0;
  for (std::size_t i = 0; i < in.size(); i += tile) {
    std::size_t const length = std::min(tile, in.size() - i);
    kernels.scan[inclusive](in.data() + i, out.data() + i, length, prefix, nullptr, 0);
    prefix += kernels.fold(in.data() + i, length);
  }
  return out;
}

template <class T>
std::vector<T> normal_values(std::size_t n) {
  std::vector<T> values(n);
  std::mt19937_64 engine(n);
  for (auto& v : values) v = T(std::normal_distribution<double>(0, 1000)(engine));
  return values;
}

template <class T>
void check_bits(space const& instance = {}) {
  for (std::size_t n : sizes<T>()) {
    auto const values = normal_values<T>(n);
    host_view<T> const in("in", n), out("out", n);
    std::copy(values.begin(), values.end(), in.data());
    for (bool inclusive : {false, true}) {
      auto const expected = by_tiles(values, inclusive);
      for (int run = 0; run < 4; ++run) {
        std::optional<oracle::no_forks> alone;
        if (run == 3) alone.emplace();
        if (inclusive) upsweep::inclusive_scan(instance, in, out);
        else upsweep::exclusive_scan(instance, in, out);
        ASSERT_EQ(std::memcmp(out.data(), expected.data(), n * sizeof(T)), 0)
            << "inclusive " << inclusive << ", n = " << n;
      }
    }
  }
}

// CTest runs this on 1, 3, 4 and 8 threads.
TEST(cpu_engine, bits_are_those_of_the_tiles) {
  check_bits<float>();
  check_bits<double>();
}

#if defined(KOKKOS_ENABLE_OPENMP)
TEST(cpu_engine, bits_are_the_same_on_more_threads_than_cores) {
  if constexpr (std::is_same_v<space, Kokkos::OpenMP>) {
    check_bits<float>(Kokkos::OpenMP(5));
    check_bits<double>(Kokkos::OpenMP(16));
  } else {
    GTEST_SKIP() << "the default host space is another one";
  }
}
#endif

/// Small tiles, so that few elements are many groups and several launches; threads that wait fall back at once.
struct hurried_tuning : tuning {
  static constexpr std::size_t tile_bytes = 1024, parallel_tiles = 2, relay_bytes = 64, polls_a_tile = 1;
};

/// Tiles whose owner sleeps in the fold of every 50th group or so, like a thread that has lost its core; every second
/// time the fallback sleeps longer, so that it is the last one to read the group.
template <class Base>
struct sleeping_tiles : Base {
  using state = typename Base::state;
  std::atomic<int>* folds;  ///< of each tile

  void fold(std::size_t first, std::size_t last, state* aggregates) const {
    for (std::size_t tile = first; tile < last; ++tile) {
      int const fold = folds[tile].fetch_add(1);
      if (tile % 200 == 24 && fold == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      if (tile % 400 == 24 && fold == 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    Base::fold(first, last, aggregates);
  }
};

/// Bits of a scan in which threads fall back for groups; returns how many folds were fallbacks.
template <class T, class Tuning, bool Inclusive>
int check_fallbacks(std::size_t n, bool in_place) {
  space const instance;
  auto const values = normal_values<T>(n);
  host_view<T> const in("in", n), other("other", in_place ? 0 : n);
  std::copy(values.begin(), values.end(), in.data());
  host_view<T> const out = in_place ? in : other;
  auto const problem = detail::make_problem<Inclusive>(upsweep::internal::contiguous_sequence<T const>{in.data()},
                                                       upsweep::internal::contiguous_sequence<T>{out.data()},
                                                       upsweep::plus<T>{}, detail::initial_value<T>{T(0)}, n);
  using tiles = detail::compiled_tiles<std::remove_const_t<decltype(problem)>, Tuning>;
  std::size_t const count = upsweep::internal::divide_up(n, tiles::size);
  std::vector<std::atomic<int>> folds(count);
  sleeping_tiles<tiles> const sleeping{tiles(problem, upsweep::internal::widest_instruction_set()), folds.data()};
  detail::cache_tiles_engine::scan<Tuning>(instance, problem, sleeping, {"fallback", {}});
  auto const expected = by_tiles<T, Tuning>(values, Inclusive);
  EXPECT_EQ(std::memcmp(out.data(), expected.data(), n * sizeof(T)), 0) << "n = " << n << ", in place " << in_place;
  return int(std::count_if(folds.begin(), folds.end(), [](auto const& f) { return f > 1; }));
}

struct hurried_streaming_tuning : hurried_tuning {
  static constexpr std::size_t streaming_bytes = 1;
};

TEST(cpu_engine, bits_are_the_same_where_threads_fall_back) {
  std::size_t const few = 256 * 60 + 5, many = 256 * 3000 - 7;  // a group for every thread; three launches
  for (bool in_place : {false, true}) {
    int fallbacks = 0;
    // A busy machine may not run a second thread in time; then again.
    for (int call = 0; call < 50 && (call < 3 || fallbacks == 0); ++call) {
      fallbacks += check_fallbacks<float, hurried_tuning, false>(many, in_place);
      fallbacks += check_fallbacks<double, hurried_streaming_tuning, true>(many, in_place);
      check_fallbacks<float, hurried_tuning, true>(few, in_place);
      if (space().concurrency() == 1) break;
    }
    if (space().concurrency() > 1) EXPECT_GT(fallbacks, 0);
    else EXPECT_EQ(fallbacks, 0);
  }
}
#endif

TEST(cpu_engine, takes_no_workspace_memory) {
  space const instance;
  upsweep::workspace ws(instance);
  host_view<double> const in("in", 1 << 20), out("out", 1 << 20);
  auto const before = ws.size_bytes();
  upsweep::exclusive_scan(instance, in, out, upsweep::plus<>{}, {.workspace = &ws});
  EXPECT_EQ(ws.size_bytes(), before);
}

// Operands in order, over many groups taken by ticket.
TEST(cpu_engine, many_groups_in_a_row) {
  space const instance;
  std::size_t const n = 3000017;
  host_view<oracle::run> const in("in", n), out("out", n);
  for (std::size_t i = 0; i < n; ++i) in(i) = {std::int64_t(i) + 1, std::int64_t(i) + 2};
  upsweep::inclusive_scan(instance, in, out, oracle::run{0, 1}, oracle::adjacent_only{});
  for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE((out(i) == oracle::run{0, std::int64_t(i) + 2})) << i;
}

}  // namespace
#endif
