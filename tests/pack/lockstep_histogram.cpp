// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The histogram of GPUs on a CPU: its kernel with lockstep lanes, for warps of 32, for wavefronts of 64, and for
// threads without either.

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/pack/detail/histogram/histogram_kernel.hpp>
#include <upsweep/pack/detail/histogram/histogram_teams.hpp>
#include <upsweep/pack/detail/histogram/histogram_tuning.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_league.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace upsweep::internal;
using namespace upsweep::pack::detail;
using namespace upsweep::scan::detail;
using upsweep::internal::contiguous_sequence;
using upsweep::internal::strided_sequence;
using upsweep::team::testing::lockstep_lanes;
using upsweep::team::testing::lockstep_league;
using upsweep::team::testing::lockstep_league_member;

/// 256 threads, up to 32 columns in 2048 words.
using shape = histogram_shape<256, 2, 3, 32, 2048, 4>;

TEST(lockstep_histogram, columns_by_bins) {
  EXPECT_EQ(shape::columns_for(1), 32);
  EXPECT_EQ(shape::columns_for(64), 32);
  EXPECT_EQ(shape::columns_for(65), 16);
  EXPECT_EQ(shape::columns_for(512), 4);
  EXPECT_EQ(shape::columns_for(1024), 2);
  EXPECT_EQ(shape::columns_for(1025), 1);
  EXPECT_EQ(shape::columns_for(2048), 1);
  EXPECT_EQ(shape::columns_for(2049), 0);
}

// Kokkos refuses a launch that asks for more teams on a multiprocessor than it has scratch for. Two teams of 39 KB were
// asked for, which a GPU with 64 KiB has no room for.
TEST(lockstep_histogram, asks_for_teams_that_scratch_has_room_for) {
  using of_gpu = histogram_teams<Kokkos::DefaultExecutionSpace, bin_of_element<contiguous_sequence<int const>>,
                                 counters<std::uint32_t>>;
  constexpr std::size_t KiB = 1024;
  EXPECT_EQ(of_gpu::resident_teams(64 * KiB), 1);
  EXPECT_EQ(of_gpu::resident_teams(96 * KiB), 2);
  EXPECT_EQ(of_gpu::resident_teams(228 * KiB), histogram_tuning::gpu::teams);
}

enum class pattern { uniform, one_bin, sorted, runs, none };
constexpr pattern patterns[] = {pattern::uniform, pattern::one_bin, pattern::sorted, pattern::runs, pattern::none};

/// Bins, and on either side what is none.
template <class T>
std::vector<T> elements(pattern which, std::size_t n, std::size_t bins) {
  std::vector<T> in(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t const random = (i + 1) * 0x9e3779b97f4a7c15u >> 33;
    switch (which) {
      case pattern::one_bin: in[i] = static_cast<T>(bins / 2); break;
      case pattern::sorted: in[i] = static_cast<T>(i * bins / n); break;
      case pattern::runs: in[i] = static_cast<T>(((i / 37) * 0x9e3779b97f4a7c15u >> 33) % bins); break;
      case pattern::none: in[i] = static_cast<T>(-1); break;
      default: in[i] = static_cast<T>(random % (bins + 3)) - static_cast<T>(random % 7 == 0); break;
    }
  }
  return in;
}

template <class T>
std::vector<std::uint32_t> expected(std::vector<T> const& in, std::size_t bins) {
  std::vector<std::uint32_t> counts(bins, 0);
  for (T x : in)
    if (!(x < T(0)) && static_cast<std::uint64_t>(x) < bins) ++counts[static_cast<std::size_t>(x)];
  return counts;
}

/// A region, and teams that run one after the other.
template <class Lanes>
class counting {
 public:
  explicit counting(std::uint32_t epoch_limit = largest_epoch) : epoch_limit_(epoch_limit) {}

  look_back_control& control() { return *reinterpret_cast<look_back_control*>(words_.data()); }

  /// Counts `n` elements by `teams` teams, which begin in the order of their ranks or in the opposite one. with_region:
  /// into counts of anything, else into zeros.
  template <class BinOf>
  std::vector<std::uint32_t> run(BinOf const& bin_of, std::size_t n, std::size_t bins, int teams, bool with_region,
                                 bool backwards) {
    using kernel = histogram_kernel<loads_of_bins<BinOf>, counters<std::uint32_t>, shape, Lanes>;
    std::vector<std::uint32_t> counts(bins, with_region || teams == 1 ? 77u : 0u);
    kernel k{loads_of_bins<BinOf>(bin_of, n), {counts.data(), 1}, bins, shape::columns_for(bins), {}};
    k.cleared.control = nullptr;
    if (with_region)
      k.cleared = {&control(), words_.data() + control_words, 1, words_.size() - control_words, epoch_limit_, 1, false};
    for (int i = 0; i < teams; ++i)
      league_.run_team(backwards ? teams - 1 - i : i, teams, kernel::team_size, [&](lockstep_league_member const& m) {
        if (k.columns == 0) k(typename kernel::in_result{}, m);
        else if (k.columns <= shape::columns_of_runs) k(typename kernel::template in_scratch<true>{}, m);
        else k(typename kernel::template in_scratch<false>{}, m);
      });
    return counts;
  }

 private:
  std::uint32_t epoch_limit_;
  lockstep_league league_{16384};
  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(control_words + 64);
};

template <class Lanes>
struct lockstep_histogram_lanes : testing::Test {};
using all_lanes = testing::Types<lockstep_lanes<32>, lockstep_lanes<64>, one_lane>;
TYPED_TEST_SUITE(lockstep_histogram_lanes, all_lanes);

/// Elements of every alignment, side by side and with a stride, and computed.
template <class T, class Lanes>
void check(std::size_t n, std::size_t bins, pattern which) {
  SCOPED_TRACE(std::to_string(sizeof(T)) + " bytes, " + std::to_string(n) + " elements, " + std::to_string(bins) +
               " bins, pattern " + std::to_string(static_cast<int>(which)));
  counting<Lanes> counting;
  auto const in = elements<T>(which, n, bins);
  auto const counts = expected(in, bins);
  bool const region = Lanes::size > 1 && bins <= shape::words;
  for (std::size_t past : {0u, 1u}) {
    std::vector<T> moved(n + past + 16);
    auto* const from = moved.data() + past;
    std::copy(in.begin(), in.end(), from);
    bin_of_element<contiguous_sequence<T const>> const side_by_side{{from}};
    if (bins <= shape::words) {
      EXPECT_EQ(counting.run(side_by_side, n, bins, 1, false, false), counts);
    }
    EXPECT_EQ(counting.run(side_by_side, n, bins, 3, false, false), counts);
    if (region) {
      EXPECT_EQ(counting.run(side_by_side, n, bins, 3, true, past == 1), counts);
    }
  }
  std::vector<T> spread(2 * n + 1);
  for (std::size_t i = 0; i < n; ++i) spread[2 * i + 1] = in[i];
  bin_of_element<strided_sequence<T const>> const with_stride{{spread.data() + 1, 2}};
  EXPECT_EQ(counting.run(with_stride, n, bins, 2, region, false), counts);
  std::vector<int> calls(n);
  auto const functor = [&in, &calls](std::size_t i) {
    ++calls[i];
    return in[i];
  };
  EXPECT_EQ(counting.run(bin_of_index<decltype(functor)>{functor}, n, bins, 2, region, true), counts);
  EXPECT_EQ(calls, std::vector<int>(n, 1));
}

TYPED_TEST(lockstep_histogram_lanes, all_ways_of_counting) {
  for (pattern which : patterns)
    for (std::size_t bins : {1u, 64u, 65u, 256u, 257u, 2048u, 2049u}) {
      check<int, TypeParam>(10007, bins, which);
      check<std::int64_t, TypeParam>(3001, bins, which);
    }
  check<std::uint8_t, TypeParam>(20011, 200, pattern::uniform);
  check<std::int16_t, TypeParam>(9999, 300, pattern::runs);
}

TYPED_TEST(lockstep_histogram_lanes, lengths_around_loads_and_stretches) {
  constexpr std::size_t stretch = 3 * 4 * TypeParam::size, all = stretch * (256 / TypeParam::size);
  for (std::size_t n : {std::size_t(0), std::size_t(1), std::size_t(3), std::size_t(4), std::size_t(5), stretch - 1,
                        stretch, stretch + 1, all - 1, all, all + 1, 3 * all - 1, 3 * all, 3 * all + 5})
    check<int, TypeParam>(n, 64, pattern::uniform);
}

/// The region serves the next call, whatever its number of teams, and also when the epochs run out.
TEST(lockstep_histogram, region_is_left_ready) {
  for (std::uint32_t limit : {largest_epoch, 2u}) {
    counting<lockstep_lanes<32>> counting(limit);
    auto const in = elements<int>(pattern::uniform, 5000, 100);
    auto const counts = expected(in, 100);
    bin_of_element<contiguous_sequence<int const>> const bins{{in.data()}};
    for (int call = 0; call < 7; ++call) {
      EXPECT_EQ(counting.run(bins, in.size(), 100, 2 + call % 3, true, call % 2 == 0), counts);
      EXPECT_EQ(counting.control().ticket, 0u);
      EXPECT_EQ(counting.control().finished, 0u);
      EXPECT_EQ(counting.control().epoch,
                limit == 2 ? static_cast<std::uint64_t>((call + 1) % 3) : static_cast<std::uint64_t>(call + 1));
    }
  }
}

}  // namespace
