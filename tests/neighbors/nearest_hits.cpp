// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The choice of the nearest hits of a row, against a sort.

#include "random_hits.hpp"

#include <upsweep/neighbors/detail/rules/nearest_hits.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

namespace {

using oracle::distances;
using oracle::hits_of_row;
using oracle::names;
using oracle::random_row;
using upsweep::image;
namespace detail = upsweep::neighbors::detail;

constexpr int stride = 3;

/// Passes that it takes to choose the nearest `wanted`; the choice is compared with that of a sort.
template <class Real>
int passes_of(hits_of_row<Real> const& row, std::size_t wanted, Real cutoff_squared) {
  auto const expected = row.nearest(wanted);
  using nearest_hits = detail::nearest_hits<Real>;
  // Words between the choice's are another row's.
  std::vector<std::uint32_t> memory(nearest_hits::words * stride, 0xdeadbeefu);
  auto const rules = row.rules();
  nearest_hits nearest({rules}, memory.data() + 1, stride);
  nearest.start(wanted, cutoff_squared);
  int passes = 0;
  do {
    for (auto const& hit : row.hits) nearest.add(hit);
    ++passes;
  } while (!nearest.finish_pass() && passes < 100);
  auto chosen = row.hits;
  std::erase_if(chosen, [&](auto const& hit) { return !nearest.has(hit); });
  std::sort(chosen.begin(), chosen.end(), [&](auto const& a, auto const& b) { return row.key(a) < row.key(b); });
  EXPECT_EQ(chosen.size(), expected.size()) << wanted << " of " << row.hits.size();
  for (std::size_t k = 0; k < std::min(chosen.size(), expected.size()); ++k)
    EXPECT_EQ(row.key(chosen[k]), row.key(expected[k])) << "hit " << k << ", " << wanted << " of " << row.hits.size();
  for (std::size_t w = 0; w < memory.size(); ++w) {
    if (w % stride != 1) {
      EXPECT_EQ(memory[w], 0xdeadbeefu) << "word " << w;
    }
  }
  return passes;
}

template <class Real>
void compare_with_a_sort() {
  std::mt19937_64 random(1);
  for (auto const how : {distances::spread, distances::near_ties, distances::few_values, distances::all_zero,
                         distances::tiny, distances::at_the_cutoff})
    for (auto const by : {names::indices, names::ids, names::few_ids, names::far_apart})
      for (int const n : {0, 1, 2, 33, 79, 300, 2000})
        for (std::size_t const wanted : {1, 2, 7, 8, 9, 31, 32, 33, 78, 79, 100, 299, 1999, 3000}) {
          SCOPED_TRACE(testing::Message() << "distances " << int(how) << ", names " << int(by));
          int const passes = passes_of(random_row<Real>(n, how, by, random), wanted, Real(6.25));
          ASSERT_LE(passes, 32);
          ASSERT_FALSE(testing::Test::HasFailure());
        }
}

TEST(nearest_hits, as_a_sort_has_them_in_double) { compare_with_a_sort<double>(); }
TEST(nearest_hits, as_a_sort_has_them_in_float) { compare_with_a_sort<float>(); }

TEST(nearest_hits, rows_as_they_are_take_two_passes) {
  std::mt19937_64 random(2);
  for (int k = 0; k < 100; ++k) {
    auto const row = random_row<double>(100, distances::spread, names::indices, random);
    EXPECT_EQ(passes_of(row, 8, 6.25), 1);
    EXPECT_LE(passes_of(row, 50, 6.25), 2);
  }
  // A crystal's shells, whose distances differ in their last bits.
  for (int k = 0; k < 100; ++k)
    EXPECT_LE(passes_of(random_row<double>(100, distances::near_ties, names::indices, random), 50, 6.25), 2);
}

TEST(nearest_hits, of_the_smallest_and_the_largest_cutoffs) {
  for (double const cutoff_squared : {std::numeric_limits<double>::min(), 1e-300, 1e300}) {
    hits_of_row<double> row;
    for (int k = 0; k < 200; ++k) {
      row.order.push_back(k);
      row.hits.push_back({cutoff_squared * (k % 50) / 50, k, image(0, 0, 0)});
    }
    for (std::size_t const wanted : {1, 40, 150}) passes_of(row, wanted, cutoff_squared);
  }
}

}  // namespace
