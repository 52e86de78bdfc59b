// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Segmented scans by the pipelined engine, short ones too: values and heads through the copies of the hardware, and
// through the workers' own loads. Compiled for CUDA only; where a device cannot run it, these tests do nothing.

#include "../oracle/monoids.hpp"
#include "../oracle/segmented_scan.hpp"
#include "../oracle/views.hpp"

#include <upsweep/scan/detail/calls/matrix_sequences.hpp>
#include <upsweep/scan/detail/persistent/pipelined.hpp>
#include <upsweep/scan/scan_by_key.hpp>
#include <upsweep/scan/segmented_scan.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace detail = upsweep::scan::detail;
using upsweep::internal::contiguous_sequence;

template <class Monoid>
struct some_values {
  using T = typename Monoid::value_type;
  static T value(std::size_t i) {
    if constexpr (std::is_same_v<Monoid, oracle::affine_maps>) return {2 * i + 1, i};
    else return static_cast<T>(static_cast<int>(i % 13) - 6);
  }
};

template <class T>
using device_view = Kokkos::View<T*, oracle::memory>;

/// Elements in a View that begins `shift` elements behind an aligned address.
template <class T>
device_view<T> shifted(std::vector<T> const& values, std::size_t shift) {
  device_view<T> const room("room", values.size() + shift);
  auto const part = Kokkos::subview(room, std::make_pair(shift, shift + values.size()));
  oracle::assign(part, values);
  return part;
}

template <bool Inclusive, class Heads, class Monoid>
using problem = detail::segmented_problem<Inclusive, Heads, contiguous_sequence<typename Monoid::value_type const>,
                                          contiguous_sequence<typename Monoid::value_type>, Monoid>;

/// One input, its heads in every form that a stage takes.
template <class Monoid>
struct segments_case {
  using T = typename Monoid::value_type;
  std::vector<T> values;
  std::vector<std::uint8_t> heads;

  segments_case(std::size_t n, int distance) : values(n), heads(n) {
    auto const random =
        oracle::random_values<int>(n, 0, distance - 1, static_cast<unsigned>(n) + static_cast<unsigned>(distance));
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = some_values<Monoid>::value(i);
      heads[i] = random[i] == 0;
    }
  }

  std::vector<T> expected(bool inclusive) const {
    return oracle::segmented_scan<T>(values, heads, Monoid{}, inclusive);
  }

  /// polls: round trips before others reduce a stalled tile; 0 for the backend's own.
  template <bool Inclusive, class Heads>
  void check(Heads const& marks, std::size_t shift_in, std::size_t shift_out, bool in_place, int polls,
             std::string const& what) const {
    using problem_type = problem<Inclusive, Heads, Monoid>;
    static_assert(detail::takes_segmented_tile<problem_type>::value);
    if constexpr (!detail::pipelined_engine::takes<oracle::space, problem_type>()) {
      GTEST_SKIP() << "this device has no room for the tiles";
    } else {
      std::size_t const n = values.size();
      auto const in = shifted(values, shift_in);
      auto const out = in_place ? in : shifted(std::vector<T>(n), shift_out);
      detail::segmented_states<Monoid> const states{{}};
      problem_type const p{{marks, {in.data()}}, {marks, {out.data()}, {}}, states, {states.identity()}, n, {}};
      std::size_t const bytes =
          detail::prefix_bytes<detail::decoupled_look_back<detail::segmented_states<Monoid>>>(n / 256 + 1);
      Kokkos::View<std::uint64_t*, oracle::memory> const region("region", bytes / 8);
      oracle::space const space;
      detail::pipelined_engine::scan<true>(
          space, p, {reinterpret_cast<std::byte*>(region.data()), bytes, detail::largest_epoch, polls}, {"test", {}});
      space.fence();
      auto const found = oracle::to_host(out), right = expected(Inclusive);
      for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE(found[i] == right[i]) << what << ", n = " << n << ", i = " << i;
    }
  }

  template <class Heads>
  void check_ways(Heads const& marks, std::string const& what) const {
    check<true>(marks, 0, 0, false, 0, what);
    check<false>(marks, 0, 1, false, 0, what + ", output not aligned");
    check<true>(marks, 1, 0, false, 0, what + ", values not aligned");
    check<false>(marks, 0, 0, true, 0, what + ", in place");
    check<true>(marks, 0, 0, true, 1, what + ", in place, with fallbacks");
  }

  template <class Key>
  void check_keys(std::size_t shift) const {
    std::vector<Key> keys(values.size());
    Key key = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = key = static_cast<Key>(key + (heads[i] != 0 ? 1 : 0));
    auto const view = shifted(keys, shift);
    detail::key_heads<contiguous_sequence<Key const>, upsweep::equal_keys> const marks{{view.data()}, {}};
    check_ways(marks,
               "keys of " + std::to_string(sizeof(Key)) + " bytes, " + std::to_string(shift) + " behind alignment");
  }
  template <class Flag>
  void check_flags(std::size_t shift) const {
    auto const view = shifted(std::vector<Flag>(heads.begin(), heads.end()), shift);
    detail::flag_heads<contiguous_sequence<Flag const>> const marks{{view.data()}};
    check_ways(marks,
               "flags of " + std::to_string(sizeof(Flag)) + " bytes, " + std::to_string(shift) + " behind alignment");
  }
  /// Of rows of so many elements, instead of the case's own heads.
  void check_rows(std::size_t length) {
    for (std::size_t i = 0; i < heads.size(); ++i) heads[i] = i % length == 0;
    check_ways(detail::row_heads{detail::row_finder(length)}, "rows of " + std::to_string(length));
  }
  void check_bits() const {
    std::vector<std::uint32_t> words(values.size() / 32 + 1);
    for (std::size_t i = 0; i < heads.size(); ++i) words[i / 32] |= static_cast<std::uint32_t>(heads[i]) << (i % 32);
    auto const view = shifted(words, 0);
    check_ways(detail::bit_heads{{view.data()}}, "bits");
  }
};

/// Sizes around tiles.
template <class Check>
void for_all_sizes(Check const& check) {
  for (std::size_t n : {1u, 33u, 6079u, 6080u, 8065u, 50179u, 1200001u})
    for (int distance : {2, 100, 100000000}) check(n, distance);
}
TEST(pipelined_segments, every_kind_of_head_double) {
  for_all_sizes([](std::size_t n, int distance) {
    segments_case<upsweep::plus<double>> const c(n, distance);
    ASSERT_NO_FATAL_FAILURE(c.check_keys<std::int32_t>(0));
    ASSERT_NO_FATAL_FAILURE(c.check_keys<std::int32_t>(1));
    ASSERT_NO_FATAL_FAILURE(c.check_keys<std::uint16_t>(0));
    ASSERT_NO_FATAL_FAILURE(c.check_flags<std::uint8_t>(0));
    ASSERT_NO_FATAL_FAILURE(c.check_flags<std::uint8_t>(3));
    ASSERT_NO_FATAL_FAILURE(c.check_flags<std::int32_t>(0));
    ASSERT_NO_FATAL_FAILURE(c.check_bits());
  });
}
TEST(pipelined_segments, every_kind_of_head_maps) {
  for_all_sizes([](std::size_t n, int distance) {
    segments_case<oracle::affine_maps> const c(n, distance);
    ASSERT_NO_FATAL_FAILURE(c.check_keys<std::int64_t>(0));
    ASSERT_NO_FATAL_FAILURE(c.check_keys<std::int64_t>(1));
    ASSERT_NO_FATAL_FAILURE(c.check_flags<std::uint8_t>(0));
    ASSERT_NO_FATAL_FAILURE(c.check_bits());
  });
}

TEST(pipelined_segments, rows) {
  for (std::size_t n : {1u, 33u, 8959u, 8960u, 8961u, 50179u, 1200001u})
    for (std::size_t length : {1u, 2u, 13u, 14u, 15u, 32u, 1000u, 8960u, 65536u, 100000000u}) {
      ASSERT_NO_FATAL_FAILURE(segments_case<upsweep::plus<double>>(n, 2).check_rows(length));
      ASSERT_NO_FATAL_FAILURE(segments_case<oracle::affine_maps>(n, 2).check_rows(length));
    }
}

// Public calls, long enough for this engine, and for teams that use their stages again; the same bits in each run.
TEST(pipelined_segments, long_inputs) {
  oracle::space const space;
  upsweep::workspace ws(space);
  upsweep::scan_options const options{.workspace = &ws};
  std::size_t const n = (std::size_t(1) << 22) + 12345;
  for (int distance : {5, 3000000}) {
    segments_case<upsweep::plus<double>> const c(n, distance);
    auto const in = oracle::to_device(c.values);
    auto const flags = oracle::to_device(c.heads);
    std::vector<std::int64_t> starts{0};
    std::vector<std::int32_t> numbers(n);
    for (std::size_t i = 1; i < n; ++i) {
      numbers[i] = numbers[i - 1] + (c.heads[i] != 0 ? 1 : 0);
      if (c.heads[i] != 0) starts.push_back(static_cast<std::int64_t>(i));
    }
    starts.push_back(static_cast<std::int64_t>(n));
    auto const offsets = upsweep::segment_offsets(oracle::to_device(starts));
    auto const keys = oracle::to_device(numbers);
    auto const inclusive = c.expected(true), exclusive = c.expected(false);
    device_view<double> const out("out", n);
    for (int run = 0; run < 3; ++run) {
      upsweep::segmented_inclusive_scan(space, in, upsweep::head_flags{flags}, out, upsweep::plus<>{}, options);
      ASSERT_EQ(oracle::to_host(out), inclusive);
      upsweep::segmented_exclusive_scan(space, in, offsets, out, upsweep::plus<>{}, options);
      ASSERT_EQ(oracle::to_host(out), exclusive);
      upsweep::inclusive_scan_by_key(space, keys, in, out, upsweep::plus<>{}, options);
      ASSERT_EQ(oracle::to_host(out), inclusive);
    }
    EXPECT_NO_THROW(ws.check(space));
  }
}

/// A sum, handed out with much beside it: longer than what a stage holds.
struct wide_result {
  double sum, rest[5];
};
struct wide_sum {
  using value_type = double;
  KOKKOS_FUNCTION value_type identity() const { return 0; }
  KOKKOS_FUNCTION value_type operator()(value_type a, value_type b) const { return a + b; }
  KOKKOS_FUNCTION wide_result lower(value_type const& s) const { return {s, {s + 1, s + 2, s + 3, s + 4, s + 5}}; }
};
TEST(pipelined_segments, results_wider_than_a_slot) {
  oracle::space const space;
  std::size_t const n = (std::size_t(1) << 20) + 1;
  segments_case<upsweep::plus<double>> const c(n, 100);
  std::vector<std::int32_t> numbers(n);
  for (std::size_t i = 1; i < n; ++i) numbers[i] = numbers[i - 1] + (c.heads[i] != 0 ? 1 : 0);
  device_view<wide_result> const out("out", n);
  upsweep::inclusive_scan_by_key(space, oracle::to_device(numbers), oracle::to_device(c.values), out, wide_sum{});
  auto const found = oracle::to_host(out);
  auto const expected = c.expected(true);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(found[i].sum, expected[i]) << i;
    for (int k = 0; k < 5; ++k) ASSERT_EQ(found[i].rest[k], expected[i] + k + 1) << i;
  }
}

}  // namespace
