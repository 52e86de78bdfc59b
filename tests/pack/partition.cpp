// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "moving.hpp"

#include <upsweep/pack/partition.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using moving::tagged;

template <class T>
class partition : public testing::Test {};
using element_types = testing::Types<std::int8_t, std::int32_t, double, tagged>;
TYPED_TEST_SUITE(partition, element_types);

/// The elements as they should stand, and how many each part has.
template <class T>
struct expectation {
  std::vector<T> elements;
  std::vector<std::uint64_t> counts;
};
template <class T>
expectation<T> in_parts(std::vector<T> elements, std::vector<std::int64_t> const& bounds) {
  std::vector<std::uint64_t> counts;
  auto from = elements.begin();
  for (auto bound : bounds) {
    auto const end = std::stable_partition(from, elements.end(), [=](T const& x) { return moving::key_of(x) < bound; });
    counts.push_back(std::uint64_t(end - from));
    from = end;
  }
  counts.push_back(std::uint64_t(elements.end() - from));
  return {elements, counts};
}

template <class Counts>
std::vector<std::uint64_t> to_vector(Counts const& counts) {
  return {counts.data(), counts.data() + counts.size()};
}

TYPED_TEST(partition, is_stable_partition) {
  using T = TypeParam;
  oracle::space const space;
  upsweep::workspace ws(space);
  for (std::size_t n : moving::sizes())
    for (int bound : {0, 40, 100}) {  // nothing, a part, all
      auto const in = moving::values<T>(n, 0, 99, unsigned(n) + 1);
      auto const device = oracle::to_device(in);
      Kokkos::View<T*, oracle::memory> const out("out", n);
      auto const two = in_parts(in, {bound});
      ASSERT_EQ(to_vector(upsweep::partition(space, device, out, moving::less<T>{bound}, {.workspace = &ws})), two.counts) << n;
      ASSERT_EQ(oracle::to_host(out), two.elements) << n;
      ASSERT_EQ(to_vector(upsweep::partition_rest_reversed(space, device, out, moving::less<T>{bound}, {.workspace = &ws})), two.counts) << n;
      auto rest_reversed = two.elements;
      auto const first_of_rest = std::ptrdiff_t(two.counts[0]);
      std::reverse_copy(two.elements.begin() + first_of_rest, two.elements.end(), rest_reversed.begin() + first_of_rest);
      ASSERT_EQ(oracle::to_host(out), rest_reversed) << n;
      for (int second : {0, 70, 100}) {
        auto const three = in_parts(in, {bound, second});
        auto const counts = upsweep::partition_three_way(space, device, out, moving::less<T>{bound}, moving::less<T>{second}, {.workspace = &ws});
        ASSERT_EQ(to_vector(counts), three.counts) << n;
        ASSERT_EQ(oracle::to_host(out), three.elements) << n;
      }
    }
}

TYPED_TEST(partition, strided_views_and_counts_on_the_device) {
  using T = TypeParam;
  oracle::space const space;
  std::size_t const n = 10007;
  auto const in = moving::values<T>(n, 0, 99);
  moving::columns<T> const table(in);
  auto const from = table.from(), to = table.to();
  Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, oracle::memory> const all_counts("counts", 3, 2);
  auto const counts = Kokkos::subview(all_counts, Kokkos::ALL, 1);
  upsweep::partition_three_way(space, from, to, moving::less<T>{20}, moving::less<T>{40}, counts);
  auto const expected = in_parts(in, {20, 40});
  EXPECT_EQ(oracle::to_host(counts), expected.counts);
  EXPECT_EQ(oracle::to_host(to), expected.elements);
  Kokkos::View<std::uint64_t*, oracle::memory> const two("two", 2);
  upsweep::partition(space, from, to, moving::less<T>{20}, two);
  EXPECT_EQ(oracle::to_host(two), in_parts(in, {20}).counts);
  EXPECT_EQ(oracle::to_host(to), in_parts(in, {20}).elements);
  upsweep::partition_rest_reversed(space, from, to, moving::less<T>{60}, two);
  auto backwards = in_parts(in, {60});
  std::reverse(backwards.elements.begin() + std::ptrdiff_t(backwards.counts[0]), backwards.elements.end());
  EXPECT_EQ(oracle::to_host(two), backwards.counts);
  EXPECT_EQ(oracle::to_host(to), backwards.elements);
}

TEST(partition_calls, bad_arguments) {
  oracle::space const space;
  Kokkos::View<std::uint64_t*, oracle::memory> const counts("counts", 2);
  moving::ranges const part;
  moving::less<int> const all{1};
  EXPECT_THROW(upsweep::partition(space, part(0, 100), part(50, 150), all), upsweep::precondition_error);
  EXPECT_THROW(upsweep::partition(space, part(0, 100), part(0, 100), all), upsweep::precondition_error);
  EXPECT_THROW(upsweep::partition(space, part(0, 100), part(100, 199), all), upsweep::precondition_error);
  EXPECT_THROW(upsweep::partition_rest_reversed(space, part(0, 100), part(0, 100), all), upsweep::precondition_error);
  EXPECT_THROW(upsweep::partition_rest_reversed(space, part(0, 100), part(100, 199), all), upsweep::precondition_error);
  EXPECT_THROW(upsweep::partition_three_way(space, part(0, 100), part(100, 200), all, all, counts), upsweep::precondition_error);
  EXPECT_EQ(upsweep::partition(space, part(0, 100), part(100, 200), all)[0], 100u);
}

}  // namespace
