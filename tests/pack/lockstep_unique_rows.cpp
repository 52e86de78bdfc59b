// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The kernels of GPUs that sort rows, on a CPU: with lockstep lanes, for warps of 32 and for wavefronts of 64.

#include "row_table.hpp"

#include <upsweep/pack/detail/unique_rows/long_row_kernels.hpp>
#include <upsweep/pack/detail/unique_rows/row_source.hpp>
#include <upsweep/pack/detail/unique_rows/warp_unique_rows.hpp>
#include <upsweep/pack/internal/sort_network.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_league.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using namespace upsweep::pack::detail;
using upsweep::team::testing::lockstep_lanes;
using upsweep::team::testing::lockstep_league;
using upsweep::team::testing::lockstep_league_member;

template <class T>
struct host_rows {
  static constexpr bool are_stored = false;
  struct emit_row {
    table_rows<T, std::size_t> table;
    void operator()(std::size_t i, upsweep::emitter<T> const& emit) const {
      for (std::size_t k = 0; k < table.size(i); ++k) emit(table.begin(i)[k]);
    }
  } functor;
};

/// Both passes, with a scan between them. Long rows are left out: they have no values then.
template <class Kernel, class T, class Rows>
row_table::table<T> run(Rows const& rows, std::size_t n, std::vector<std::int64_t>& long_rows) {
  std::uint64_t error = 0, long_row_count = 0;
  row_table::table<T> result;
  result.offsets.assign(n + 1, 99);
  upsweep::internal::error_word const errors{&error};
  lockstep_league league(Kernel::team::scratch_bytes());
  auto const pass = [&](T* values) {
    Kernel const kernel{rows,
                        {std::int64_t(n), result.offsets.data(), values, &long_row_count, long_rows.data(),
                         std::int64_t(long_rows.size()), errors}};
    league.run(int(Kernel::team::teams(std::int64_t(n))), Kernel::team_size,
               [&](lockstep_league_member const& m) { kernel(m); });
  };
  pass(nullptr);
  std::size_t sum = 0;
  for (std::size_t i = 0; i <= n; ++i) {
    if ((result.offsets[i] & long_row_mark) != 0) {
      long_rows.push_back(std::int64_t(i));
      result.offsets[i] = 0;
    }
    std::size_t const count = result.offsets[i];
    result.offsets[i] = sum;
    sum += count;
  }
  EXPECT_EQ(long_row_count, long_rows.size());
  result.values.assign(sum + 5, T(55));
  pass(result.values.data());
  EXPECT_EQ(error, 0u);
  EXPECT_EQ(std::vector<T>(result.values.end() - 5, result.values.end()), std::vector<T>(5, T(55)));
  result.values.resize(sum);
  return result;
}

template <class Kernel, class T, class Rows>
void check(row_table::table<T> const& in, Rows const& rows) {
  std::vector<std::int64_t> long_rows;
  auto const found = run<Kernel, T>(rows, in.rows(), long_rows);
  row_table::table<T> without_long;
  std::vector<std::int64_t> expected_long;
  for (std::size_t i = 0; i < in.rows(); ++i) {
    std::size_t const size = in.offsets[i + 1] - in.offsets[i];
    bool const is_long = size > std::size_t(Kernel::most);
    if (is_long) expected_long.push_back(std::int64_t(i));
    auto const begin = in.values.begin() + std::ptrdiff_t(in.offsets[i]);
    without_long.add(std::vector<T>(begin, begin + std::ptrdiff_t(is_long ? 0 : size)));
  }
  EXPECT_EQ(long_rows, expected_long);
  EXPECT_EQ(found, row_table::sorted_and_unique(without_long));
}

template <class T, class Lanes>
void check_warps() {
  auto const in = row_table::of_lengths<T>(row_table::lengths_up_to(1024));
  table_rows<T, std::size_t> const table{in.values.data(), in.offsets.data()};
  check<warp_table_rows<T, table_rows<T, std::size_t>, Lanes>>(in, table);
  check<warp_functor_rows<T, host_rows<T>, Lanes>>(in, host_rows<T>{{table}});
}

TEST(lockstep_unique_rows, warps_and_wavefronts) {
  check_warps<std::int32_t, lockstep_lanes<32>>();
  check_warps<std::uint64_t, lockstep_lanes<32>>();
  check_warps<std::uint32_t, lockstep_lanes<64>>();
  check_warps<std::int64_t, lockstep_lanes<64>>();
  check_warps<std::int16_t, lockstep_lanes<32>>();
}

/// A functor that makes more values the second time does not get more room.
TEST(lockstep_unique_rows, nothing_is_written_behind_a_slot) {
  using T = std::int32_t;
  using kernel = warp_functor_rows<T, host_rows<T>, lockstep_lanes<32>>;
  auto const in = row_table::of_lengths<T>({60, 100});
  std::vector<std::size_t> offsets{0, 1, 3};  // fewer than the rows have
  std::vector<T> values(10, 55);
  std::uint64_t error = 0;
  table_rows<T, std::size_t> const table{in.values.data(), in.offsets.data()};
  kernel const k{{{table}}, {2, offsets.data(), values.data(), nullptr, nullptr, 0, {&error}}};
  lockstep_league league(kernel::team::scratch_bytes());
  league.run(1, kernel::team_size, [&](lockstep_league_member const& m) { k(m); });
  auto const expected = row_table::sorted_and_unique(in);
  EXPECT_EQ(values[0], expected.values[0]);
  EXPECT_EQ(values[1], expected.values[expected.offsets[1]]);
  EXPECT_EQ(std::vector<T>(values.begin() + 3, values.end()), std::vector<T>(7, 55));
  EXPECT_EQ(upsweep::internal::error_word::code(error), count_mismatch_code);
  EXPECT_EQ(upsweep::internal::error_word::index(error), behind_failures);
}

TEST(lockstep_unique_rows, teams_sort_in_memory) {
  using T = std::int32_t;
  auto const in = row_table::of_lengths<T>({1, 2, 255, 256, 257, 1000, 2048, 700, 3, 64, 65, 128, 4000});
  auto const expected = row_table::sorted_and_unique(in);
  std::vector<std::int64_t> rows;
  std::vector<std::size_t> begins, sizes, counts(in.rows(), 0);
  std::size_t room = 0;
  for (std::size_t i = 0; i < in.rows(); ++i) {
    rows.push_back(std::int64_t(i));
    begins.push_back(room);
    sizes.push_back(in.offsets[i + 1] - in.offsets[i]);
    room += sizes.back();
  }
  using table = table_rows<T, std::size_t>;
  constexpr int threads = 96;
  for (std::size_t most : {std::size_t(3000), std::size_t(100)}) {
    std::vector<T> memory(room, 55), out(expected.values.size(), 55);
    long_row_memory<T> const of{rows.data(), begins.data(), sizes.data(), memory.data(), counts.data()};
    unique_long_rows_team<T, table> const sort{{in.values.data(), in.offsets.data()}, of, most};
    lockstep_league league(sort.scratch_bytes(threads));
    league.run(int(in.rows()), threads, [&](lockstep_league_member const& m) { sort(m); });
    copy_long_rows_kernel<T> const copy{of, {expected.offsets.data(), out.data()}, most};
    league.run(int(in.rows()), threads, [&](lockstep_league_member const& m) { copy(m); });
    auto wanted = expected.values;
    for (std::size_t i = 0; i < in.rows(); ++i) {
      if (sizes[i] <= most) {
        EXPECT_EQ(counts[i], expected.offsets[i + 1] - expected.offsets[i]) << i;
      } else {
        std::fill(wanted.begin() + std::ptrdiff_t(expected.offsets[i]),
                  wanted.begin() + std::ptrdiff_t(expected.offsets[i + 1]), T(55));
      }
    }
    EXPECT_EQ(out, wanted);
  }
}

/// Keys with values beside them.
TEST(sort_by_network, moves_what_belongs_to_the_elements) {
  for (std::int64_t n : {0, 1, 2, 5, 31, 32, 33, 100}) {
    auto keys = row_table::row_of<int>(row_table::pattern::few_values, std::size_t(n));
    auto const original = keys;
    std::vector<int> numbers(keys.size());
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = int(k);
    auto const compare = [&](std::int64_t a, std::int64_t b) {
      auto const i = std::size_t(a), j = std::size_t(b);
      if (keys[j] < keys[i] || (keys[j] == keys[i] && numbers[j] < numbers[i])) {
        std::swap(keys[i], keys[j]);
        std::swap(numbers[i], numbers[j]);
      }
    };
    upsweep::internal::sort_by_network(n, 0, 1, compare, [] {});
    for (std::size_t k = 0; k < keys.size(); ++k) {
      EXPECT_EQ(keys[k], original[std::size_t(numbers[k])]);
      if (k > 0) {
        EXPECT_TRUE(keys[k - 1] < keys[k] || (keys[k - 1] == keys[k] && numbers[k - 1] < numbers[k]));
      }
    }
  }
}

}  // namespace
