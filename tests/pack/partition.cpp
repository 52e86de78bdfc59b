// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "moving.hpp"

#include <upsweep/pack/partition.hpp>
#include <upsweep/pack/partition_copy.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace {

template <class T>
class partition : public testing::Test {};
TYPED_TEST_SUITE(partition, moving::element_types);

/// The elements as they should stand, and how many each part has.
template <class T>
moving::counted_elements<T, std::uint64_t> in_parts(std::vector<T> elements, std::vector<std::int64_t> const& bounds) {
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
      ASSERT_EQ(to_vector(upsweep::partition(space, device, out, moving::less<T>{bound}, {.workspace = &ws})),
                two.counts)
          << n;
      ASSERT_EQ(oracle::to_host(out), two.elements) << n;
      ASSERT_EQ(
          to_vector(upsweep::partition_rest_reversed(space, device, out, moving::less<T>{bound}, {.workspace = &ws})),
          two.counts)
          << n;
      auto rest_reversed = two.elements;
      auto const first_of_rest = std::ptrdiff_t(two.counts[0]);
      std::reverse_copy(two.elements.begin() + first_of_rest, two.elements.end(),
                        rest_reversed.begin() + first_of_rest);
      ASSERT_EQ(oracle::to_host(out), rest_reversed) << n;
      for (int second : {0, 70, 100}) {
        auto const three = in_parts(in, {bound, second});
        auto const counts = upsweep::partition_three_way(space, device, out, moving::less<T>{bound},
                                                         moving::less<T>{second}, {.workspace = &ws});
        ASSERT_EQ(to_vector(counts), three.counts) << n;
        ASSERT_EQ(oracle::to_host(out), three.elements) << n;
        auto const guarded = [&](int k) { return moving::guarded<T>(three.counts[std::size_t(k)]); };
        auto const a = guarded(0), b = guarded(1), c = guarded(2);
        auto const room = [](auto const& view) {
          return Kokkos::subview(view, Kokkos::make_pair(std::size_t(0), view.extent(0) - 1));
        };
        auto const copied = upsweep::partition_copy(space, device, room(a), room(b), room(c), moving::less<T>{bound},
                                                    moving::less<T>{second}, {.workspace = &ws});
        ASSERT_EQ(to_vector(copied), three.counts) << n;
        auto from = three.elements.begin();
        for (auto const& part : {a, b, c}) {
          auto const end = from + std::ptrdiff_t(part.extent(0) - 1);
          ASSERT_EQ(oracle::to_host(part), moving::with_guard(std::vector<T>(from, end))) << n;
          from = end;
        }
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
  Kokkos::View<std::size_t**, Kokkos::LayoutRight, oracle::memory> const all_counts("counts", 3, 2);
  auto const counts = Kokkos::subview(all_counts, Kokkos::ALL, 1);
  upsweep::partition_three_way(space, from, to, counts, moving::less<T>{20}, moving::less<T>{40});
  auto const expected = in_parts(in, {20, 40});
  EXPECT_EQ(oracle::to_host(counts), expected.counts);
  EXPECT_EQ(oracle::to_host(to), expected.elements);
  Kokkos::View<T**, Kokkos::LayoutRight, oracle::memory> const parts("parts", n, 3);
  auto const part = [&](int k) { return Kokkos::subview(parts, Kokkos::ALL, k); };
  Kokkos::deep_copy(all_counts, 0);
  upsweep::partition_copy(space, from, part(0), part(1), part(2), counts, moving::less<T>{20}, moving::less<T>{40});
  EXPECT_EQ(oracle::to_host(counts), expected.counts);
  auto begin = expected.elements.begin();
  for (int k = 0; k < 3; ++k) {
    auto const end = begin + std::ptrdiff_t(expected.counts[std::size_t(k)]);
    EXPECT_EQ(moving::first(oracle::to_host(part(k)), expected.counts[std::size_t(k)]), std::vector<T>(begin, end))
        << k;
    begin = end;
  }
  Kokkos::View<std::size_t*, oracle::memory> const two("two", 2);
  upsweep::partition(space, from, to, two, moving::less<T>{20});
  EXPECT_EQ(oracle::to_host(two), in_parts(in, {20}).counts);
  EXPECT_EQ(oracle::to_host(to), in_parts(in, {20}).elements);
  upsweep::partition_rest_reversed(space, from, to, two, moving::less<T>{60});
  auto backwards = in_parts(in, {60});
  std::reverse(backwards.elements.begin() + std::ptrdiff_t(backwards.counts[0]), backwards.elements.end());
  EXPECT_EQ(oracle::to_host(two), backwards.counts);
  EXPECT_EQ(oracle::to_host(to), backwards.elements);
}

TEST(partition_calls, bad_arguments) {
  oracle::space const space;
  Kokkos::View<std::size_t*, oracle::memory> const counts("counts", 2);
  moving::ranges const part;
  moving::less<int> const all{1};
  EXPECT_THROW(upsweep::partition(space, part(0, 100), part(50, 150), all), upsweep::precondition_error);
  EXPECT_THROW(upsweep::partition(space, part(0, 100), part(0, 100), all), upsweep::precondition_error);
  EXPECT_THROW(upsweep::partition(space, part(0, 100), part(100, 199), all), upsweep::precondition_error);
  EXPECT_THROW(upsweep::partition_rest_reversed(space, part(0, 100), part(0, 100), all), upsweep::precondition_error);
  EXPECT_THROW(upsweep::partition_rest_reversed(space, part(0, 100), part(100, 199), all), upsweep::precondition_error);
  EXPECT_THROW(upsweep::partition_three_way(space, part(0, 100), part(100, 200), counts, all, all),
               upsweep::precondition_error);
  EXPECT_THROW(upsweep::partition_three_way(space, part(0, 100), part(50, 150), all, all), upsweep::precondition_error);
  EXPECT_THROW(upsweep::partition_three_way(space, part(0, 100), part(100, 199), all, all),
               upsweep::precondition_error);
  EXPECT_EQ(upsweep::partition(space, part(0, 100), part(100, 200), all)[0], 100u);
}

TEST(partition_calls, bad_arguments_of_three_outputs) {
  oracle::space const space;
  moving::ranges const part;
  moving::less<int> const none{0}, all{1};
  auto const in = part(0, 100), a = part(100, 200), b = part(200, 300), c = part(300, 400);
  auto const copy = [&](auto const&... arguments) { return upsweep::partition_copy(space, arguments...); };
  EXPECT_THROW(copy(in, part(99, 199), b, c, none, all), upsweep::precondition_error);
  EXPECT_THROW(copy(in, a, part(99, 150), c, none, all), upsweep::precondition_error);
  EXPECT_THROW(copy(in, a, b, part(0, 100), none, all), upsweep::precondition_error);
  EXPECT_THROW(copy(in, a, part(199, 300), c, none, all), upsweep::precondition_error);
  EXPECT_THROW(copy(in, a, b, part(199, 201), none, all), upsweep::precondition_error);
  EXPECT_THROW(copy(in, a, b, part(299, 400), none, all), upsweep::precondition_error);
  Kokkos::View<std::size_t*, oracle::memory> const counts("counts", 2);
  EXPECT_THROW(copy(in, a, b, c, counts, none, all), upsweep::precondition_error);
  EXPECT_EQ(to_vector(copy(in, a, b, c, none, all)), (std::vector<std::uint64_t>{0, 100, 0}));
  EXPECT_EQ(to_vector(copy(in, part(100, 100), part(100, 200), part(200, 200), none, all)),
            (std::vector<std::uint64_t>{0, 100, 0}));
  EXPECT_EQ(to_vector(copy(part(0, 0), part(0, 0), part(0, 0), part(0, 0), none, all)),
            (std::vector<std::uint64_t>{0, 0, 0}));
}

}  // namespace
