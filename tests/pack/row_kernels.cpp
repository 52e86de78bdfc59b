// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// One row on one thread: the compiled kernels of every instruction set that this processor has, and the plain one,
// against std::sort and std::unique: what they write, and that they write nothing else.

#include "../oracle/instruction_sets.hpp"
#include "row_table.hpp"

#include <upsweep/pack/detail/unique_rows/row_kernels.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

namespace detail = upsweep::pack::detail;

constexpr std::size_t guards = 70;

template <class T>
using unique_row = decltype(detail::row_kernels<T>::unique);

template <class T>
void check(unique_row<T> unique, row_table::pattern pattern, std::size_t n) {
  row_table::table<T> in;
  in.add(row_table::row_of<T>(pattern, n));
  auto const expected = row_table::sorted_and_unique(in).values;
  SCOPED_TRACE(testing::Message() << n << " values, pattern " << int(pattern));

  std::size_t const room = detail::padded_row(n);
  T const guard = T(77);
  auto const is_whole = [&](std::vector<T> const& memory, std::size_t used) {
    return std::all_of(memory.begin() + std::ptrdiff_t(used), memory.end(), [&](T x) { return x == guard; });
  };
  std::vector<T> buffer(room + guards, guard), out(expected.size() + guards, guard);
  ASSERT_EQ(unique(in.values.data(), n, buffer.data(), nullptr), expected.size());
  ASSERT_TRUE(is_whole(buffer, room));
  ASSERT_EQ(unique(in.values.data(), n, buffer.data(), out.data()), expected.size());
  ASSERT_TRUE(is_whole(buffer, room));
  ASSERT_TRUE(is_whole(out, expected.size()));
  out.resize(expected.size());
  ASSERT_EQ(out, expected);
  // All in one place.
  std::vector<T> row = in.values;
  row.resize(room + guards, guard);
  ASSERT_EQ(unique(row.data(), n, row.data(), row.data()), expected.size());
  ASSERT_TRUE(is_whole(row, room));
  row.resize(expected.size());
  ASSERT_EQ(row, expected);
}

template <class T>
void check_lengths(unique_row<T> unique) {
  for (auto const pattern : row_table::patterns) {
    for (std::size_t n = 0; n <= 300; ++n) check<T>(unique, pattern, n);
    for (std::size_t n : {511u, 512u, 513u, 1000u, 2049u, 5000u, 40000u}) check<T>(unique, pattern, n);
  }
}

TEST(row_kernels, plain) {
  check_lengths<std::int32_t>(detail::unique_row_plain<std::int32_t>);
  check_lengths<std::uint64_t>(detail::unique_row_plain<std::uint64_t>);
}

#if defined(UPSWEEP_CPU_KERNELS)
class compiled_row_kernels : public oracle::instruction_set_test {};

TEST_P(compiled_row_kernels, sort_a_row_and_keep_each_value_once) {
  auto const with = [&](auto value) {
    using T = decltype(value);
    auto const* const kernels = detail::row_kernels_for<T>(GetParam());
    ASSERT_NE(kernels, nullptr);
    check_lengths<T>(kernels->unique);
  };
  with(std::int32_t());
  with(std::uint32_t());
  with(std::int64_t());
  with(std::uint64_t());
}

INSTANTIATE_TEST_SUITE_P(sets, compiled_row_kernels, oracle::all_instruction_sets(), oracle::name_of_instruction_set);
#endif

TEST(row_sorter, takes_every_integer_type) {
  auto const with = [](auto value) {
    using T = decltype(value);
    for (auto const pattern : row_table::patterns)
      for (std::size_t n : {0u, 1u, 27u, 64u, 65u, 1000u}) {
        row_table::table<T> in;
        in.add(row_table::row_of<T>(pattern, n));
        auto const expected = row_table::sorted_and_unique(in).values;
        std::vector<T> buffer(detail::padded_row(n)), out(expected.size());
        ASSERT_EQ(detail::row_sorter<T>().unique(in.values.data(), n, buffer.data(), out.data()), expected.size());
        EXPECT_EQ(out, expected) << n;
      }
  };
  with(std::int8_t());
  with(std::uint16_t());
  with(0);
  with(0u);
  with(0l);
  with(0ul);
  with(0ll);
  with(0ull);
}

}  // namespace
