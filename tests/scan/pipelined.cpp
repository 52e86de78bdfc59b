// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The engines of GPUs with warps, pipelined and look_back: every way in and out of their tiles, and their protocol
// where it is hard. Compiled for CUDA only; where a device cannot run it, engine::pipelined is look_back, and the tests
// of its inside do nothing.

#include "../oracle/monoids.hpp"
#include "../oracle/views.hpp"
#include "protocol_region.hpp"

#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

namespace {

namespace detail = upsweep::scan::detail;
using pipelined_options = upsweep::basic_scan_options<upsweep::engine::pipelined>;
using look_back_options = upsweep::basic_scan_options<upsweep::engine::look_back>;

/// Sizes around tiles and groups of tiles.
std::vector<std::size_t> pipeline_sizes() {
  return {1, 1279, 1281, 5377, 7680, 8960, 163841, 700001, 1286721, 4000001, 17000003};
}

template <class T>
struct values_at {
  T const* data;
  KOKKOS_FUNCTION T operator()(std::size_t i) const { return data[i]; }
};

/// One input through the copies of the hardware, and through the workers' own loads and stores, in all combinations.
template <class T, class Options = pipelined_options>
void check_ways() {
  oracle::space const space;
  upsweep::workspace ws(space);
  Options const options{.workspace = &ws};
  for (std::size_t n : pipeline_sizes()) {
    std::vector<T> values(n);
    for (std::size_t i = 0; i < n; ++i)
      values[i] = static_cast<T>((i % 2 == 0 ? 1.0 : -1.0) / static_cast<double>(i % 1013 + 1) * 100);
    auto const in = oracle::to_device(values);
    Kokkos::View<T*, oracle::memory> const room("room", n + 1), strided("strided", 2 * n);
    auto const aligned = Kokkos::subview(room, std::make_pair(std::size_t(0), n));
    auto const unaligned = Kokkos::subview(room, std::make_pair(std::size_t(1), n + 1));
    using strided_view = Kokkos::View<T*, Kokkos::LayoutStride, oracle::memory>;
    strided_view const gaps(strided.data(), Kokkos::LayoutStride(n, 2));

    upsweep::inclusive_scan(space, in, aligned, upsweep::plus<>{}, options);
    auto const expected = oracle::to_host(aligned);
    // The bits are compared below; here that they are those of a scan. A fold is off by log2 n roundings of
    // sum |x|, or so.
    if constexpr (std::is_integral_v<T>) {
      T sum = 0;
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_EQ(expected[i], sum = static_cast<T>(sum + values[i])) << "n = " << n << ", i = " << i;
    } else {
      double sum = 0, magnitude = 0;
      for (std::size_t i = 0; i < n; ++i) {
        sum += static_cast<double>(values[i]);
        magnitude += std::abs(static_cast<double>(values[i]));
        double const bound = 20 * magnitude * std::numeric_limits<T>::epsilon();
        ASSERT_NEAR(static_cast<double>(expected[i]), sum, bound) << "n = " << n << ", i = " << i;
      }
    }
    auto const same = [&](auto const& out, char const* way) {
      auto const got = oracle::to_host(out);
      ASSERT_EQ(std::memcmp(got.data(), expected.data(), sizeof(T) * n), 0) << way << ", n = " << n;
    };
    upsweep::inclusive_scan(space, in, unaligned, upsweep::plus<>{}, options);
    same(unaligned, "aligned to unaligned");
    upsweep::inclusive_scan(space, in, gaps, upsweep::plus<>{}, options);
    same(gaps, "aligned to strided");
    Kokkos::deep_copy(aligned, in);
    Kokkos::deep_copy(gaps, in);
    upsweep::inclusive_scan(space, gaps, aligned, upsweep::plus<>{}, options);
    same(aligned, "strided to aligned");
    upsweep::inclusive_scan(space, gaps, gaps, upsweep::plus<>{}, options);
    same(gaps, "strided in place");
    upsweep::inclusive_scan(space, values_at<T>{in.data()}, aligned, upsweep::plus<>{}, options);
    same(aligned, "functor to aligned");
    upsweep::inclusive_scan(space, in, in, upsweep::plus<>{}, options);
    same(in, "aligned in place");
  }
}

TEST(pipelined, every_way_in_and_out_float) { check_ways<float>(); }
TEST(pipelined, every_way_in_and_out_double) { check_ways<double>(); }
TEST(pipelined, every_way_in_and_out_1_byte) { check_ways<std::int8_t>(); }
TEST(pipelined, every_way_in_and_out_2_bytes) { check_ways<std::int16_t>(); }
TEST(warp_look_back, every_way_in_and_out_float) { check_ways<float, look_back_options>(); }
TEST(warp_look_back, every_way_in_and_out_double) { check_ways<double, look_back_options>(); }
TEST(warp_look_back, every_way_in_and_out_1_byte) { check_ways<std::int8_t, look_back_options>(); }
TEST(warp_look_back, every_way_in_and_out_2_bytes) { check_ways<std::int16_t, look_back_options>(); }

// These do not travel in accesses of 16 bytes.
TEST(warp_look_back, elements_of_12_bytes) {
  using sums = oracle::sums_of_numbers<int, 3>;
  oracle::space const space;
  for (std::size_t n : pipeline_sizes()) {
    std::vector<sums::value_type> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = {{1, static_cast<int>(i % 7), -static_cast<int>(i % 3)}};
    auto const in = oracle::to_device(values);
    upsweep::inclusive_scan(space, in, in, sums{}, look_back_options{});
    auto const found = oracle::to_host(in);
    auto sum = sums{}.identity();
    for (std::size_t i = 0; i < n; ++i) {
      sum = sums{}(sum, values[i]);
      ASSERT_TRUE(found[i] == sum) << "n = " << n << ", i = " << i;
    }
  }
}

/// Elements that cannot be kept as bytes.
class boxed {
 public:
  KOKKOS_FUNCTION explicit boxed(int value) : value_(value) {}
  KOKKOS_FUNCTION boxed(boxed const& other) : value_(other.value_) {}
  KOKKOS_FUNCTION int value() const { return value_; }

 private:
  int value_;
};
struct boxed_index {
  KOKKOS_FUNCTION boxed operator()(std::size_t i) const { return boxed(static_cast<int>(i % 5)); }
};
struct sum_of_boxed {
  using value_type = std::int64_t;
  KOKKOS_FUNCTION std::int64_t identity() const { return 0; }
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t l, std::int64_t r) const { return l + r; }
  KOKKOS_FUNCTION std::int64_t lift(boxed const& x) const { return x.value(); }
};

TEST(warp_look_back, elements_that_are_no_bytes) {
  oracle::space const space;
  for (std::size_t n : pipeline_sizes()) {
    Kokkos::View<std::int64_t*, oracle::memory> const out("out", n);
    upsweep::inclusive_scan(space, boxed_index{}, out, sum_of_boxed{}, look_back_options{});
    auto const found = oracle::to_host(out);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(found[i], sum += static_cast<std::int64_t>(i % 5)) << "n = " << n << ", i = " << i;
  }
}

TEST(pipelined, wider_output_than_input) {
  oracle::space const space;
  upsweep::workspace ws(space);
  for (std::size_t n : pipeline_sizes()) {
    auto const values = oracle::random_values<std::int16_t>(n, -99, 99);
    auto const in = oracle::to_device(values);
    Kokkos::View<std::int64_t*, oracle::memory> const out("out", n);
    upsweep::exclusive_scan(space, in, out, upsweep::plus<>{}, pipelined_options{.workspace = &ws});
    std::vector<std::int64_t> expected(n);
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), std::int64_t(0));
    ASSERT_EQ(oracle::to_host(out), expected);
  }
}

TEST(pipelined, counts_to_offsets_with_bad_ones_reported) {
  oracle::space const space;
  upsweep::workspace ws(space);
  std::size_t const n = 400003;
  auto counts = oracle::random_values<int>(n, 0, 9);
  counts[123457] = -1;
  counts[300000] = -2;
  auto const in = oracle::to_device(counts);
  Kokkos::View<int*, oracle::memory> const offsets("offsets", n + 1);
  std::size_t total = 0;
  try {
    upsweep::counts_to_offsets(space, in, offsets, upsweep::into{total}, pipelined_options{.workspace = &ws});
    ADD_FAILURE() << "no error";
  } catch (upsweep::precondition_error const& e) {
    EXPECT_NE(std::string(e.what()).find("counts(123457) is negative"), std::string::npos) << e.what();
  }
}

#if defined(KOKKOS_ENABLE_CUDA)
using protocol::region;
using protocol::stalling_input;

template <class Engine, class Problem>
void run(Problem const& problem, region const& r, std::uint32_t epoch_limit = detail::largest_epoch, int polls = 0) {
  oracle::space const space;
  Engine::scan(space, problem, r.with(epoch_limit, polls), {"test", {}});
  space.fence();
}
using by_warps = detail::warp_look_back_engine;

template <class In, class Out, class Monoid>
auto problem_of(In const& in, Out const& out, Monoid const& monoid, typename Monoid::value_type init) {
  return detail::make_problem<false>(in, upsweep::internal::make_output_sequence(out), monoid,
                                     detail::initial_value<typename Monoid::value_type>{init}, out.extent(0));
}

using ints = upsweep::internal::contiguous_sequence<int>;
using int_problem =
    detail::scan_problem<upsweep::internal::contiguous_sequence<int const>, ints, upsweep::plus<int>, false>;
constexpr bool runs_here = detail::pipelined_engine::takes<oracle::space, int_problem>();

/// Sizes of all ways that an engine has, but never a lone tile, which needs no epoch.
template <class Engine>
void check_narrow_stamps() {
  region const r(Engine::template region_bytes<oracle::space, int_problem>(9000000));
  auto const size = [](std::size_t call) { return 9000 + call * 791933 % 8900000; };
  protocol::check_hundred_calls(r, size, [&](auto const& in, auto const& out, std::uint32_t epoch_limit) {
    run<Engine>(problem_of(upsweep::internal::make_sequence(in), out, upsweep::plus<int>{}, 0), r, epoch_limit);
  });
}
TEST(pipelined, stamps_of_four_bits_over_a_hundred_calls) {
  if constexpr (runs_here) check_narrow_stamps<detail::pipelined_engine>();
}
TEST(warp_look_back, stamps_of_four_bits_over_a_hundred_calls) { check_narrow_stamps<by_warps>(); }

// A workspace that has served a scan serves shorter ones, too.
template <class Engine>
void check_regions() {
  std::size_t before = 0;
  for (std::size_t n = 1; n < (std::size_t(1) << 28); n += n / 16 + 1) {
    std::size_t const bytes = Engine::template region_bytes<oracle::space, int_problem>(n);
    ASSERT_GE(bytes, before) << n;
    before = bytes;
  }
}
TEST(pipelined, shorter_scans_need_no_longer_region) {
  if constexpr (runs_here) check_regions<detail::pipelined_engine>();
}
TEST(warp_look_back, shorter_scans_need_no_longer_region) { check_regions<by_warps>(); }

template <class Engine>
void check_many_tiles() {
  // The operator finds every wrong neighbour. One poll: others reduce most tiles, often while their owners publish.
  std::size_t const n = std::size_t(1) << 24;
  std::vector<oracle::run> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = {std::int64_t(i) + 1, std::int64_t(i) + 2};
  auto const in = oracle::to_device(values);
  auto const problem = [&](auto const& out) {
    return problem_of(upsweep::internal::make_sequence(in), out, oracle::adjacent_only{}, oracle::run{0, 1});
  };
  Kokkos::View<oracle::run*, oracle::memory> const out("out", n);
  region const r(Engine::template region_bytes<oracle::space, decltype(problem(out))>(n));
  auto const wrong = [&](auto const& view) {
    std::size_t count = 0;
    auto const host = oracle::to_host(view);
    for (std::size_t i = 0; i < n; ++i) count += host[i] != oracle::run{0, std::int64_t(i) + 1};
    return count;
  };
  run<Engine>(problem(out), r);
  EXPECT_EQ(wrong(out), 0u);
  for (int rep = 0; rep < 3; ++rep) {
    Kokkos::deep_copy(out, oracle::run{-1, -1});
    run<Engine>(problem(out), r, detail::largest_epoch, 1);
    ASSERT_EQ(wrong(out), 0u) << "with fallbacks, run " << rep;
  }
  EXPECT_GE(r.control().fallbacks, 1u);
  run<Engine>(problem(in), r, detail::largest_epoch, 1);
  EXPECT_EQ(wrong(in), 0u) << "in place";
}
TEST(pipelined, tiles_by_the_hundred_for_each_team_with_and_without_help) {
  if constexpr (runs_here) check_many_tiles<detail::pipelined_engine>();
}
TEST(warp_look_back, many_tiles_with_and_without_help) { check_many_tiles<by_warps>(); }

using stalling_problem = detail::scan_problem<stalling_input, ints, upsweep::plus<int>, false>;
using few = detail::one_wave_scan<oracle::space, stalling_problem>;
using many_tiles = detail::striped_tile<stalling_problem, by_warps::shape_of<oracle::space, stalling_problem>>;

/// n elements on an engine, of which tiles of `tile` elements stall.
template <class Engine>
void check_stalled(std::size_t n, std::size_t tile, std::vector<std::size_t> const& slow_tiles) {
  auto const values = oracle::random_values<int>(n, 0, 9);
  std::vector<int> expected(n);
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0);
  for (bool in_place : {false, true}) {
    for (std::size_t slow : slow_tiles) {
      ASSERT_LT(slow * tile, n);
      auto const in = oracle::to_device(values);
      auto const out = in_place ? in : Kokkos::View<int*, oracle::memory>("out", n);
      Kokkos::View<int, oracle::memory> const asked("asked");
      region const r(Engine::template region_bytes<oracle::space, stalling_problem>(n));
      auto const problem =
          problem_of(stalling_input{in.data(), slow * tile, asked.data()}, out, upsweep::plus<int>{}, 0);
      run<Engine>(problem, r, detail::largest_epoch, 50);
      ASSERT_EQ(oracle::to_host(out), expected) << "slow tile " << slow;
      EXPECT_GE(r.control().fallbacks, 1u) << "slow tile " << slow;
    }
  }
}

TEST(pipelined, a_stalled_tile_is_helped) {
  if constexpr (runs_here) {
    std::size_t const tile =
        detail::pipelined_tile<stalling_problem, upsweep::engine::tuning<oracle::space>::pipelined_4>::size;
    std::size_t const tiles = few::most / tile + 201;
    check_stalled<detail::pipelined_engine>(tiles * tile - 5, tile, {0, 1, 31, 32, 70, tiles - 1});
  }
}
// Nobody waits for the last tile.
TEST(warp_look_back, a_stalled_tile_is_helped) {
  std::size_t const tile = many_tiles::size, tiles = few::most / tile + 201;
  check_stalled<by_warps>(tiles * tile - 5, tile, {0, 1, 31, 32, 70, tiles - 2});
}
TEST(one_wave_scan, a_stalled_tile_is_helped) {
  check_stalled<by_warps>(few::most_small - 5, detail::striped_tile<stalling_problem, few::small>::size,
                          {0, 1, 31, 32, 98, 158});
}
TEST(one_wave_scan, a_stalled_large_tile_is_helped) {
  check_stalled<by_warps>(few::most_large - 5, detail::striped_tile<stalling_problem, few::large>::size,
                          {0, 1, 31, 32, 98, 124});
}
#endif

}  // namespace
