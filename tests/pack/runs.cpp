// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "moving.hpp"

#include <upsweep/pack/run_length.hpp>
#include <upsweep/pack/unique.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <vector>

namespace {

/// Equal keys, whatever else differs.
template <class T>
struct same_key {
  KOKKOS_FUNCTION bool operator()(T const& a, T const& b) const { return moving::key_of(a) == moving::key_of(b); }
};

template <class T>
class runs : public moving::fixture {};
TYPED_TEST_SUITE(runs, moving::element_types);

/// The first elements of runs, and their lengths.
template <class T>
moving::counted_elements<T, std::int64_t> runs_of(std::vector<T> const& in) {
  moving::counted_elements<T, std::int64_t> result;
  std::unique_copy(in.begin(), in.end(), std::back_inserter(result.elements), same_key<T>{});
  for (auto at = in.begin(); at != in.end();) {
    auto const end = std::find_if(at, in.end(), [&](T const& x) { return moving::key_of(x) != moving::key_of(*at); });
    result.counts.push_back(end - at);
    at = end;
  }
  return result;
}

/// n elements in runs about `length` long, the longest ones over several groups and tiles.
template <class T>
std::vector<T> in_runs(std::size_t n, std::size_t length) {
  auto result = moving::values<T>(n, 0, 9, unsigned(n) + 1);
  auto const lengths = oracle::random_values<int>(n, 1, int(2 * length), 7);
  for (std::size_t i = 0, run = 0; i < n; i += std::size_t(lengths[run++]))
    for (std::size_t k = i + 1; k < std::min(n, i + std::size_t(lengths[run])); ++k) {
      if constexpr (requires { result[k].from; }) result[k].key = result[i].key;
      else result[k] = result[i];
    }
  return result;
}

TYPED_TEST(runs, are_what_the_standard_library_finds) {
  using T = TypeParam;
  for (std::size_t n : moving::sizes())
    for (std::size_t length : {1u, 5u, 20u, 300u, 3000000u}) {
      auto const in = in_runs<T>(n, length);
      auto const expected = runs_of(in);
      std::size_t const count = expected.elements.size();
      auto const device = oracle::to_device(in);
      auto const out = moving::guarded<T>(count), values = moving::guarded<T>(count);
      auto const lengths = moving::guarded<std::int64_t>(count);
      upsweep::call_options const options{.workspace = &this->ws};
      ASSERT_EQ(upsweep::unique(this->space, device, out, same_key<T>{}, options), count) << n;
      ASSERT_EQ(upsweep::run_length(this->space, device, values, lengths, same_key<T>{}, options), count) << n;
      ASSERT_EQ(oracle::to_host(out), moving::with_guard(expected.elements)) << n;
      ASSERT_EQ(oracle::to_host(values), moving::with_guard(expected.elements)) << n;
      ASSERT_EQ(oracle::to_host(lengths), moving::with_guard(expected.counts)) << n;
      // By ==, for which CPUs have kernels where keys are integers.
      if constexpr (std::is_integral_v<T>) {
        auto const by_equal = moving::guarded<T>(count), values_by_equal = moving::guarded<T>(count);
        auto const lengths_by_equal = moving::guarded<std::int64_t>(count);
        ASSERT_EQ(upsweep::unique(this->space, device, by_equal, options), count) << n;
        ASSERT_EQ(upsweep::run_length(this->space, device, values_by_equal, lengths_by_equal, options), count) << n;
        ASSERT_EQ(oracle::to_host(by_equal), moving::with_guard(expected.elements)) << n;
        ASSERT_EQ(oracle::to_host(values_by_equal), moving::with_guard(expected.elements)) << n;
        ASSERT_EQ(oracle::to_host(lengths_by_equal), moving::with_guard(expected.counts)) << n;
      }
    }
}

TYPED_TEST(runs, strided_views_and_counts_on_the_device) {
  using T = TypeParam;
  std::size_t const n = 10007;
  auto const in = in_runs<T>(n, 40);
  auto const expected = runs_of(in);
  moving::columns<T> const table(in);
  Kokkos::View<std::int32_t**, Kokkos::LayoutRight, oracle::memory> const numbers("numbers", n, 2);
  auto const from = table.from(), to = table.to();
  auto const lengths = Kokkos::subview(numbers, Kokkos::ALL, 1);
  Kokkos::View<std::size_t, oracle::memory> const count("count");
  auto const check_count = [&] {
    EXPECT_EQ(oracle::value_of(count), expected.elements.size());
    EXPECT_EQ(moving::first(oracle::to_host(to), expected.elements.size()), expected.elements);
  };
  upsweep::unique(this->space, from, to, count, same_key<T>{});
  check_count();
  oracle::copy(to, from);
  upsweep::run_length(this->space, from, to, lengths, count, same_key<T>{});
  check_count();
  auto const found = oracle::to_host(lengths);
  std::vector<std::int64_t> const found_lengths(found.begin(), found.end());
  EXPECT_EQ(moving::first(found_lengths, expected.counts.size()), expected.counts);
}

TEST(run_calls, long_elements) {
  using moving::wide;
  oracle::space const space;
  auto const in = in_runs<wide>(300001, 100);
  auto const device = oracle::to_device(in);
  auto const expected = runs_of(in);
  std::size_t const count = expected.elements.size();
  Kokkos::View<wide*, oracle::memory> const firsts("firsts", count), values("values", count);
  Kokkos::View<std::int64_t*, oracle::memory> const lengths("lengths", count);
  EXPECT_EQ(upsweep::unique(space, device, firsts, same_key<wide>{}), count);
  EXPECT_EQ(upsweep::run_length(space, device, values, lengths, same_key<wide>{}), count);
  EXPECT_EQ(oracle::to_host(firsts), expected.elements);
  EXPECT_EQ(oracle::to_host(values), expected.elements);
  EXPECT_EQ(oracle::to_host(lengths), expected.counts);
}

TEST(run_calls, bad_arguments) {
  oracle::space const space;
  moving::ranges const part;
  auto const in = part(0, 200);
  part.number_elements();
  EXPECT_THROW(upsweep::unique(space, in, part(100, 300)), upsweep::precondition_error);
  EXPECT_THROW(upsweep::unique(space, in, in), upsweep::precondition_error);
  EXPECT_THROW(upsweep::unique(space, in, part(200, 300)), upsweep::overflow_error);
  Kokkos::View<int*, oracle::memory> const lengths("lengths", 200);
  Kokkos::View<std::int8_t*, oracle::memory> const narrow("narrow", 200);
  EXPECT_THROW(upsweep::run_length(space, in, in, lengths), upsweep::precondition_error);
  EXPECT_THROW(upsweep::run_length(space, in, part(200, 400), part(200, 400)), upsweep::precondition_error);
  EXPECT_THROW(upsweep::run_length(space, in, part(200, 300), lengths), upsweep::precondition_error);
  EXPECT_THROW(upsweep::run_length(space, in, part(200, 400), narrow), upsweep::overflow_error);
  EXPECT_EQ(upsweep::run_length(space, in, part(200, 400), lengths), 200u);
  EXPECT_THROW(upsweep::run_length(space, in, part(200, 250), Kokkos::subview(lengths, Kokkos::make_pair(0, 50))),
               upsweep::overflow_error);
}

TEST(run_calls, outputs_that_are_too_short_have_the_first_runs) {
  oracle::space const space;
  auto const in = in_runs<int>(100003, 3);
  auto const expected = runs_of(in);
  auto const device = oracle::to_device(in);
  moving::expect_first_ones(expected.elements, expected.counts, [&](auto const& values, auto const& lengths) {
    upsweep::run_length(space, device, values, lengths);
  });
}

TEST(run_calls, asynchronous_and_without_allocations_with_a_workspace) {
  oracle::space const space;
  auto const in = oracle::to_device(in_runs<int>(100003, 10));
  Kokkos::View<int*, oracle::memory> const values("values", in.size()), lengths("lengths", in.size());
  Kokkos::View<std::size_t, oracle::memory> const count("count");
  moving::expect_asynchronous([&](auto const& options) {
    upsweep::unique(space, in, values, count, upsweep::equal_keys{}, options);
    upsweep::run_length(space, in, values, lengths, count, upsweep::equal_keys{}, options);
  });
}

}  // namespace
