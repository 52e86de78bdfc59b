// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Lists that CPU threads make with one call per row (pack/detail/lists/kept_lists.hpp), where it is hard: a thread that
// stands still, rows that no stack has room for, values that are too short, a functor that is not pure.

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/detail/lists/kept_lists.hpp>
#include <upsweep/pack/detail/lists/row_errors.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace {

using upsweep::pack::detail::kept_groups;
using upsweep::pack::detail::list_rows;
using access = upsweep::internal::access;

/// Row i has length(i) records. The call for row `slow` takes a while. Calls are counted.
struct rows_of {
  std::size_t (*length)(std::size_t);
  std::atomic<int>* calls;
  std::size_t slow, impure;
  void operator()(std::size_t i, upsweep::emitter<int> const& emit) const {
    int const call = calls[i].fetch_add(1);
    if (i == slow && call == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::size_t const n = length(i) + (i == impure && call > 0 ? 1 : 0);
    for (std::size_t k = 0; k < n; ++k) emit(static_cast<int>(1000 * i + k));
  }
};

constexpr std::size_t none = ~std::size_t(0);

struct result {
  std::vector<std::size_t> offsets;
  std::vector<int> values;
  std::vector<int> calls;
  std::size_t given_up = 0;
  std::string error;
};

/// All rows in groups of `size`, by so many threads of the test's own.
result pack(std::size_t rows, std::size_t size, std::size_t (*length)(std::size_t), std::size_t room, int threads,
            std::size_t slow = none, std::size_t impure = none) {
  Kokkos::DefaultHostExecutionSpace const space;
  upsweep::workspace memory(space);
  access::reserve(memory, space, 0);
  std::vector<std::atomic<int>> calls(rows);
  result r;
  r.offsets.assign(rows + 1, none);
  r.values.assign(room + 10, -1);
  rows_of const functor{length, calls.data(), slow, impure};
  list_rows<int, rows_of> const list{
      functor, r.offsets.data(), r.values.data(), room, access::errors(memory, space), upsweep::pack::detail::no_bound};
  kept_groups groups(list.calls(), 0, rows, size, 0);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) all.emplace_back([&] { groups.run(); });
  for (auto& t : all) t.join();
  r.offsets[rows] = groups.finish();
  for (std::size_t g = 0; g < groups.count(); ++g)
    if (!groups.is_placed(g)) {
      groups.complete_offsets(g);
      groups.put_again(g);
      ++r.given_up;
    }
  for (auto const& c : calls) r.calls.push_back(c.load());
  try {
    upsweep::pack::detail::throw_row_error(access::take_error(memory, space), "pack");
  } catch (upsweep::error const& e) {
    r.error = e.what();
  }
  return r;
}

void expect_right(result const& r, std::size_t (*length)(std::size_t), std::size_t room) {
  std::size_t at = 0;
  for (std::size_t i = 0; i + 1 < r.offsets.size(); ++i) {
    ASSERT_EQ(r.offsets[i], at) << i;
    for (std::size_t k = 0; k < length(i); ++k, ++at) {
      if (at >= room) continue;
      ASSERT_EQ(r.values[at], static_cast<int>(1000 * i + k)) << i;
    }
  }
  ASSERT_EQ(r.offsets.back(), at);
  for (std::size_t k = std::min(at, room); k < r.values.size(); ++k) ASSERT_EQ(r.values[k], -1) << k;
}

std::size_t few(std::size_t i) { return i % 8; }
/// Some are more than a stack keeps.
std::size_t many(std::size_t i) { return i % 50 == 7 ? 20000 : i % 3; }
std::size_t no_records(std::size_t) { return 0; }

TEST(kept_lists, one_thread_calls_each_row_once) {
  for (std::size_t rows : {1u, 2u, 63u, 64u, 65u, 5000u})
    for (std::size_t size : {1u, 7u, 64u}) {
      if (rows > size * kept_groups::most) continue;
      auto const r = pack(rows, size, few, 20000, 1);
      expect_right(r, few, 20000);
      EXPECT_EQ(r.given_up, 0u);
      EXPECT_EQ(r.calls, std::vector<int>(rows, 1));
    }
}

TEST(kept_lists, threads_make_the_same_lists) {
  for (int threads : {2, 4, 8})
    for (int again = 0; again < 20; ++again) {
      expect_right(pack(5000, 7, few, 20000, threads), few, 20000);
      expect_right(pack(300, 3, many, 200000, threads), many, 200000);
      expect_right(pack(2000, 3, no_records, 0, threads), no_records, 0);
    }
}

TEST(kept_lists, too_little_room_leaves_out_what_is_behind_it) {
  for (std::size_t room : {0u, 1u, 1000u, 17499u})
    for (int threads : {1, 4}) {
      expect_right(pack(5000, 7, few, room, threads), few, room);
      expect_right(pack(300, 3, many, room, threads), many, room);
    }
}

TEST(kept_lists, nobody_waits_for_a_thread_that_stands_still) {
  auto const r = pack(5000, 7, few, 20000, 3, 100);
  expect_right(r, few, 20000);
  EXPECT_GT(r.given_up, 0u);  // the others were through long before
}

TEST(kept_lists, a_row_that_differs_when_it_is_called_again_is_named) {
  auto const r = pack(300, 3, many, 200000, 2, none, 57);  // too long to be kept
  EXPECT_EQ(r.error, "pack: row 57 emitted a different number of records in the second pass; functors must be pure");
}

/// Elements whose bytes are not copied are counted alone.
struct not_bytes {
  int value = 0;
  not_bytes() = default;
  not_bytes(not_bytes const& other) : value(other.value) {}
  not_bytes& operator=(not_bytes const&) = default;
};
struct two_huge_rows {
  std::size_t from;
  void operator()(std::size_t i, upsweep::emitter<not_bytes> const& emit) const {
    if (i >= from && emit.counts_only()) emit.add(std::size_t(1) << 63);
  }
};

TEST(kept_lists, sums_saturate_in_one_group_as_in_two) {
  Kokkos::DefaultHostExecutionSpace const space;
  upsweep::workspace memory(space);
  access::reserve(memory, space, 0);
  for (std::size_t const size : {1, 4, 10}) {
    std::vector<std::size_t> offsets(11);
    two_huge_rows const functor{8};
    list_rows<not_bytes, two_huge_rows> const list{
        functor, offsets.data(), nullptr, 0, access::errors(memory, space), upsweep::pack::detail::no_bound};
    kept_groups groups(list.calls(), 0, 10, size, 0);
    groups.run();
    EXPECT_EQ(groups.finish(), none) << size;
  }
}

}  // namespace
