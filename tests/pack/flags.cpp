// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Elements that flags choose, instead of a predicate.

#include "moving.hpp"

#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/pack/partition_copy.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace {

template <class Flag>
struct flagged {
  std::vector<int> in, chosen, rest;
  std::vector<Flag> flags;

  /// every: one of so many is chosen; 0 none.
  flagged(std::size_t n, int every) : in(oracle::random_values<int>(n, -1000, 1000)) {
    auto const picks = oracle::random_values<int>(n, 0, 1 << 20, unsigned(n) + 7);
    for (std::size_t i = 0; i < n; ++i) {
      bool const is_chosen = every != 0 && picks[i] % every == 0;
      // Any value but 0 chooses: also one that the low byte does not show.
      flags.push_back(is_chosen ? static_cast<Flag>(sizeof(Flag) > 1 && i % 2 == 0 ? Flag(256) : Flag(1)) : Flag(0));
      (is_chosen ? chosen : rest).push_back(in[i]);
    }
  }
  auto device_in() const { return oracle::to_device(in); }
  auto device_flags() const {
    Kokkos::View<Flag*, oracle::memory> const device("flags", flags.size());
    oracle::host_copy const host(device);
    for (std::size_t i = 0; i < flags.size(); ++i) host(i) = flags[i];
    host.write();
    return device;
  }
};

template <class Flag>
class flags : public testing::Test {};
using flag_types = testing::Types<bool, unsigned char, std::int32_t>;
TYPED_TEST_SUITE(flags, flag_types);

TYPED_TEST(flags, compact_takes_the_flagged_elements) {
  oracle::space const space;
  upsweep::workspace ws(space);
  for (std::size_t n : moving::sizes())
    for (int every : {0, 1, 3}) {
      flagged<TypeParam> const data(n, every);
      auto const out = moving::guarded<int>(data.chosen.size());
      upsweep::flagged const chosen_by{data.device_flags()};
      ASSERT_EQ(upsweep::compact(space, data.device_in(), chosen_by, out, {.workspace = &ws}), data.chosen.size()) << n;
      ASSERT_EQ(oracle::to_host(out), moving::with_guard(data.chosen)) << n;
    }
}

std::vector<int> joined(std::vector<int> front, std::vector<int> const& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

TEST(flag_calls, partitions) {
  oracle::space const space;
  upsweep::workspace ws(space);
  upsweep::call_options const options{.workspace = &ws};
  for (std::size_t n : {0, 1, 64, 65, 4097, 100003}) {
    flagged<unsigned char> const data(n, 3);
    auto const in = data.device_in();
    auto const choice = data.device_flags();
    Kokkos::View<int*, oracle::memory> const out("out", n), chosen("chosen", data.chosen.size()),
        rest("rest", data.rest.size());
    auto const expect_counts = [&](Kokkos::Array<std::uint64_t, 2> const& found) {
      ASSERT_EQ(found[0], data.chosen.size()) << "n = " << n;
      ASSERT_EQ(found[1], data.rest.size());
    };
    expect_counts(upsweep::partition(space, in, upsweep::flagged{choice}, out, options));
    EXPECT_EQ(oracle::to_host(out), joined(data.chosen, data.rest));
    expect_counts(upsweep::partition_rest_reversed(space, in, upsweep::flagged{choice}, out, options));
    EXPECT_EQ(oracle::to_host(out), joined(data.chosen, {data.rest.rbegin(), data.rest.rend()}));
    expect_counts(upsweep::partition_copy(space, in, upsweep::flagged{choice}, chosen, rest, options));
    EXPECT_EQ(oracle::to_host(chosen), data.chosen);
    EXPECT_EQ(oracle::to_host(rest), data.rest);
    Kokkos::View<std::size_t*, oracle::memory> const counts("counts", 2);
    upsweep::partition(space, in, upsweep::flagged{choice}, out, counts, options);
    EXPECT_EQ(oracle::to_host(counts), (std::vector<std::uint64_t>{data.chosen.size(), data.rest.size()}));
    EXPECT_EQ(oracle::to_host(out), joined(data.chosen, data.rest));
  }
}

TEST(flag_calls, strided_flags_and_a_count_on_the_device) {
  oracle::space const space;
  std::size_t const n = 10007;
  flagged<int> const data(n, 4);
  moving::columns<int> const table(data.flags);
  Kokkos::View<std::size_t, oracle::memory> const count("count");
  Kokkos::View<int*, oracle::memory> const out("out", n);
  auto const in = data.device_in();
  upsweep::compact(space, in, upsweep::flagged{table.from()}, out, count);
  ASSERT_EQ(oracle::value_of(count), data.chosen.size());
  EXPECT_EQ(moving::first(oracle::to_host(out), data.chosen.size()), data.chosen);
  upsweep::flagged const chosen_by{table.from()};
  moving::expect_asynchronous([&](auto const& o) { upsweep::compact(space, in, chosen_by, out, count, o); });
}

/// The elements may be their own flags.
TEST(flag_calls, flags_that_are_the_input) {
  oracle::space const space;
  auto const in = oracle::to_device(std::vector<int>{0, 3, 0, 0, -1, 7});
  Kokkos::View<int*, oracle::memory> const out("out", 3);
  EXPECT_EQ(upsweep::compact(space, in, upsweep::flagged{in}, out), 3u);
  EXPECT_EQ(oracle::to_host(out), (std::vector<int>{3, -1, 7}));
}

TEST(flag_calls, bad_arguments) {
  oracle::space const space;
  moving::ranges const part;
  auto const chosen_by = [&](int begin, int end) { return upsweep::flagged{part(begin, end)}; };
  EXPECT_THROW(upsweep::compact(space, part(0, 100), chosen_by(150, 250), part(100, 200)), upsweep::precondition_error);
  EXPECT_THROW(upsweep::compact(space, part(0, 100), chosen_by(200, 300), part(50, 150)), upsweep::precondition_error);
  EXPECT_THROW(upsweep::partition(space, part(0, 100), chosen_by(199, 299), part(100, 200)),
               upsweep::precondition_error);
  EXPECT_THROW(upsweep::partition_copy(space, part(0, 100), chosen_by(250, 350), part(100, 200), part(200, 300)),
               upsweep::precondition_error);
  try {
    upsweep::compact(space, part(0, 100), chosen_by(200, 299), part(100, 200));
    FAIL() << "nothing thrown";
  } catch (upsweep::precondition_error const& e) {
    EXPECT_EQ(std::string(e.what()), "compact: input has 100 elements, flags has 99");
  }
  EXPECT_EQ(upsweep::compact(space, part(0, 100), chosen_by(200, 300), part(100, 200)), 0u);
}

}  // namespace
