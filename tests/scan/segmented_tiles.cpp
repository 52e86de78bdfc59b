// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Segmented scans by CPU threads: heads everywhere around tiles, and bits that are those of the tiles alone.

#include "../oracle/segment_windows.hpp"
#include "../oracle/views.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/detail/cpu/cache_tiles.hpp>
#include <upsweep/scan/scan_by_key.hpp>
#include <upsweep/scan/segmented_scan.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace {

using namespace upsweep::internal;
using namespace upsweep::scan::detail;
using upsweep::internal::contiguous_sequence;

#if defined(KOKKOS_ENABLE_OPENMP) || defined(KOKKOS_ENABLE_SERIAL)
using space = Kokkos::DefaultHostExecutionSpace;
using sum = upsweep::plus<double>;
using heads = flag_heads<contiguous_sequence<int const>>;
using input = segmented_input<heads, contiguous_sequence<double const>>;
template <bool Inclusive>
using sink = segmented_output<Inclusive, heads, contiguous_sequence<double>, sum>;
template <bool Inclusive>
using problem = scan_problem<input, sink<Inclusive>, segmented_states<sum>, Inclusive>;
static_assert(is_segmented_problem<problem<true>> && is_segmented_problem<problem<false>>);

/// Tiles of 64 elements, and threads that wait for nobody.
struct short_tiles : upsweep::engine::tuning<space> {
  static constexpr std::size_t segmented_tile_bytes = 64 * sizeof(double);
};
struct impatient : short_tiles {
  static constexpr std::size_t segmented_polls_a_tile = 0;
};
/// Tiles of two pieces, in each of which windows begin again.
constexpr std::size_t piece = 4096;
struct long_tiles : upsweep::engine::tuning<space> {
  static constexpr std::size_t segmented_tile_bytes = 2 * piece * sizeof(double);
};
template <class Tuning>
constexpr std::size_t tile_of = segmented_tiles<problem<true>, Tuning>::size;
constexpr std::size_t tile = tile_of<short_tiles>;
static_assert(tile == 64 && tile_of<long_tiles> == 2 * piece);

double left_fold(std::vector<double> const& in, std::size_t begin, std::size_t end) {
  double running = in[begin];
  for (std::size_t i = begin + 1; i < end; ++i) running += in[i];
  return running;
}
/// The elements from `begin` to `end` behind `running`, inclusive.
std::vector<double> by_piece(std::vector<double> const& in, std::vector<int> const& flags, std::size_t begin,
                             std::size_t end, double running) {
  std::vector<double> part(in.begin() + std::ptrdiff_t(begin), in.begin() + std::ptrdiff_t(end));
  std::vector<bool> marks(part.size());
  for (std::size_t i = begin; i < end; ++i) marks[i - begin] = i == 0 || flags[i] != 0;
#if defined(UPSWEEP_CPU_KERNELS)
  return oracle::scan_by_windows(part, marks, running);
#else
  for (std::size_t k = 0; k < part.size(); ++k) part[k] = running = marks[k] ? part[k] : running + part[k];
  return part;
#endif
}
/// What segmented_tiles.hpp promises.
std::vector<double> by_tiles(std::vector<double> const& in, std::vector<int> const& flags, bool inclusive,
                             std::size_t size = tile) {
  std::vector<double> out(in.size());
  double prefix = 0;
  for (std::size_t begin = 0; begin < in.size(); begin += size) {
    std::size_t const end = std::min(begin + size, in.size()), quarter = (end - begin) / 4;
    double running = prefix;
    bool any = false;
    double before = prefix;
    for (std::size_t first = begin; first < end; first += piece) {
      auto const results = by_piece(in, flags, first, std::min(first + piece, end), before);
      for (std::size_t i = first; i < first + results.size(); ++i) {
        bool const head = i == 0 || flags[i] != 0;
        any = any || head;
        if (!inclusive) out[i] = head ? 0.0 : before;
        before = results[i - first];
        if (inclusive) out[i] = before;
        running = head ? in[i] : running + in[i];
      }
    }
    if (any) prefix = running;
    else if (quarter == 0) prefix += left_fold(in, begin, end);
    else
      prefix += (left_fold(in, begin, begin + quarter) + left_fold(in, begin + quarter, begin + 2 * quarter)) +
                (left_fold(in, begin + 2 * quarter, begin + 3 * quarter) + left_fold(in, begin + 3 * quarter, end));
  }
  return out;
}

template <bool Inclusive, class Tuning>
void check_with(instruction_set which, std::vector<double> const& values, std::vector<int> const& flags,
                bool in_place) {
  std::vector<double> in = values, out(values.size());
  double* const to = in_place ? in.data() : out.data();
  heads const marks{{flags.data()}};
  segmented_states<sum> const states{{sum{}}};
  auto const p = make_problem<Inclusive>(input{marks, {in.data()}}, sink<Inclusive>{marks, {to}, sum{}}, states,
                                         initial_value<segmented_state<double>>{states.identity()}, values.size());
  cache_tiles_engine::scan<Tuning>(space(), p, segmented_tiles<problem<Inclusive>, Tuning>(p, which),
                                   {"segmented_tiles", {}});
  auto const expected = by_tiles(values, flags, Inclusive, tile_of<Tuning>);
  ASSERT_EQ(std::memcmp(to, expected.data(), values.size() * sizeof(double)), 0)
      << "n = " << values.size() << (Inclusive ? ", inclusive" : ", exclusive") << (in_place ? ", in place" : "")
      << ", instruction set " << int(which);
}
/// With kernels, and in loops.
template <bool Inclusive, class Tuning>
void check(std::vector<double> const& values, std::vector<int> const& flags, bool in_place) {
  ASSERT_NO_FATAL_FAILURE((check_with<Inclusive, Tuning>(widest_instruction_set(), values, flags, in_place)));
  ASSERT_NO_FATAL_FAILURE((check_with<Inclusive, Tuning>(instruction_set::portable, values, flags, in_place)));
}

TEST(segmented_tiles, bits_are_those_of_the_tiles) {
  for (std::size_t n :
       {std::size_t(1), tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1, 9 * tile + 3, 200 * tile + 17})
    for (unsigned distance : {1u, 3u, 40u, 1000u, 1000000u}) {
      std::mt19937 random(distance + static_cast<unsigned>(n));
      std::uniform_real_distribution<double> uniform(-1, 1);
      std::vector<double> values(n);
      std::vector<int> flags(n);
      for (std::size_t i = 0; i < n; ++i) {
        values[i] = uniform(random);
        flags[i] = random() % distance == 0;
      }
      for (bool in_place : {false, true}) {
        SCOPED_TRACE(testing::Message() << "a head in " << distance);
        ASSERT_NO_FATAL_FAILURE((check<true, short_tiles>(values, flags, in_place)));
        ASSERT_NO_FATAL_FAILURE((check<false, short_tiles>(values, flags, in_place)));
        ASSERT_NO_FATAL_FAILURE((check<true, impatient>(values, flags, in_place)));
        ASSERT_NO_FATAL_FAILURE((check<false, impatient>(values, flags, in_place)));
      }
    }
}

TEST(segmented_tiles, bits_are_those_of_long_tiles) {
  for (std::size_t n :
       {std::size_t(1000), std::size_t(1024), std::size_t(4096), std::size_t(12301), std::size_t(30000)})
    for (unsigned distance : {1u, 2u, 9u, 40u, 300u, 3000u, 1000000u}) {
      SCOPED_TRACE(testing::Message() << "a head in " << distance);
      std::mt19937 random(distance + static_cast<unsigned>(n));
      std::vector<double> values(n);
      std::vector<int> flags(n);
      for (std::size_t i = 0; i < n; ++i) {
        values[i] = random() % 8 == 0 ? -0.0 : std::uniform_real_distribution<double>(-1, 1)(random);
        flags[i] = random() % distance == 0;
      }
      for (bool in_place : {false, true}) {
        ASSERT_NO_FATAL_FAILURE((check<true, long_tiles>(values, flags, in_place)));
        ASSERT_NO_FATAL_FAILURE((check<false, long_tiles>(values, flags, in_place)));
      }
    }
}

TEST(segmented_tiles, one_head_anywhere_around_tiles) {
  std::size_t const n = 5 * tile + 3;
  std::vector<double> values(n);
  std::mt19937 random(5);
  for (double& x : values) x = std::uniform_real_distribution<double>(-1, 1)(random);
  for (std::size_t head = 0; head < n; ++head) {
    std::vector<int> flags(n);
    flags[head] = 1;
    ASSERT_NO_FATAL_FAILURE((check<true, short_tiles>(values, flags, false)));
    ASSERT_NO_FATAL_FAILURE((check<false, short_tiles>(values, flags, true)));
  }
}

// -0.0 begins its segment: nothing is added to it.
TEST(segmented_tiles, minus_zero_at_a_head_stays) {
  std::vector<double> const values(2 * tile + 1, -0.0);
  std::vector<int> const flags(values.size(), 1);
  auto const expected = by_tiles(values, flags, true);
  EXPECT_TRUE(std::all_of(expected.begin(), expected.end(), [](double x) { return std::signbit(x); }));
  check<true, short_tiles>(values, flags, false);
}
#endif

// Tiles as they are, by keys, flags and offsets; sums are small enough to be exact.
template <class T>
void check_short_and_long_segments() {
  oracle::space const device;
  std::size_t const n = 400009;
  auto const values = oracle::random_values<T>(n, -9, 9);
  auto const in = oracle::to_device(values);
  Kokkos::View<T*, oracle::memory> const out("out", n);
  for (unsigned distance : {1u, 2u, 37u, 500u, 70000u, 10000000u}) {
    std::mt19937 random(distance);
    std::vector<int> keys(n), flags(n);
    std::vector<std::int8_t> short_flags(n);
    std::vector<std::size_t> offsets{0};
    std::vector<T> inclusive(n), exclusive(n);
    for (std::size_t i = 0; i < n; ++i) {
      bool const head = i > 0 && random() % distance == 0;
      flags[i] = head;
      short_flags[i] = head ? -128 : 0;
      keys[i] = (i > 0 ? keys[i - 1] : 0) + head;
      if (head) offsets.push_back(i);
      exclusive[i] = head || i == 0 ? T(0) : inclusive[i - 1];
      inclusive[i] = exclusive[i] + values[i];
    }
    offsets.push_back(n);
    auto const device_keys = oracle::to_device(keys), device_flags = oracle::to_device(flags);
    auto const device_short_flags = oracle::to_device(short_flags);
    auto const device_offsets = oracle::to_device(offsets);
    upsweep::inclusive_scan_by_key(device, device_keys, in, out);
    EXPECT_EQ(oracle::to_host(out), inclusive) << distance;
    upsweep::exclusive_scan_by_key(device, device_keys, in, out);
    EXPECT_EQ(oracle::to_host(out), exclusive) << distance;
    upsweep::segmented_inclusive_scan(device, in, upsweep::head_flags{device_flags}, out);
    EXPECT_EQ(oracle::to_host(out), inclusive) << distance;
    upsweep::segmented_exclusive_scan(device, in, upsweep::head_flags{device_short_flags}, out);
    EXPECT_EQ(oracle::to_host(out), exclusive) << distance;
    upsweep::segmented_exclusive_scan(device, in, upsweep::segment_offsets(device_offsets), out);
    EXPECT_EQ(oracle::to_host(out), exclusive) << distance;
    upsweep::segmented_inclusive_scan(device, in, upsweep::segment_offsets(device_offsets), out);
    EXPECT_EQ(oracle::to_host(out), inclusive) << distance;
  }
}
TEST(segmented_scan, short_and_long_segments_of_integers) {
  check_short_and_long_segments<std::int32_t>();
  check_short_and_long_segments<std::int64_t>();
}
TEST(segmented_scan, short_and_long_segments_of_floating_point_numbers) {
  check_short_and_long_segments<float>();
  check_short_and_long_segments<double>();
}

}  // namespace
