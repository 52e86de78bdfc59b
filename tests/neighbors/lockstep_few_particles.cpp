// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The kernels that GPUs build lists of few particles with, on a CPU: with lockstep lanes, for warps of 32 and
// wavefronts of 64, against the plain builder.

#include "lists.hpp"
#include "random_edges.hpp"
#include "shifted_ghosts.hpp"

#include <upsweep/neighbors/detail/builders/few_particles_builder.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_league.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using namespace upsweep::neighbors::detail;
using upsweep::image;
using upsweep::neighbor_options;
using upsweep::team::testing::lockstep_lanes;
using upsweep::team::testing::lockstep_league;
using upsweep::team::testing::lockstep_league_member;

/// As few_particles_builder does it.
template <class Lanes, class Real>
class machine {
  using systems = one_system_on_device<Real>;
  using positions_type = strided_positions<Real>;

 public:
  few_particles_report<Real> report;
  std::vector<std::size_t> offsets;
  std::vector<int> neighbors, first_indices;
  std::vector<image> images;
  std::vector<Real> distances, displacements;

  /// capacity: pairs that there is room for. Teams of the rows start in a shuffled order.
  machine(oracle::positions_view<Real> const& x, std::int64_t rows, upsweep::box<Real> const& box, Real cutoff,
          neighbor_options const& options, std::size_t capacity = ~std::size_t(0)) {
    auto const particles = static_cast<std::int64_t>(x.extent(0));
    auto const n = static_cast<std::size_t>(particles);
    bool const imaged = options.images.given();
    // What was there before is no number of a particle.
    std::vector<int> cell_of(n, -7), order(n, -7), place_of(n, -7);
    std::vector<std::uint64_t> starts(static_cast<std::size_t>(most_cells(particles)) + 1, 7);
    std::vector<Real> at[3] = {std::vector<Real>(n), std::vector<Real>(n), std::vector<Real>(n)};
    std::vector<image> sorted_images(n);
    systems const in{&report.layout.grid, box};
    auto const positions = make_positions(x);
    image const* const of = options.images.data();
    using builder = build_rows_by_warps<Lanes, Real, systems>;
    // Not as many as there would be for so few rows: all numbers have their turn.
    int const parts = std::min(1 << (rows % 3), builder::warps), teams = builder::teams(rows, parts);
    std::vector<std::uint64_t> words(row_sums::words_of(teams), 7);
    row_sums const sums{words.data(), teams};
    bin_in_each_team<Lanes, positions_type, Real> const bin{
        {{positions, box, of, rows}, {radius_bins(double(cutoff)), nullptr}, n},
        {box, imaged, cutoff, particles},
        &report,
        {options.ids.wide().data(), of},
        {at[0].data(), at[1].data(), at[2].data(), imaged ? sorted_images.data() : nullptr, order.data(),
         place_of.data(), cell_of.data(), starts.data()},
        sums};
    run(bin.teams(), bin);
    binned_particles<Real, systems> p{in};
    p.cutoff_squared = largest_square(cutoff, options.include_cutoff);
    p.x = at[0].data(), p.y = at[1].data(), p.z = at[2].data();
    p.order = order.data(), p.place_of = place_of.data(), p.cell_of = cell_of.data();
    p.starts = p.candidates = {starts.data()};
    p.images = imaged ? sorted_images.data() : nullptr;
    p.rows = static_cast<int>(rows);
    p.places = static_cast<int>(particles);
    list_rules<oracle::space, Real> rules;
    oracle::space const space;
    upsweep::workspace memory(space);
    warp_search<Lanes, Real, systems> const search{
        {p, rules.make(space, p, cutoff, options, {.workspace = &memory, .label = "test"})}};
    offsets.assign(static_cast<std::size_t>(rows) + 1, 7);
    auto const found = report;
    few_particles_slots<Real> to;
    run_shuffled(teams, builder{search, &found, &report, sums, offsets.data(), to, parts});
    if (report.failed()) return;
    neighbors.assign(report.pairs, -7);
    first_indices.assign(report.pairs, -7);
    images.resize(report.pairs);
    distances.assign(report.pairs, -7);
    displacements.assign(3 * report.pairs, -7);
    to.neighbors = neighbors.data();
    to.images = images.data();
    to.values = {first_indices.data(), nullptr, displacements.data(), distances.data(), nullptr};
    to.capacity = std::min(capacity, static_cast<std::size_t>(report.pairs));
    sums.clear(0, 1);
    run_shuffled(teams, builder{search, &found, &report, sums, offsets.data(), to, parts});
  }

 private:
  static constexpr std::size_t scratch_bytes = 1 << 16;

  template <class Kernel>
  static void run(int teams, Kernel const& kernel) {
    lockstep_league league(scratch_bytes);
    league.run(teams, Kernel::team_size, [&](lockstep_league_member const& m) { kernel(m); });
  }
  /// As a device may start them.
  template <class Kernel>
  static void run_shuffled(int teams, Kernel const& kernel) {
    std::vector<int> order(static_cast<std::size_t>(teams));
    for (int k = 0; k < teams; ++k) order[static_cast<std::size_t>(k)] = k;
    std::shuffle(order.begin(), order.end(), std::mt19937_64(7));
    lockstep_league league(scratch_bytes);
    for (int const team : order)
      league.run_team(team, teams, Kernel::team_size, [&](lockstep_league_member const& m) { kernel(m); });
  }
};

template <class Lanes, class Real>
void check_lanes(std::vector<std::array<Real, 3>> const& x, upsweep::box<Real> const& box, Real cutoff,
                 neighbor_options options) {
  auto const at = oracle::to_positions(x);
  auto const rows = static_cast<std::int64_t>(options.rows.value_or(x.size()));
  machine<Lanes, Real> const found(at, rows, box, cutoff, options);
  options.builder = upsweep::neighbor_builder::plain;
  options.pair_images = options.first_indices = options.displacements = options.distances = true;
  upsweep::neighbor_list<oracle::space, Real> const list(oracle::space(), at, box, cutoff, options);
  ASSERT_FALSE(found.report.failed());
  ASSERT_EQ(found.offsets, oracle::to_host(list.offsets()));
  ASSERT_EQ(found.report.pairs, list.pairs());
  ASSERT_EQ(found.report.largest_row, list.largest_row());
  ASSERT_EQ(found.neighbors, oracle::to_host(list.neighbors()));
  ASSERT_EQ(found.images, oracle::to_host(list.pair_images().view()));
  ASSERT_EQ(found.first_indices, oracle::to_host(list.first_indices().view()));
  ASSERT_EQ(found.distances, oracle::to_host(list.distances().view()));
  auto const d = list.displacements().view();
  for (std::size_t k = 0; k < list.pairs(); ++k)
    for (std::size_t c = 0; c < 3; ++c) ASSERT_EQ(found.displacements[3 * k + c], d(k, c)) << k;
}

template <class Real>
void check(std::vector<std::array<Real, 3>> const& x, upsweep::box<Real> const& box, double cutoff,
           neighbor_options const& options = {}) {
  check_lanes<lockstep_lanes<32>>(x, box, Real(cutoff), options);
  check_lanes<lockstep_lanes<64>>(x, box, Real(cutoff), options);
}

constexpr bool lists_are_of_cpus = Kokkos::SpaceAccessibility<Kokkos::HostSpace, oracle::memory>::accessible;

template <class Real>
std::vector<std::array<Real, 3>> random_positions(oracle::edge_generator& random, int n, double lo, double hi) {
  std::vector<std::array<Real, 3>> x(static_cast<std::size_t>(n));
  for (auto& p : x)
    for (auto& c : p) c = Real(random.real(lo, hi));
  return x;
}

template <class Real>
class lockstep_few_particles : public testing::Test {};
#ifdef UPSWEEP_TEST_EVERY_TYPE
using reals = testing::Types<float, double>;
#else
using reals = testing::Types<double>;
#endif
TYPED_TEST_SUITE(lockstep_few_particles, reals);
template <class Real>
class long_lockstep_few_particles : public testing::Test {};
TYPED_TEST_SUITE(long_lockstep_few_particles, reals);

// Numbers of particles and cutoffs, each in every box. The quick tests take warps and wavefronts in turn.
template <class Real>
void check_boxes(bool both_lanes) {
  oracle::edge_generator random(1);
  int turn = 0;
  for (int const n : {1, 2, 31, 65, 140}) {
    double const length = std::cbrt(n) + 0.5;
    auto const x = random_positions<Real>(random, n, -0.3, length * 1.2);  // some have to be wrapped
    auto inside = x;
    for (auto& p : inside)
      for (auto& c : p) c = std::clamp(c, Real(0), Real(length * 0.999));
    Real const l = Real(length);
    auto const orthogonal = [&](std::array<bool, 3> const& periodic) {
      return upsweep::box<Real>({0, 0, 0}, {l, l, l}, {periodic[0], periodic[1], periodic[2]});
    };
    auto const leaning = upsweep::box<Real>::triclinic({0, 0, 0}, {l, l, l}, {.xy = l / 3, .xz = -l / 4, .yz = l / 5},
                                                       {true, true, true});
    for (double const cutoff : {0.4, 1.1, 2.6 * length}) {
      SCOPED_TRACE(testing::Message() << n << " particles, cutoff " << cutoff);
      if (n * cutoff > 300) continue;
      auto const in = [&](std::vector<std::array<Real, 3>> const& at, upsweep::box<Real> const& box) {
        ++turn;
        if (both_lanes || turn % 2 == 0) check_lanes<lockstep_lanes<32>>(at, box, Real(cutoff), {});
        if (both_lanes || turn % 2 != 0) check_lanes<lockstep_lanes<64>>(at, box, Real(cutoff), {});
      };
      ASSERT_NO_FATAL_FAILURE(in(x, orthogonal({true, true, true})));
      ASSERT_NO_FATAL_FAILURE(in(inside, orthogonal({false, false, false})));
      ASSERT_NO_FATAL_FAILURE(in(inside, orthogonal({true, false, true})));
      ASSERT_NO_FATAL_FAILURE(in(x, leaning));
      ++turn;
    }
  }
}

TYPED_TEST(lockstep_few_particles, boxes_and_numbers_of_particles) {
  if constexpr (lists_are_of_cpus) {
    check_boxes<TypeParam>(false);
  } else {
    GTEST_SKIP() << "real warps build these lists here";
  }
}
TYPED_TEST(long_lockstep_few_particles, boxes_and_numbers_of_particles) {
  if constexpr (lists_are_of_cpus) {
    check_boxes<TypeParam>(true);
  } else {
    GTEST_SKIP() << "real warps build these lists here";
  }
}

TYPED_TEST(lockstep_few_particles, random_cells) {
  if constexpr (lists_are_of_cpus) {
    oracle::edge_generator random(2);
    for (int k = 0; k < 20; ++k) {
      auto const cell = random.box<TypeParam>(2);
      std::vector<std::array<TypeParam, 3>> x(static_cast<std::size_t>(random.pick(1, 60)));
      for (auto& p : x) {
        std::array<TypeParam, 3> f{};
        for (std::size_t d = 0; d < 3; ++d) f[d] = TypeParam(cell.periodic[d] ? random.real(-2, 3) : random.real(0, 1));
        p = cell.at(f);
      }
      auto const box = cell.library();
      double const cutoff = random.real(0.2, 1.2) * std::min({box.length(0), box.length(1), box.length(2)});
      if (!(cutoff > 0)) continue;
      ASSERT_NO_FATAL_FAILURE(check(x, box, cutoff)) << "cell " << k;
    }
  } else {
    GTEST_SKIP() << "real warps build these lists here";
  }
}

// Four particles for a thread, cells with more particles than lanes, and all in one place. Warps for double and
// wavefronts for float, which the quick tests leave out; the long tests have both for both.
template <class Real>
void check_most_particles(bool warps, bool wavefronts) {
  oracle::edge_generator random(3);
  auto const most = static_cast<int>(few_particles_builder<oracle::space, Real>::most_particles);
  upsweep::box<Real> const box({0, 0, 0}, {16, 16, 16}, {true, true, true});
  auto const x = random_positions<Real>(random, most, 0, 15.9);
  if (warps) {
    ASSERT_NO_FATAL_FAILURE((check_lanes<lockstep_lanes<32>>(x, box, Real(1.2), {})));
  }
  if (wavefronts) {
    ASSERT_NO_FATAL_FAILURE((check_lanes<lockstep_lanes<64>>(x, box, Real(0.3), {})));
  }
  std::vector<std::array<Real, 3>> const one(200, {1, 2, 3});
  ASSERT_NO_FATAL_FAILURE(check(one, box, 0.5));
}

TYPED_TEST(lockstep_few_particles, as_many_particles_as_there_may_be) {
  if constexpr (lists_are_of_cpus) {
    constexpr bool is_double = std::is_same_v<TypeParam, double>;
    check_most_particles<TypeParam>(is_double, !is_double);
  } else {
    GTEST_SKIP() << "real warps build these lists here";
  }
}
TYPED_TEST(long_lockstep_few_particles, as_many_particles_as_there_may_be) {
  if constexpr (lists_are_of_cpus) {
    check_most_particles<TypeParam>(true, true);
  } else {
    GTEST_SKIP() << "real warps build these lists here";
  }
}

TYPED_TEST(lockstep_few_particles, options) {
  if constexpr (lists_are_of_cpus) {
    oracle::edge_generator random(4);
    int const n = 150;
    upsweep::box<TypeParam> const box({0, 0, 0}, {5, 5, 5}, {true, true, true});
    auto const x = random_positions<TypeParam>(random, n, 0, 4.99);
    std::vector<std::int64_t> ids, excluded;
    std::vector<std::size_t> offsets{0};
    std::vector<int> types;
    std::vector<image> images;
    for (int i = 0; i < n; ++i) {
      ids.push_back(1000 - 7 * ((i * 37) % n));
      types.push_back(random.pick(0, 1));
      for (int k = random.pick(0, 3); k > 0; --k) excluded.push_back(1000 - 7 * random.pick(0, n - 1));
      offsets.push_back(excluded.size());
      images.push_back(i < 90 ? image(0, 0, 0) : image(random.pick(-1, 1), random.pick(-1, 1), 0));
    }
    auto const d_ids = oracle::to_device(ids), d_excluded = oracle::to_device(excluded);
    auto const d_offsets = oracle::to_device(offsets);
    auto const d_types = oracle::to_device(types);
    auto const d_images = oracle::to_device(images);
    Kokkos::View<double**, Kokkos::LayoutRight, oracle::memory> const cutoffs("cutoffs", 2, 2);
    oracle::host_copy const h(cutoffs);
    h(0, 0) = 1.1, h(0, 1) = h(1, 0) = 0.7, h(1, 1) = 0.9;
    h.write();
    for (int which = 0; which < 32; ++which) {
      neighbor_options o;
      if (which & 1) o.ids = d_ids;
      if (which & 2) o.half = true;
      if (which & 4) o.types = d_types, o.type_cutoffs = cutoffs;
      if (which & 8 && which & 1) o.exclusions = {d_offsets, d_excluded};
      if (which & 16 && which & 1) o.images = d_images, o.rows = 90;
      if (which & 16 && !(which & 1)) o.rows = 90, o.newton = !o.half;
      if (which % 5 == 0) o.newton = !o.half;
      if (o.rows && o.exclusions.offsets.given())
        o.exclusions.offsets = Kokkos::subview(d_offsets, std::make_pair(0, 91));
      o.include_cutoff = which % 3 != 0;
      ASSERT_NO_FATAL_FAILURE((check_lanes<lockstep_lanes<32>>(x, box, TypeParam(1.1), o))) << which;
    }
    neighbor_options no_rows;
    no_rows.rows = 0;
    ASSERT_NO_FATAL_FAILURE(check(x, box, 1.1, no_rows));
  } else {
    GTEST_SKIP() << "real warps build these lists here";
  }
}

TYPED_TEST(lockstep_few_particles, half_lists_of_shifted_ghosts) {
  if constexpr (lists_are_of_cpus) {
    auto const [p, owners] =
        oracle::with_shifted_ghosts<TypeParam>({{0, 0, 0}, {3, 4, TypeParam(1.25)}, {}}, 30, TypeParam(1.5), 5);
    auto const ids = oracle::to_device(p.rules.ids);
    for (bool const newton : {true, false}) {
      neighbor_options o{.half = true, .newton = newton, .rows = p.rules.rows};
      if (newton) o.ids = ids;
      ASSERT_NO_FATAL_FAILURE(check(p.x, oracle::to_box(p.box), p.cutoff, o)) << newton;
    }
  } else {
    GTEST_SKIP() << "real warps build these lists here";
  }
}

// The memory is an earlier list's: rows that end behind it are not written, and nothing is behind it.
template <class Real>
void check_room() {
  oracle::edge_generator random(5);
  upsweep::box<Real> const box({0, 0, 0}, {4, 4, 4}, {true, true, true});
  auto const at = oracle::to_positions(random_positions<Real>(random, 90, 0, 3.99));
  machine<lockstep_lanes<32>, Real> const all(at, 90, box, Real(1.3), {});
  std::size_t const pairs = all.offsets[90], end = all.offsets[40];
  ASSERT_GT(pairs, end);
  for (std::size_t const capacity : {std::size_t(0), end - 1, end, end + 1, pairs - 1, pairs}) {
    machine<lockstep_lanes<32>, Real> const some(at, 90, box, Real(1.3), {}, capacity);
    ASSERT_EQ(some.report.pairs, pairs);
    ASSERT_EQ(some.offsets, all.offsets);
    for (std::size_t i = 0; i < 90; ++i)
      for (std::size_t k = all.offsets[i]; k < all.offsets[i + 1]; ++k) {
        bool const fits = all.offsets[i + 1] <= capacity;
        ASSERT_EQ(some.neighbors[k], fits ? all.neighbors[k] : -7) << capacity << ", " << k;
        ASSERT_EQ(some.distances[k], fits ? all.distances[k] : Real(-7)) << capacity << ", " << k;
      }
  }
}

// Candidates on both sides of a chunk's end, and of what a warp keeps: 32 or 64 words.
template <class Real>
void check_many_candidates() {
  oracle::edge_generator random(6);
  upsweep::box<Real> const open({0, 0, 0}, {1, 1, 1}, {false, false, false});
  upsweep::box<Real> const periodic({0, 0, 0}, {3, 3, 3}, {true, true, true});
  neighbor_options o;
  for (int const n : {1023, 1024, 1025, 2047, 2048, 2049, 3100}) {
    SCOPED_TRACE(testing::Message() << n << " candidates");
    o.rows = n % 7 + 1;
    auto const x = random_positions<Real>(random, n, 0, 0.999);
    o.half = n % 2 == 0;
    o.newton = !o.half;
    ASSERT_NO_FATAL_FAILURE((check_lanes<lockstep_lanes<32>>(x, open, Real(0.9), o)));
    ASSERT_NO_FATAL_FAILURE((check_lanes<lockstep_lanes<64>>(x, open, Real(0.4), o)));
  }
  // More runs than lanes, and chunks that end inside of runs.
  o.rows = 3;
  auto const x = random_positions<Real>(random, 1500, 0, 2.99);
  for (double const cutoff : {1.6, 3.5})
    ASSERT_NO_FATAL_FAILURE((check_lanes<lockstep_lanes<32>>(x, periodic, Real(cutoff), o)));
}

TYPED_TEST(lockstep_few_particles, what_there_is_no_room_for) {
  if constexpr (lists_are_of_cpus) {
    ASSERT_NO_FATAL_FAILURE(check_room<TypeParam>());
    ASSERT_NO_FATAL_FAILURE(check_many_candidates<TypeParam>());
  } else {
    GTEST_SKIP() << "real warps build these lists here";
  }
}

// Teams in blocks of 32 and of 1,024, full ones and others.
TEST(row_sums, of_teams_before) {
  for (int const teams : {1, 31, 32, 33, 1023, 1024, 1025, 2100}) {
    std::vector<std::uint64_t> words(row_sums::words_of(teams) + 1, 0);
    row_sums const sums{words.data(), teams};
    std::uint64_t before = 0;
    for (int team = 0; team < teams; ++team) {
      std::uint64_t parts = 0;
      for (int thread = 0; thread < 5; ++thread) parts += sums.part_before(team, thread, 5);
      ASSERT_EQ(parts, before) << team << " of " << teams;
      auto const own = static_cast<std::uint64_t>(team) * 77777777;
      sums.publish(team, own, 3);
      before += own;
    }
    EXPECT_EQ(words.back(), 0u);
  }
}

// Teams that run side by side: each waits for what others publish later.
TEST(row_sums, of_threads) {
  constexpr int teams = 2 * row_sums::block + 6, rounds = 15;
  std::vector<std::uint64_t> words(row_sums::words_of(teams));
  row_sums const sums{words.data(), teams};
  auto const sum_of = [](std::size_t team) { return (std::uint64_t(1) << 40) + team * 7 % 5; };
  for (int round = 0; round < rounds; ++round) {
    sums.clear(0, 1);
    std::vector<std::uint64_t> before(teams, 0), largest(teams, 0);
    std::vector<std::thread> threads;
    for (int t = 0; t < teams; ++t)
      threads.emplace_back([&] {
        int const team = sums.take_number();
        if ((team + round) % 5 == 0) std::this_thread::yield();
        auto const own = static_cast<std::size_t>(team);
        sums.publish(team, sum_of(own), own * 3 % 7);
        // As a team of three threads has it.
        for (int k = 0; k < 3; ++k) before[own] += sums.part_before(team, k, 3);
        for (int first = 0; first < team; first += 32)
          row_sums::wait_for<32>(sums.largest_of(first), team - first, 0, 1,
                                 [&](std::uint64_t value) { largest[own] = std::max(largest[own], value); });
      });
    for (auto& thread : threads) thread.join();
    std::uint64_t all = 0, most = 0;
    for (std::size_t t = 0; t < teams; ++t) {
      ASSERT_EQ(before[t], all) << t;
      ASSERT_EQ(largest[t], most) << t;
      all += sum_of(t);
      most = std::max<std::uint64_t>(most, t * 3 % 7);
    }
  }
}

TYPED_TEST(lockstep_few_particles, what_cannot_be_used_is_reported) {
  if constexpr (lists_are_of_cpus) {
    upsweep::box<TypeParam> const open({0, 0, 0}, {5, 5, 5}, {false, false, false});
    upsweep::box<TypeParam> const thin({0, 0, 0}, {5, 5, TypeParam(1e-3)}, {true, true, true});
    std::vector<std::array<TypeParam, 3>> x(2000, {1, 2, 0});
    x[1500] = {1, 7, 0};
    x[1700][0] = std::numeric_limits<TypeParam>::quiet_NaN();
    machine<lockstep_lanes<32>, TypeParam> const bad(oracle::to_positions(x), 2000, open, 1, {});
    EXPECT_EQ(bad.report.bad, ~std::uint64_t(1500));
    EXPECT_EQ(bad.report.pairs, 0u);
    x.resize(100);
    machine<lockstep_lanes<32>, TypeParam> const far(oracle::to_positions(x), 100, thin, 1, {});
    EXPECT_EQ(far.report.bad, 0u);
    EXPECT_TRUE(far.report.layout.reaches_too_far(2));
    EXPECT_EQ(far.report.pairs, 0u);
  } else {
    GTEST_SKIP() << "real warps build these lists here";
  }
}

}  // namespace
