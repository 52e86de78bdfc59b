// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../contracts/tools.hpp"

#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/memory/mailbox.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using space_type = Kokkos::DefaultExecutionSpace;
using upsweep::internal::lend_mailbox;
using upsweep::internal::take_mailbox_back;

struct multiples {
  std::uint64_t* to;
  std::uint64_t factor;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = static_cast<std::uint64_t>(i) * factor; }
};

void fill(space_type const& space, std::uint64_t* to, std::size_t n, std::uint64_t factor) {
  Kokkos::parallel_for("fill", upsweep::internal::index_policy(space, n), multiples{to, factor});
}

/// Of this backend, and with memory that is lent, as on GPUs.
template <class Mailbox>
class mailboxes : public testing::Test {};
using kinds = testing::Types<upsweep::internal::mailbox<space_type>, upsweep::internal::mailbox<space_type, true>>;
TYPED_TEST_SUITE(mailboxes, kinds);

TYPED_TEST(mailboxes, bring_what_kernels_wrote) {
  space_type const space;
  constexpr std::size_t all = upsweep::internal::mailbox_bytes / sizeof(std::uint64_t);
  TypeParam box(space);
  EXPECT_FALSE(box.is_in_use());
  fill(space, box.template place<std::uint64_t>(), all, 3);
  EXPECT_TRUE(box.is_in_use());
  std::vector<std::uint64_t> found(all + 1, 7);
  box.take(found.data(), all, "test");
  for (std::size_t i = 0; i < all; ++i) EXPECT_EQ(found[i], 3 * i);
  EXPECT_EQ(found.back(), 7u);
}

TYPED_TEST(mailboxes, of_calls_at_once_are_apart) {
  space_type const space;
  TypeParam a(space), b(space);
  fill(space, a.template place<std::uint64_t>(), 2, 10);
  fill(space, b.template place<std::uint64_t>(), 2, 20);
  std::uint64_t of_a[2] = {}, of_b[2] = {};
  a.take(of_a, 2, "test");
  b.take(of_b, 2, "test");
  EXPECT_EQ(of_a[1], 10u);
  EXPECT_EQ(of_b[1], 20u);
}

TEST(mailbox, memory_that_came_back_is_lent_again_and_no_other) {
  std::byte* const first = lend_mailbox();
  std::byte* const second = lend_mailbox();
  EXPECT_NE(first, second);
  take_mailbox_back(first);
  EXPECT_EQ(lend_mailbox(), first);
  take_mailbox_back(second);
  take_mailbox_back(first);
}

/// A kernel of that call may still write: so the instance is waited for.
TEST(mailbox, memory_of_a_call_that_threw_is_lent_again) {
  space_type const space;
  std::byte* const expected = lend_mailbox();
  take_mailbox_back(expected);
  contracts::recorder const seen;
  for (int call = 0; call < 3; ++call) {
    contracts::recorder::clear();
    try {
      upsweep::internal::mailbox<space_type, true> box(space);
      EXPECT_EQ(box.place<std::byte>(), expected);
      throw std::runtime_error("of a step behind place()");
    } catch (std::runtime_error const&) {
    }
    EXPECT_EQ(contracts::recorder::fences(), std::vector<std::string>{"upsweep::mailbox::unread"});
  }
}

TEST(mailbox, that_nobody_asked_for_a_place_waits_for_nothing) {
  space_type const space;
  contracts::recorder const seen;
  {
    upsweep::internal::mailbox<space_type, true> const box(space);
  }
  EXPECT_TRUE(contracts::recorder::fences().empty());
}

}  // namespace
