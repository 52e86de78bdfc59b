// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/views.hpp"

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/index.hpp>
#include <upsweep/base/label.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/base/workspace.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace {

template <class Monoid, class T>
void check_identity(Monoid const& op, std::initializer_list<T> values) {
  for (T v : values) {
    EXPECT_EQ(op(op.identity(), v), v);
    EXPECT_EQ(op(v, op.identity()), v);
  }
}

TEST(monoid, identities_are_neutral) {
  using limits = std::numeric_limits<int>;
  auto const ints = {0, 1, -7, limits::max(), limits::min()};
  check_identity(upsweep::plus<int>{}, ints);
  check_identity(upsweep::times<int>{}, {0, 1, -7});
  check_identity(upsweep::min<int>{}, ints);
  check_identity(upsweep::max<int>{}, ints);
  check_identity(upsweep::bit_and<int>{}, ints);
  check_identity(upsweep::bit_or<int>{}, ints);
  check_identity(upsweep::bit_xor<int>{}, ints);
  check_identity(upsweep::logical_and<bool>{}, {true, false});
  check_identity(upsweep::logical_or<bool>{}, {true, false});
  auto const inf = std::numeric_limits<double>::infinity();
  check_identity(upsweep::min<double>{}, {-inf, 0.5, inf});
  check_identity(upsweep::max<double>{}, {-inf, 0.5, inf});
}

TEST(monoid, saturation_is_associative) {
  upsweep::saturating_plus const op;
  std::uint64_t const top = ~std::uint64_t(0), half = std::uint64_t(1) << 63;
  for (auto a : {std::uint64_t(0), std::uint64_t(5), half, top})
    for (auto b : {std::uint64_t(1), half, top})
      for (auto c : {std::uint64_t(0), half, top}) EXPECT_EQ(op(op(a, b), c), op(a, op(b, c)));
  EXPECT_EQ(op(half, half), top);
}

static_assert(std::is_same_v<upsweep::resolved_monoid<upsweep::plus<>, long>, upsweep::plus<long>>);
static_assert(std::is_same_v<upsweep::resolved_monoid<upsweep::max<int>, long>, upsweep::max<int>>);
static_assert(upsweep::detail::widens<int, long>() && upsweep::detail::widens<int, std::size_t>() && upsweep::detail::widens<int, double>());
static_assert(!upsweep::detail::widens<long, int>() && !upsweep::detail::widens<double, float>() && !upsweep::detail::widens<unsigned, int>() &&
              !upsweep::detail::widens<int, float>());

TEST(index, narrow_names_quantity_and_value) {
  EXPECT_EQ(upsweep::narrow<int>(std::size_t(7), "f", "rows"), 7);
  try {
    upsweep::narrow<int>(std::size_t(1) << 31, "f", "rows");
    FAIL() << "2^31 fits in no int";
  } catch (upsweep::overflow_error const& e) {
    EXPECT_STREQ(e.what(), "f: rows = 2147483648 does not fit in 32 bits");
  }
  EXPECT_THROW(upsweep::checked_multiply(std::size_t(1) << 60, 32, "f", "bytes"), upsweep::overflow_error);
  EXPECT_EQ(upsweep::divide_up(10, 3), 4);
}

TEST(error, kinds_give_their_types_back) {
  EXPECT_THROW(upsweep::throw_error(upsweep::error_kind::overflow, "x"), upsweep::overflow_error);
  EXPECT_THROW(upsweep::throw_error(upsweep::error_kind::input, "x"), upsweep::input_error);
  try {
    upsweep::throw_error(upsweep::error_kind::unknown, "x");
  } catch (upsweep::error const& e) {
    EXPECT_EQ(e.kind(), upsweep::error_kind::unknown);
  }
}

TEST(label, names_function_part_and_caller) {
  EXPECT_EQ(upsweep::label("scan", "reduce"), "upsweep::scan::reduce");
  EXPECT_EQ(upsweep::label("scan", "reduce", "bins"), "upsweep::scan::reduce[bins]");
}

TEST(workspace, grows_zeroed_and_stays_with_its_instance) {
  oracle::space const space;
  upsweep::workspace ws(space);
  EXPECT_EQ(ws.size_bytes(), 0u);
  auto* const bytes = ws.reserve(space, 1000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes) % 256 % alignof(std::max_align_t), 0u);
  auto const held = ws.size_bytes();
  EXPECT_GE(held, 1000u);
  EXPECT_EQ(ws.reserve(space, 500), bytes);
  EXPECT_EQ(ws.size_bytes(), held);
  Kokkos::View<unsigned char*, oracle::memory, Kokkos::MemoryUnmanaged> const view(reinterpret_cast<unsigned char*>(bytes), 1000);
  for (auto b : oracle::to_host(view)) ASSERT_EQ(b, 0);
  auto const others = Kokkos::Experimental::partition_space(space, 1, 1);
  if (!(others[0] == space)) {
    EXPECT_THROW(ws.reserve(others[0], 1), upsweep::precondition_error);
  }
}

TEST(allocate, impossible_sizes_are_named) {
  try {
    upsweep::allocate<double, oracle::memory>(oracle::space{}, std::size_t(1) << 58, "f", "values");
    FAIL() << "2^61 bytes were had";
  } catch (upsweep::out_of_memory_error const& e) {
    EXPECT_NE(std::string(e.what()).find("f: 2305843009213693952 bytes for values"), std::string::npos) << e.what();
  }
}

}  // namespace
