// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/memory/mailbox.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using space_type = Kokkos::DefaultExecutionSpace;
using mailbox = upsweep::internal::mailbox<space_type>;

struct multiples {
  std::uint64_t* to;
  std::uint64_t factor;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = static_cast<std::uint64_t>(i) * factor; }
};

void fill(space_type const& space, std::uint64_t* to, int n, std::uint64_t factor) {
  Kokkos::parallel_for("fill", upsweep::internal::index_policy(space, n), multiples{to, factor});
}

TEST(mailbox, brings_what_kernels_wrote) {
  space_type const space;
  constexpr int all = int(upsweep::internal::mailbox_bytes / sizeof(std::uint64_t));
  mailbox box;
  EXPECT_FALSE(box.is_in_use());
  fill(space, box.place<std::uint64_t>(), all, 3);
  EXPECT_TRUE(box.is_in_use());
  std::vector<std::uint64_t> found(all + 1, 7);
  box.take(space, found.data(), all, "test");
  for (int i = 0; i < all; ++i) EXPECT_EQ(found[std::size_t(i)], std::uint64_t(3 * i));
  EXPECT_EQ(found.back(), 7u);
}

TEST(mailbox, calls_at_once_have_one_each) {
  space_type const space;
  mailbox a, b;
  fill(space, a.place<std::uint64_t>(), 2, 10);
  fill(space, b.place<std::uint64_t>(), 2, 20);
  ASSERT_NE(a.place<void>(), b.place<void>());
  std::uint64_t of_a[2] = {}, of_b[2] = {};
  a.take(space, of_a, 2, "test");
  b.take(space, of_b, 2, "test");
  EXPECT_EQ(of_a[1], 10u);
  EXPECT_EQ(of_b[1], 20u);
}

TEST(mailbox, memory_that_came_back_is_lent_again_and_no_other) {
  std::byte* const first = upsweep::internal::lend_mailbox();
  std::byte* const second = upsweep::internal::lend_mailbox();
  EXPECT_NE(first, second);
  upsweep::internal::take_mailbox_back(first);
  EXPECT_EQ(upsweep::internal::lend_mailbox(), first);
  upsweep::internal::take_mailbox_back(second);
  upsweep::internal::take_mailbox_back(first);
}

}  // namespace
