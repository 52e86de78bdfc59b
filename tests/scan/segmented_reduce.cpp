// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Reductions of segments: the public call on this backend, and the kernels of GPUs with lockstep lanes.

#include "../contracts/tools.hpp"
#include "../oracle/values.hpp"
#include "../oracle/message_of.hpp"
#include "../oracle/views.hpp"
#include "lockstep.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/segmented_reduce.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using oracle::exact_values;
using upsweep::plus;
using upsweep::segment_offsets;

/// Offsets of segments of about `mean` elements, of which some are empty and some are 100 times as long.
template <class Offset>
std::vector<Offset> offsets_of(std::size_t n, std::size_t mean, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<Offset> offsets{0};
  for (std::size_t at = 0; at < n;) {
    std::size_t length = random() % (2 * mean + 1);
    if (random() % 4 == 0) length = 0;
    if (random() % 64 == 0) length *= 100;
    at = std::min(n, at + length);
    offsets.push_back(static_cast<Offset>(at));
  }
  offsets.push_back(static_cast<Offset>(n));  // an empty one, too
  return offsets;
}

template <class Monoid>
struct segmented_reduce : testing::Test {};
using monoids = testing::Types<plus<std::int32_t>, plus<double>, oracle::affine_maps>;
TYPED_TEST_SUITE(segmented_reduce, monoids);

TYPED_TEST(segmented_reduce, is_what_a_loop_finds) {
  using T = typename TypeParam::value_type;
  oracle::space const space;
  upsweep::workspace ws(space);
  for (std::size_t n : {0u, 1u, 2u, 63u, 1000u, 32767u, 32768u, 65537u, 1000003u})
    for (std::size_t mean : {1u, 7u, 120u, 400u, 600u, 1100u, 3000u, 40000u, 100000000u}) {
      SCOPED_TRACE(testing::Message() << n << " elements, segments of " << mean);
      auto const in = exact_values<T>(n);
      auto const offsets = offsets_of<std::int64_t>(n, mean);
      Kokkos::View<T*, oracle::memory> const out("out", offsets.size() - 1);
      upsweep::segmented_reduce(space, oracle::to_device(in), segment_offsets{oracle::to_device(offsets)}, out,
                                TypeParam{}, {.workspace = &ws});
      ws.check(space);
      ASSERT_TRUE(oracle::to_host(out) == oracle::segment_folds(TypeParam{}, in, offsets));
    }
}

struct squares {
  KOKKOS_FUNCTION std::int64_t operator()(std::size_t i) const { return static_cast<std::int64_t>(i * i); }
};

TEST(segmented_reduce_calls, functors_strided_views_and_narrow_offsets) {
  oracle::space const space;
  std::size_t const n = 100003;
  auto const offsets = offsets_of<std::int32_t>(n, 30);
  std::vector<std::int64_t> in(n);
  for (std::size_t i = 0; i < n; ++i) in[i] = squares{}(i);
  Kokkos::View<std::int64_t**, Kokkos::LayoutRight, oracle::memory> const table("table", offsets.size() - 1, 3);
  auto const out = Kokkos::subview(table, Kokkos::ALL, 1);
  upsweep::segmented_reduce(space, n, squares{}, segment_offsets{oracle::to_device(offsets)}, out,
                            upsweep::max<std::int64_t>{});
  EXPECT_EQ(oracle::to_host(out), oracle::segment_folds(upsweep::max<std::int64_t>{}, in, offsets));
}

TEST(segmented_reduce_calls, the_same_bits_in_each_call) {
  oracle::space const space;
  std::size_t const n = 1000003;
  auto const device = oracle::to_device(oracle::reciprocals(n));
  auto const offsets = oracle::to_device(offsets_of<std::int64_t>(n, 3000));
  auto const once = [&] {
    Kokkos::View<double*, oracle::memory> const out("out", offsets.extent(0) - 1);
    upsweep::segmented_reduce(space, device, segment_offsets{offsets}, out);
    return oracle::to_host(out);
  };
  auto const first = once();
  for (int k = 0; k < 5; ++k) ASSERT_EQ(std::memcmp(first.data(), once().data(), first.size() * sizeof(double)), 0);
}

TEST(segmented_reduce_calls, bad_arguments) {
  oracle::space const space;
  Kokkos::View<int*, oracle::memory> const in("in", 10), out("out", 3), none("none", 0);
  auto const offsets = oracle::to_device(std::vector<int>{0, 2, 2, 10});
  upsweep::segmented_reduce(space, in, segment_offsets{offsets}, out);
  EXPECT_THROW(upsweep::segmented_reduce(space, in, segment_offsets{offsets}, in), upsweep::precondition_error);
  EXPECT_THROW(
      upsweep::segmented_reduce(space, in, segment_offsets{offsets}, Kokkos::subview(in, Kokkos::make_pair(0, 3))),
      upsweep::precondition_error);
  EXPECT_THROW(
      upsweep::segmented_reduce(space, in, segment_offsets{offsets}, Kokkos::subview(offsets, Kokkos::make_pair(1, 4))),
      upsweep::precondition_error);
  EXPECT_THROW(upsweep::segmented_reduce(space, in, segment_offsets{none}, none), upsweep::precondition_error);
  EXPECT_THROW(
      upsweep::segmented_reduce(space, in, segment_offsets{Kokkos::subview(offsets, Kokkos::make_pair(0, 1))}, none),
      upsweep::precondition_error);
  upsweep::segmented_reduce(space, none, segment_offsets{Kokkos::subview(offsets, Kokkos::make_pair(0, 1))}, none);
}

TEST(segmented_reduce_calls, wrong_offsets_are_named) {
  oracle::space const space;
  Kokkos::View<int*, oracle::memory> const in("in", 100000), out("out", 4);
  for (auto const& wrong : {std::vector<int>{1, 2, 3, 4, 100000},
                            {0, 5, 4, 100000, 100000},
                            {0, -7, 4, 5, 100000},
                            {0, 100001, 100001, 100001, 100000},
                            {0, 1, 2, 3, 99999},
                            {0, 100000, 0, 100000, 100000}}) {
    auto const offsets = oracle::to_device(wrong);
    EXPECT_THROW(upsweep::segmented_reduce(space, in, segment_offsets{offsets}, out), upsweep::precondition_error);
    upsweep::workspace ws(space);
    upsweep::segmented_reduce(space, in, segment_offsets{offsets}, out, plus<>{}, {.workspace = &ws});
    EXPECT_THROW(ws.check(space), upsweep::precondition_error);
    ws.check(space);
  }
  // One among many: threads of a CPU have blocks of elements and segments, and each judges a share of the offsets.
  std::vector<int> many(50001);
  for (std::size_t s = 0; s < many.size(); ++s) many[s] = int(2 * s);
  Kokkos::View<int*, oracle::memory> const sums("sums", 50000);
  upsweep::workspace ws(space);
  for (std::size_t s : {1u, 20000u, 49999u})
    for (int offset : {-1, 100001}) {
      auto wrong = many;
      wrong[s] = offset;
      upsweep::segmented_reduce(space, in, segment_offsets{oracle::to_device(wrong)}, sums, plus<>{},
                                {.workspace = &ws});
      EXPECT_NE(oracle::message_of<upsweep::precondition_error>([&] { ws.check(space); }).find(std::to_string(s)),
                std::string::npos);
    }
  try {
    upsweep::segmented_reduce(space, in, segment_offsets{oracle::to_device(std::vector<int>{0, 5, 4, 3, 100000})}, out);
    FAIL();
  } catch (upsweep::precondition_error const& e) {
    EXPECT_NE(std::string(e.what()).find("segmented_reduce"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("2"), std::string::npos) << e.what();
  }
}

TEST(segmented_reduce_calls, no_fence_and_no_allocation_with_a_workspace) {
  oracle::space const space;
  std::size_t const n = 100003;
  auto const in = oracle::to_device(exact_values<int>(n));
  auto const offsets = oracle::to_device(offsets_of<int>(n, 50));
  Kokkos::View<int*, oracle::memory> const out("out", offsets.extent(0) - 1);
  upsweep::workspace ws(space);
  auto const call = [&] {
    upsweep::segmented_reduce(space, in, segment_offsets{offsets}, out, plus<>{}, {.workspace = &ws});
  };
  contracts::expect_quiet(space, call);
}

// The kernels of GPUs.

using namespace lockstep;

struct short_shapes {
  using shape = upsweep::engine::striped_shape<2, 48, 1>;
  using team_shape = shape;
  static constexpr std::size_t stretch = 4, least_stretch = 4, longest_stretch = 8, longest_of_warp = 700,
                               least_of_warps = 400, enough_warps = 100;
  static constexpr std::size_t most_pieces = 16, most_pieces_of_all = 16, most_blocks = 3;
  static constexpr int together = 4;
};

/// Groups of up to eight warps.
struct large_teams : short_shapes {
  using team_shape = upsweep::engine::striped_shape<8, 32, 1>;
  static constexpr std::size_t least_of_warps = 50;
};

/// Few segments get more lanes than their length asks for.
struct many_lanes : short_shapes {
  static constexpr std::size_t least_stretch = 1;
};

/// Long segments have more pieces than a warp folds at once.
struct many_pieces : short_shapes {
  static constexpr std::size_t most_pieces = 100000, most_pieces_of_all = 100000;
};

template <class Configuration>
struct lockstep_segments : testing::Test {
  using lanes = typename Configuration::lanes;
  using monoid = typename Configuration::monoid;
  using T = typename monoid::value_type;
  using problem =
      upsweep::scan::detail::segment_problem<contiguous_sequence<T const>, contiguous_sequence<std::int64_t const>,
                                             contiguous_sequence<T>, monoid>;
  static constexpr std::uint32_t epoch_limit = 3;
  lockstep_league league{4096, 1};
  std::vector<std::uint64_t> region;
  std::uint64_t error = 0;
  std::vector<T> out;
  bool has_groups_of_warps = false;  // the last call
  int group_bits = 0;

  upsweep::scan::detail::look_back_control& control() {
    return *reinterpret_cast<upsweep::scan::detail::look_back_control*>(region.data());
  }

  /// shift: elements that the values lie behind an address that is a multiple of 16. backwards: the last
  /// team comes first.
  template <class Shapes = short_shapes>
  void run(std::vector<T> const& in, std::vector<std::int64_t> const& offsets, std::size_t shift = 0,
           bool backwards = false) {
    using plan_type = upsweep::scan::detail::segment_plan<problem, Shapes, lanes>;
    std::size_t const segments = offsets.size() - 1, n = in.size();
    std::vector<T> shifted(n + 1 + shift);
    std::copy(in.begin(), in.end(), shifted.begin() + static_cast<std::ptrdiff_t>(shift));
    out.assign(segments, T{});
    problem const p{{shifted.data() + shift}, {offsets.data()}, {out.data()}, {}, segments, n, {&error}};
    plan_type const plan(segments, n);
    std::vector<std::uint64_t> sums(plan.bytes() / sizeof(std::uint64_t) + 1);
    std::size_t const words = plan.region_bytes() / sizeof(std::uint64_t);
    region.resize(std::max(region.size(), words));
    // Words that an earlier call has left.
    auto const epoch = static_cast<std::uint32_t>(control().epoch);
    if (epoch > 0)
      std::fill(region.begin() + upsweep::scan::detail::control_words, region.end(),
                std::uint64_t(77) << 32 |
                    upsweep::scan::detail::stamp::make(epoch - 1, upsweep::scan::detail::tile_status::aggregate));
    auto const run_kernel = [&]<bool ByWarps>(std::bool_constant<ByWarps>) {
      auto const kernel = plan.template kernel_for<ByWarps, oracle::space>(
          p, reinterpret_cast<std::byte*>(sums.data()),
          {reinterpret_cast<std::byte*>(region.data()), sizeof(std::uint64_t) * region.size(), epoch_limit}, 3);
      using kernel_type = std::remove_const_t<decltype(kernel)>;
      // Teams that go on to other segments.
      auto const teams = static_cast<int>(kernel.piece_teams +
                                          upsweep::internal::divide_up<std::size_t>(plan.row_teams(segments, 3), 3));
      for (int team = 0; team < teams; ++team)
        league.run_team(backwards ? teams - 1 - team : team, teams, kernel_type::team_size,
                        [&](lockstep_league_member const& m) { kernel(typename kernel_type::scan{}, m); });
    };
    if (plan.by_warps) run_kernel(std::true_type{});
    else run_kernel(std::false_type{});
    has_groups_of_warps = plan.by_warps;
    group_bits = plan.group_bits;
    EXPECT_EQ(control().finished, 0u);
    EXPECT_EQ(control().epoch, plan.pieces == 0 ? epoch : epoch < epoch_limit ? epoch + 1 : 0);
  }
};
using configurations = testing::Types<configuration<warps, plus<std::int32_t>>, configuration<wavefronts, plus<double>>,
                                      configuration<warps, oracle::affine_maps>>;
TYPED_TEST_SUITE(lockstep_segments, configurations);

TYPED_TEST(lockstep_segments, of_any_length) {
  using T = typename TestFixture::T;
  for (std::size_t n : {1u, 33u, 700u, 5000u, 60001u})
    for (std::size_t mean : {1u, 7u, 120u, 900u, 100000u})
      for (std::size_t shift : {0u, 1u}) {
        SCOPED_TRACE(testing::Message() << n << " elements, segments of " << mean << ", shift " << shift);
        auto const in = exact_values<T>(n);
        auto const offsets = offsets_of<std::int64_t>(n, mean);
        ASSERT_NO_FATAL_FAILURE(this->run(in, offsets, shift));
        ASSERT_EQ(this->error, 0u);
        ASSERT_TRUE(this->out == oracle::segment_folds(typename TestFixture::monoid{}, in, offsets));
      }
}

TYPED_TEST(lockstep_segments, of_few_segments_by_more_lanes) {
  using T = typename TestFixture::T;
  for (std::size_t mean : {2u, 3u, 6u, 17u, 40u}) {
    std::size_t const n = 20 * mean + 1;
    SCOPED_TRACE(testing::Message() << n << " elements, segments of " << mean);
    auto const in = exact_values<T>(n);
    auto const offsets = offsets_of<std::int64_t>(n, mean);
    ASSERT_NO_FATAL_FAILURE(this->run(in, offsets));
    int const bits = this->group_bits;
    ASSERT_NO_FATAL_FAILURE(this->template run<many_lanes>(in, offsets));
    EXPECT_GT(this->group_bits, bits);
    ASSERT_EQ(this->error, 0u);
    ASSERT_TRUE(this->out == oracle::segment_folds(typename TestFixture::monoid{}, in, offsets));
  }
}

// NaN, the two zeros and user operators make the order of operands visible; sums do not.
static_assert(upsweep::scan::detail::commutes<plus<double>> && upsweep::scan::detail::commutes<upsweep::max<int>>);
static_assert(!upsweep::scan::detail::commutes<upsweep::max<double>> &&
              !upsweep::scan::detail::commutes<oracle::affine_maps>);
static_assert(!upsweep::scan::detail::commutes<plus<oracle::affine>>);

/// Of a user, whose member is not the library's business.
struct says_commutes : oracle::affine_maps {
  static constexpr int commutes = 1;
};
static_assert(!upsweep::scan::detail::commutes<says_commutes>);
static_assert(upsweep::scan::detail::commutes<oracle::affine_triple_sums>);

// A warp, two, four and eight of them have a segment: lengths at the ends of rows and blocks, of what a group folds at
// once, and of what is cut into pieces; all of one length, and with empty segments and short ones between.
TYPED_TEST(lockstep_segments, of_groups_of_warps) {
  using T = typename TestFixture::T;
  using plan_type =
      upsweep::scan::detail::segment_plan<typename TestFixture::problem, large_teams, typename TestFixture::lanes>;
  using fold = typename plan_type::template kernel<true>::pieces_type::fold_type;
  std::size_t const row = fold::row_size, block = fold::block_size, most = 8 * large_teams::longest_of_warp;
  std::vector<bool> seen(4);
  std::size_t const least = large_teams::least_of_warps;
  for (std::size_t length : {least, row * 7, block - 1, block + 1, 2 * block, 4 * block - 1, 4 * block, 4 * block + 1,
                             8 * block - 1, 8 * block + 1, most - 1, most, most + 1})
    for (bool mixed : {false, true}) {
      SCOPED_TRACE(testing::Message() << "segments of " << length << (mixed ? " and others" : ""));
      std::vector<std::int64_t> offsets{0};
      for (int s = 0; s < 11; ++s)
        offsets.push_back(offsets.back() + static_cast<std::int64_t>(!mixed || s % 3 == 1 ? length
                                                                     : s % 3 == 0         ? 2 * length - 13
                                                                                          : 0));
      auto const in = exact_values<T>(static_cast<std::size_t>(offsets.back()));
      ASSERT_NO_FATAL_FAILURE(this->template run<large_teams>(in, offsets, mixed ? 1 : 0));
      if (this->has_groups_of_warps) seen[static_cast<std::size_t>(this->group_bits)] = true;
      ASSERT_EQ(this->error, 0u);
      ASSERT_TRUE(this->out == oracle::segment_folds(typename TestFixture::monoid{}, in, offsets));
    }
  EXPECT_TRUE(seen[0] && seen[1] && seen[2] && seen[3]);
}

// The mean length chooses, whatever single lengths are: one very long segment among short ones, and one short
// among long ones.
TYPED_TEST(lockstep_segments, of_very_different_lengths) {
  using T = typename TestFixture::T;
  for (std::size_t at : {std::size_t(0), std::size_t(40), std::size_t(99)})
    for (std::int64_t length : {30000, 90000}) {
      std::vector<std::int64_t> few{0}, many{0};
      for (std::size_t s = 0; s < 100; ++s)
        few.push_back(few.back() + (s == at ? length : static_cast<std::int64_t>(s % 4)));
      for (std::size_t s = 0; s < 100; ++s)
        many.push_back(many.back() + (s == at ? 1 : length / 50 + static_cast<std::int64_t>(s)));
      for (auto const& offsets : {few, many}) {
        auto const in = exact_values<T>(static_cast<std::size_t>(offsets.back()));
        auto const right = oracle::segment_folds(typename TestFixture::monoid{}, in, offsets);
        ASSERT_NO_FATAL_FAILURE(this->run(in, offsets));
        ASSERT_TRUE(this->out == right);
        ASSERT_NO_FATAL_FAILURE(this->template run<large_teams>(in, offsets));
        ASSERT_TRUE(this->out == right);
      }
    }
}

// Which warp ends the last piece of a segment depends on time. Sums that are rounded do not.
using lockstep_segments_of_double = lockstep_segments<configuration<wavefronts, plus<double>>>;
TEST_F(lockstep_segments_of_double, have_the_same_bits_in_any_order) {
  std::vector<std::int64_t> offsets{0};
  for (int s = 0; s < 13; ++s) offsets.push_back(offsets.back() + (s % 4 == 0 ? 160001 + 400 * s : 5));
  std::vector<double> in(static_cast<std::size_t>(offsets.back()));
  std::mt19937 random(2);
  for (double& x : in) x = std::uniform_real_distribution<double>(-1, 1)(random);
  ASSERT_NO_FATAL_FAILURE(run<many_pieces>(in, offsets));
  auto const forwards = out;
  ASSERT_NO_FATAL_FAILURE(run<many_pieces>(in, offsets, 0, true));
  EXPECT_EQ(out, forwards);
  EXPECT_NE(forwards, oracle::segment_folds(monoid{}, in, offsets)) << "the association is to matter";
}

// Nor do addresses: whether elements are loaded in chunks or alone makes no difference.
TEST_F(lockstep_segments_of_double, have_the_same_bits_at_any_address) {
  for (std::int64_t mean : {5, 300, 1500, 7000}) {
    std::vector<std::int64_t> offsets{0};
    for (int s = 0; s < 20; ++s) offsets.push_back(offsets.back() + mean + (s % 3 == 0 ? mean / 2 : -(s % 5)));
    std::vector<double> in(static_cast<std::size_t>(offsets.back()));
    std::mt19937 random(2);
    for (double& x : in) x = std::uniform_real_distribution<double>(-1, 1)(random);
    ASSERT_NO_FATAL_FAILURE(run<large_teams>(in, offsets));
    auto const aligned = out;
    ASSERT_NO_FATAL_FAILURE(run<large_teams>(in, offsets, 1));
    EXPECT_EQ(out, aligned) << mean;
  }
}

// Segments would overlap, so that pieces of some are never done; nothing is read or written elsewhere, and the
// next call is right.
TYPED_TEST(lockstep_segments, wrong_offsets_lead_nowhere) {
  using T = typename TestFixture::T;
  std::int64_t const n = 20000;
  auto const in = exact_values<T>(static_cast<std::size_t>(n));
  for (auto const& wrong :
       {std::vector<std::int64_t>{0, n, 0, n, 0, n, 0, n, n}, {5, n, n}, {0, -3, 7, n}, {0, n + 1, n}, {0, n, n - 1}}) {
    this->error = 0;
    ASSERT_NO_FATAL_FAILURE(this->run(in, wrong));
    EXPECT_NE(this->error, 0u);
    this->error = 0;
    ASSERT_NO_FATAL_FAILURE(this->template run<large_teams>(in, wrong));
    EXPECT_NE(this->error, 0u);
  }
  std::vector<std::int64_t> const right{0, 3, 3, 15000, n};
  ASSERT_NO_FATAL_FAILURE(this->run(in, right));
  ASSERT_TRUE(this->out == oracle::segment_folds(typename TestFixture::monoid{}, in, right));
}

}  // namespace
