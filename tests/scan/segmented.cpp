// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../contracts/ran_engine.hpp"
#include "../oracle/engines.hpp"
#include "../oracle/monoids.hpp"
#include "../oracle/segmented_scan.hpp"
#include "../oracle/views.hpp"

#include <upsweep/scan/scan_by_key.hpp>
#include <upsweep/scan/segmented_scan.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

std::vector<std::size_t> some_sizes() { return {0, 1, 2, 257, 4095, 4097, 12289, 100003}; }

/// Heads at random with the mean distance given; more or fewer than a tile apart.
std::vector<int> random_heads(std::size_t n, int distance) {
  auto heads = oracle::random_values<int>(n, 0, distance - 1, static_cast<unsigned>(n + distance));
  for (auto& h : heads) h = h == 0 ? 5 : 0;
  return heads;
}

TEST(segmented_scan, example) {
  oracle::space const space;
  auto const in = oracle::to_device<int>({1, 2, 3, 4}), flags = oracle::to_device<int>({1, 0, 1, 0});
  auto const offsets = upsweep::segment_offsets(oracle::to_device<int>({0, 2, 2, 4}));
  auto const keys = oracle::to_device<int>({7, 7, 5, 5});
  Kokkos::View<int*, oracle::memory> const out("out", 4);
  std::vector<int> const inclusive{1, 3, 3, 7}, exclusive{0, 1, 0, 3};
  auto const check = [&](auto const& segments) {
    upsweep::segmented_inclusive_scan(space, in, segments, out);
    EXPECT_EQ(oracle::to_host(out), inclusive);
    upsweep::segmented_exclusive_scan(space, in, segments, out);
    EXPECT_EQ(oracle::to_host(out), exclusive);
  };
  check(upsweep::head_flags{flags});
  check(offsets);
  upsweep::inclusive_scan_by_key(space, keys, in, out);
  EXPECT_EQ(oracle::to_host(out), inclusive);
  upsweep::exclusive_scan_by_key(space, keys, in, out);
  EXPECT_EQ(oracle::to_host(out), exclusive);
}

TEST(segmented_scan, matrices_on_engines) {
  oracle::space const space;
  upsweep::workspace ws(space);
  for (auto n : some_sizes())
    for (int distance : {1, 7, 30000}) {
      auto const values = oracle::random_values<int>(n, 0, 1000);
      auto const heads = random_heads(n, distance);
      auto const in = oracle::to_device(values), flags = oracle::to_device(heads);
      Kokkos::View<oracle::matrix*, oracle::memory> const out("out", n);
      auto const inclusive = oracle::segmented_scan<oracle::matrix>(values, heads, oracle::matrix_product{}, true);
      auto const exclusive = oracle::segmented_scan<oracle::matrix>(values, heads, oracle::matrix_product{}, false);
      oracle::for_parallel_engines([&]<class Engine>() {
        upsweep::basic_scan_options<Engine> const options{.workspace = &ws};
        contracts::recorder const seen;
        upsweep::segmented_inclusive_scan(space, in, upsweep::head_flags{flags}, out, oracle::matrix_product{},
                                          options);
        space.fence();
        ASSERT_EQ(oracle::to_host(out), inclusive) << n << ' ' << distance << " engine " << oracle::name_of<Engine>();
        upsweep::segmented_exclusive_scan(space, in, upsweep::head_flags{flags}, out, oracle::matrix_product{},
                                          options);
        space.fence();
        ASSERT_EQ(oracle::to_host(out), exclusive) << n << ' ' << distance << " engine " << oracle::name_of<Engine>();
        if (n > 100000) {
          EXPECT_TRUE(contracts::has_run(oracle::name_of<Engine>())) << oracle::name_of<Engine>();
        }
      });
    }
}

struct every_1000th {
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return i % 1000 == 7; }
};

TEST(segmented_scan, flags_from_a_functor_and_a_recurrence_in_place) {
  oracle::space const space;
  auto const values = oracle::random_values<std::uint64_t>(50021, 0, 1 << 20);
  std::vector<int> heads(values.size());
  for (std::size_t i = 0; i < heads.size(); ++i) heads[i] = i % 1000 == 7;
  auto const expected = oracle::segmented_scan<std::uint64_t>(values, heads, oracle::affine_composition{}, false);
  auto const data = oracle::to_device(values);
  upsweep::segmented_exclusive_scan(space, data, upsweep::head_flags{every_1000th{}}, data,
                                    oracle::affine_composition{});
  ASSERT_EQ(oracle::to_host(data), expected);
}

// The bits of the heads lie behind the temporary memory of the engine: none, some, or a protocol's.
TEST(segmented_scan, offsets_with_empty_segments) {
  oracle::space const space;
  upsweep::workspace ws(space);
  for (auto n : some_sizes()) {
    std::vector<int> heads(n);
    std::vector<std::uint64_t> starts{0, 0};  // the first segment is empty
    for (auto step : oracle::random_values<int>(n, 0, 9, 5)) {
      auto const next = starts.back() + static_cast<std::uint64_t>(step < 4 ? 0 : step * step);
      if (next >= n) break;
      starts.push_back(next);
      heads[next] = 1;
    }
    starts.push_back(n);
    starts.push_back(n);  // so is the last
    auto const values = oracle::random_values<int>(n, -3, 2000000000);
    auto const in = oracle::to_device(values);
    auto const offsets = upsweep::segment_offsets(oracle::to_device(starts));
    Kokkos::View<std::int64_t*, oracle::memory> const out("out", n);
    oracle::for_production_engines([&]<class Engine>() {
      upsweep::basic_scan_options<Engine> const options{.workspace = n % 2 == 0 ? &ws : nullptr};
      upsweep::segmented_exclusive_scan(space, in, offsets, out, upsweep::plus<>{}, options);
      space.fence();
      ASSERT_EQ(oracle::to_host(out),
                (oracle::segmented_scan<std::int64_t>(values, heads, upsweep::plus<std::int64_t>{}, false)))
          << n << " engine " << oracle::name_of<Engine>();
    });
    EXPECT_NO_THROW(ws.check(space));
  }
}

// Short inputs of GPUs have no bits, unless there are many offsets for their elements.
TEST(segmented_scan, many_empty_segments_at_one_place) {
  oracle::space const space;
  upsweep::workspace ws(space);
  for (std::size_t n : {std::size_t(5), std::size_t(70001), std::size_t(1000003)})
    for (std::size_t empty : {n / 5, 2 * n})
      for (std::size_t place : {std::size_t(0), n / 2, n}) {
        std::vector<std::uint32_t> starts{0};
        std::vector<int> heads(n);
        for (std::size_t i = 0; i <= n; ++i) {
          if (i == place) starts.insert(starts.end(), empty, static_cast<std::uint32_t>(i));
          bool const head = i < n && i % 1001 == 7;
          if (head) starts.push_back(static_cast<std::uint32_t>(i));
          if (i < n) heads[i] = head || i == place;
        }
        starts.push_back(static_cast<std::uint32_t>(n));
        auto const values = oracle::random_values<int>(n, -9, 9);
        auto const in = oracle::to_device(values);
        auto const offsets = upsweep::segment_offsets(oracle::to_device(starts));
        Kokkos::View<int*, oracle::memory> const out("out", n);
        upsweep::segmented_inclusive_scan(space, in, offsets, out, upsweep::plus<>{}, {.workspace = &ws});
        auto const expected = oracle::segmented_scan<int>(values, heads, upsweep::plus<int>{}, true);
        ASSERT_EQ(oracle::to_host(out), expected) << n << ' ' << empty << ' ' << place;
        EXPECT_NO_THROW(ws.check(space));
      }
}

TEST(segmented_scan, the_first_wrong_offset_of_many_is_named) {
  oracle::space const space;
  std::size_t const n = 300007, segments = 30000;
  Kokkos::View<double*, oracle::memory> const in("in", n), out("out", n);
  for (std::size_t wrong : {std::size_t(0), std::size_t(1), std::size_t(12345), segments - 1, segments}) {
    std::vector<std::int64_t> starts(segments + 1);
    for (std::size_t s = 0; s <= segments; ++s) starts[s] = static_cast<std::int64_t>(n * s / segments);
    starts[wrong] = -5;
    if (wrong < 20000) starts[20000] = static_cast<std::int64_t>(n) + 7;
    upsweep::workspace ws(space);
    upsweep::segmented_inclusive_scan(space, in, upsweep::segment_offsets(oracle::to_device(starts)), out,
                                      upsweep::plus<>{}, {.workspace = &ws});
    try {
      ws.check(space);
      ADD_FAILURE() << "nothing thrown, offset " << wrong;
    } catch (upsweep::precondition_error const& e) {
      std::string const named = "segmented_inclusive_scan: segment offset " + std::to_string(wrong) + " is wrong";
      EXPECT_EQ(std::string(e.what()).find(named), 0u) << e.what();
    }
  }
}

TEST(segmented_scan, wrong_offsets_are_named) {
  oracle::space const space;
  auto const in = oracle::to_device<int>({1, 2, 3, 4});
  Kokkos::View<std::int64_t*, oracle::memory> const out("out", 4);
  auto const fails = [&](std::vector<int> const& starts, std::string const& at, upsweep::workspace* ws = nullptr) {
    try {
      auto const offsets = upsweep::segment_offsets(oracle::to_device(starts));
      upsweep::segmented_inclusive_scan(space, in, offsets, out, upsweep::plus<>{}, {.workspace = ws});
      if (ws != nullptr) ws->check(space);
      ADD_FAILURE() << "nothing thrown, " << at;
    } catch (upsweep::precondition_error const& e) {
      EXPECT_EQ(std::string(e.what()).find("segmented_inclusive_scan: " + at), 0u) << e.what();
    }
  };
  upsweep::workspace ws(space);
  fails({1, 4}, "segment offset 0 is wrong");
  fails({0, 3}, "segment offset 1 is wrong", &ws);
  fails({0, 9, 4}, "segment offset 1 is wrong");
  fails({0, 3, 2, 4}, "segment offset 2 is wrong");
  fails({-1, -1, 4}, "segment offset 0 is wrong");
  fails({0, -1, 4}, "segment offset 1 is wrong", &ws);
  fails({0}, "segment offsets have 1 entries for 4 elements");
  EXPECT_NO_THROW(ws.check(space));
}

// CPU threads share the look at offsets tile by tile.
TEST(segmented_scan, the_first_of_many_wrong_offsets_is_named) {
  oracle::space const space;
  std::size_t const segments = 40000, n = 10 * segments;
  Kokkos::View<float*, oracle::memory> const in("in", n), out("out", n);
  upsweep::workspace ws(space);
  for (std::size_t first : {std::size_t(1), segments / 5, segments / 2, segments - 1, segments}) {
    std::vector<std::int64_t> starts(segments + 1);
    for (std::size_t s = 0; s <= segments; ++s) starts[s] = static_cast<std::int64_t>(10 * s);
    starts[first] = first == segments ? static_cast<std::int64_t>(n - 1) : starts[first - 1] - 1;
    for (std::size_t s = first + 7; s < segments; s += 1000)
      starts[s] = s % 2 == 0 ? -5 : static_cast<std::int64_t>(n + 100 * s);
    try {
      upsweep::segmented_inclusive_scan(space, in, upsweep::segment_offsets(oracle::to_device(starts)), out,
                                        upsweep::plus<>{}, {.workspace = &ws});
      ws.check(space);
      ADD_FAILURE() << "nothing thrown, " << first;
    } catch (upsweep::precondition_error const& e) {
      EXPECT_NE(std::string(e.what()).find("segment offset " + std::to_string(first) + " is wrong"), std::string::npos)
          << e.what();
    }
  }
}

struct same_decade {
  KOKKOS_FUNCTION bool operator()(int left, int right) const { return left / 10 == right / 10; }
};

TEST(scan_by_key, runs) {
  oracle::space const space;
  std::size_t const n = 70001;
  auto const values = oracle::random_values<int>(n, 0, 9);
  auto keys = oracle::random_values<int>(n, 0, 40, 3);
  std::vector<int> heads(n), decades(n);
  for (std::size_t i = 1; i < n; ++i) {
    if (i % 5 != 0) keys[i] = keys[i - 1];
    heads[i] = keys[i] != keys[i - 1];
    decades[i] = keys[i] / 10 != keys[i - 1] / 10;
  }
  auto const device_keys = oracle::to_device(keys);
  auto const data = oracle::to_device(values);
  upsweep::inclusive_scan_by_key(space, device_keys, data, data);
  ASSERT_EQ(oracle::to_host(data), (oracle::segmented_scan<int>(values, heads, upsweep::plus<int>{}, true)));
  oracle::assign(data, values);
  upsweep::exclusive_scan_by_key(space, device_keys, data, data, upsweep::plus<>{}, same_decade{});
  ASSERT_EQ(oracle::to_host(data), (oracle::segmented_scan<int>(values, decades, upsweep::plus<int>{}, false)));
}

TEST(segmented_scan, wrong_arguments_name_the_values) {
  oracle::space const space;
  Kokkos::View<int*, oracle::memory> const a("a", 10), b("b", 9), flags("flags", 10);
  auto const message = [](auto const& call) {
    try {
      call();
    } catch (upsweep::precondition_error const& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(message([&] { upsweep::segmented_inclusive_scan(space, a, upsweep::head_flags{flags}, b); }),
            "segmented_inclusive_scan: input has 10 elements, output has 9");
  EXPECT_EQ(message([&] { upsweep::segmented_inclusive_scan(space, a, upsweep::head_flags{b}, a); }),
            "segmented_inclusive_scan: head_flags has 9 elements, output has 10");
  EXPECT_EQ(message([&] { upsweep::segmented_inclusive_scan(space, a, upsweep::head_flags{flags}, flags); }),
            "segmented_inclusive_scan: head_flags and output overlap (output starts 0 bytes after head_flags); "
            "give separate ranges");
  EXPECT_EQ(message([&] { upsweep::inclusive_scan_by_key(space, a, flags, a); }),
            "inclusive_scan_by_key: keys and output overlap (output starts 0 bytes after keys); give separate ranges");
  Kokkos::View<int*, oracle::memory> const none;
  EXPECT_NO_THROW(upsweep::segmented_inclusive_scan(space, none, upsweep::head_flags{none}, none));
}

// As many elements as GPUs take by ticket, of types that they scan where they are and of others.
template <class T>
void check_long_inputs(int distance) {
  oracle::space const space;
  std::size_t const n = 2500003;
  auto const values = oracle::random_values<T>(n, -3, 3);
  auto const heads = random_heads(n, distance);
  std::vector<std::int64_t> keys(n), offsets{0};
  for (std::size_t i = 1; i < n; ++i) {
    keys[i] = keys[i - 1] + (heads[i] != 0 ? 3 : 0);
    if (heads[i] != 0) offsets.push_back(static_cast<std::int64_t>(i));
  }
  offsets.push_back(static_cast<std::int64_t>(n));
  auto const in = oracle::to_device(values);
  auto const flags = oracle::to_device(heads);
  auto const key_view = oracle::to_device(keys);
  auto const offset_view = upsweep::segment_offsets(oracle::to_device(offsets));
  Kokkos::View<T*, oracle::memory> const out("out", n);
  upsweep::workspace ws(space);
  upsweep::plus<T> const op;
  upsweep::scan_options const options{.workspace = &ws};
  auto const inclusive = oracle::segmented_scan<T>(values, heads, op, true);
  auto const exclusive = oracle::segmented_scan<T>(values, heads, op, false);
  upsweep::segmented_inclusive_scan(space, in, upsweep::head_flags{flags}, out, op, options);
  ASSERT_EQ(oracle::to_host(out), inclusive);
  upsweep::segmented_exclusive_scan(space, in, offset_view, out, op, options);
  ASSERT_EQ(oracle::to_host(out), exclusive);
  upsweep::inclusive_scan_by_key(space, key_view, in, out, op, options);
  ASSERT_EQ(oracle::to_host(out), inclusive);
  upsweep::exclusive_scan_by_key(space, key_view, in, in, op, options);
  ASSERT_EQ(oracle::to_host(in), exclusive);
}
TEST(segmented_scan, long_inputs_of_int) {
  for (int distance : {1, 8, 100, 200000}) check_long_inputs<int>(distance);
}
TEST(segmented_scan, long_inputs_of_double) {
  for (int distance : {8, 200000}) check_long_inputs<double>(distance);
}
TEST(segmented_scan, long_inputs_of_short_integers) { check_long_inputs<std::int16_t>(8); }

}  // namespace
