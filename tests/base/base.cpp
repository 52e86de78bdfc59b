// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/instances.hpp"
#include "../oracle/views.hpp"

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/monoids/saturating_plus.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/base/workspace.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace {

using upsweep::internal::access;

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
  upsweep::internal::saturating_plus const op;
  std::uint64_t const top = ~std::uint64_t(0), half = std::uint64_t(1) << 63;
  for (auto a : {std::uint64_t(0), std::uint64_t(5), half, top})
    for (auto b : {std::uint64_t(1), half, top})
      for (auto c : {std::uint64_t(0), half, top}) EXPECT_EQ(op(op(a, b), c), op(a, op(b, c)));
  EXPECT_EQ(op(half, half), top);
}

static_assert(std::is_same_v<upsweep::internal::resolved_monoid<upsweep::plus<>, long>, upsweep::plus<long>>);
static_assert(std::is_same_v<upsweep::internal::resolved_monoid<upsweep::max<int>, long>, upsweep::max<int>>);
static_assert(upsweep::internal::widens<int, long>() && upsweep::internal::widens<int, std::size_t>() &&
              upsweep::internal::widens<int, double>());
static_assert(!upsweep::internal::widens<long, int>() && !upsweep::internal::widens<double, float>() &&
              !upsweep::internal::widens<unsigned, int>() && !upsweep::internal::widens<int, float>());

TEST(index, narrow_names_quantity_and_value) {
  EXPECT_EQ(upsweep::internal::narrow<int>(std::size_t(7), "f", "rows"), 7);
  try {
    upsweep::internal::narrow<int>(std::size_t(1) << 31, "f", "rows");
    FAIL() << "2^31 fits in no int";
  } catch (upsweep::overflow_error const& e) {
    EXPECT_STREQ(e.what(), "f: rows = 2147483648 does not fit in 32 bits");
  }
  EXPECT_THROW(upsweep::internal::checked_multiply(std::size_t(1) << 60, 32, "f", "bytes"), upsweep::overflow_error);
  EXPECT_EQ(upsweep::internal::divide_up(10, 3), 4);
}

TEST(error, kinds_give_their_types_back) {
  EXPECT_THROW(upsweep::internal::throw_error(upsweep::error_kind::overflow, "x"), upsweep::overflow_error);
  EXPECT_THROW(upsweep::internal::throw_error(upsweep::error_kind::input, "x"), upsweep::input_error);
  try {
    upsweep::internal::throw_error(upsweep::error_kind::unknown, "x");
  } catch (upsweep::error const& e) {
    EXPECT_EQ(e.kind(), upsweep::error_kind::unknown);
  }
}

TEST(label, names_function_part_and_caller) {
  EXPECT_EQ(upsweep::internal::label("scan", "reduce"), "upsweep::scan::reduce");
  EXPECT_EQ(upsweep::internal::label("scan", "reduce", "bins"), "upsweep::scan::reduce[bins]");
}

/// A negative count at an index, reported on the device.
void report_error(oracle::space const& space, upsweep::internal::error_word errors, std::size_t index) {
  Kokkos::parallel_for(
      "report", Kokkos::RangePolicy<oracle::space>(space, 0, 1),
      KOKKOS_LAMBDA(int) { errors.report(index, upsweep::internal::data_error::negative_count); });
}

TEST(workspace, grows_zeroed_and_stays_with_its_instance) {
  oracle::space const space;
  upsweep::workspace ws(space);
  EXPECT_EQ(ws.size_bytes(), 0u);
  auto* const bytes = access::reserve(ws, space, 1000);
  auto const held = ws.size_bytes();
  EXPECT_GE(held, 1000u);
  EXPECT_EQ(access::reserve(ws, space, 500), bytes);
  EXPECT_EQ(ws.size_bytes(), held);
  Kokkos::View<unsigned char*, oracle::memory, Kokkos::MemoryUnmanaged> const view(
      reinterpret_cast<unsigned char*>(bytes), 1000);
  for (auto b : oracle::to_host(view)) ASSERT_EQ(b, 0);
  if constexpr (oracle::has_instances<oracle::space>) {
    for (auto const& other : oracle::instances<oracle::space>(2))
      EXPECT_THROW(access::reserve(ws, other, 1), upsweep::precondition_error);
  }
}

TEST(workspace, reserved_memory_is_aligned_to_256_bytes) {
  oracle::space const space;
  // Blocks of other sizes between them, so that allocations begin anywhere.
  std::vector<Kokkos::View<char*, oracle::memory>> between;
  for (std::size_t n = 1; n < 40; ++n) {
    upsweep::workspace ws(space);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(access::reserve(ws, space, n * 37)) % 256, 0u) << n;
    EXPECT_EQ(access::result_slot(ws, space) + access::result_bytes <= access::reserve(ws, space, 0), true);
    between.emplace_back("between", n * 64);
  }
}

TEST(workspace, an_error_that_nobody_took_is_not_the_next_calls) {
  oracle::space const space;
  upsweep::workspace ws(space);
  // As by a call that a functor's exception has ended.
  report_error(space, access::errors(ws, space), 3);
  EXPECT_EQ(access::errors(ws, space).word, access::errors(ws, space).word);
  EXPECT_EQ(access::take_error(ws, space), 0u);
  report_error(space, access::errors(ws, space), 5);
  EXPECT_EQ(upsweep::internal::error_word::index(access::take_error(ws, space)), 5u);
}

struct store_results {
  std::uint64_t* to;
  KOKKOS_FUNCTION void operator()(int i) const { to[i] = static_cast<std::uint64_t>(i) + 10; }
};

TEST(workspace, results_come_with_the_error) {
  oracle::space const space;
  upsweep::workspace ws(space);
  constexpr int all = int(access::result_bytes / sizeof(std::uint64_t));
  auto* const slot = reinterpret_cast<std::uint64_t*>(access::result_slot(ws, space));
  report_error(space, access::errors(ws, space), 5);
  Kokkos::parallel_for(Kokkos::RangePolicy<oracle::space>(space, 0, all), store_results{slot});
  std::vector<std::uint64_t> found(std::size_t(all) + 1, 99);
  EXPECT_EQ(upsweep::internal::error_word::index(access::take_error(ws, space, found.data(), std::size_t(all))), 5u);
  for (int i = 0; i < all; ++i) EXPECT_EQ(found[std::size_t(i)], std::uint64_t(i) + 10);
  EXPECT_EQ(found.back(), 99u);
  EXPECT_EQ(access::take_error(ws, space, found.data(), 1), 0u);
  EXPECT_EQ(found[0], 10u);
}

std::string checked(upsweep::workspace& ws) {
  try {
    ws.check(oracle::space{});
    return {};
  } catch (upsweep::precondition_error const& e) {
    return e.what();
  }
}

TEST(workspace, errors_of_asynchronous_calls_name_their_function_and_are_thrown_once) {
  oracle::space const space;
  upsweep::workspace ws(space);
  report_error(space, access::errors(ws, space, "first"), 7);
  report_error(space, access::errors(ws, space, "second"), 4);
  report_error(space, access::errors(ws, space, "first"), 5);
  report_error(space, access::errors(ws, space), 1);
  access::reserve(ws, space, 100000);  // grows
  EXPECT_EQ(upsweep::internal::error_word::index(access::take_error(ws, space)), 1u);
  EXPECT_EQ(checked(ws), "first: counts(5) is negative");
  EXPECT_EQ(checked(ws), "second: counts(4) is negative");
  EXPECT_EQ(checked(ws), "");
  for (int k = 0; k < 5; ++k) access::errors(ws, space, std::to_string(k));
  EXPECT_NO_THROW(access::errors(ws, space, "second"));
  EXPECT_THROW(access::errors(ws, space, "one more"), upsweep::precondition_error);
}

TEST(workspace, errors_survive_growth_that_fails) {
  oracle::space const space;
  upsweep::workspace ws(space);
  report_error(space, access::errors(ws, space, "first"), 7);
  EXPECT_THROW(access::reserve(ws, space, std::size_t(1) << 60), upsweep::out_of_memory_error);
  EXPECT_EQ(checked(ws), "first: counts(7) is negative");
}

TEST(workspace, protocol_memory_is_zeroed_after_a_call_that_did_not_end) {
  oracle::space const space;
  upsweep::workspace ws(space);
  using words = Kokkos::View<std::uint64_t*, oracle::memory, Kokkos::MemoryUnmanaged>;
  auto const begin = [&] {
    return words(reinterpret_cast<std::uint64_t*>(access::begin_protocol(ws, space, 800)), 100);
  };
  Kokkos::deep_copy(begin(), std::uint64_t(9));
  access::end_protocol(ws);
  EXPECT_EQ(oracle::to_host(begin()), std::vector<std::uint64_t>(100, 9));
  EXPECT_EQ(oracle::to_host(begin()), std::vector<std::uint64_t>(100, 0));
}

TEST(allocate, impossible_sizes_are_named) {
  try {
    upsweep::internal::allocate<double, oracle::memory>(oracle::space{}, std::size_t(1) << 58, "f", "values");
    FAIL() << "2^61 bytes were had";
  } catch (upsweep::out_of_memory_error const& e) {
    EXPECT_NE(std::string(e.what()).find("f: 2305843009213693952 bytes for values"), std::string::npos) << e.what();
  }
}

}  // namespace
