// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The kernels of a narrowing: those of CPUs, those of warps in lockstep, and the plain ones make the same rows; the
// compiled loop of each instruction set does what it promises.

#include "../oracle/instruction_sets.hpp"
#include "boxes.hpp"

#include <upsweep/neighbors/detail/narrow/narrow_cpu.hpp>
#include <upsweep/neighbors/detail/narrow/narrow_plain.hpp>
#include <upsweep/neighbors/detail/narrow/narrow_warps.hpp>
#include <upsweep/neighbors/detail/narrow/whole_edges.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_league.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

namespace detail = upsweep::neighbors::detail;
using upsweep::image;
using upsweep::team::testing::lockstep_lanes;
using upsweep::team::testing::lockstep_league;
using upsweep::team::testing::lockstep_league_member;
template <class T>
using host_view = Kokkos::View<T*, Kokkos::HostSpace>;

/// Rows of random pairs of random particles, of all lengths around those of words and vectors.
template <class Real>
struct random_pass {
  static constexpr int n = 200, rows = 150;

  host_view<detail::moved_particle<Real>> particles{"particles", n};
  std::vector<std::size_t> offsets{0};
  std::vector<int> neighbors, order, types;
  std::vector<image> images;
  std::vector<Real> cutoffs_squared;
  std::vector<std::uint32_t> words;
  detail::narrow_pass<Real> pass;

  random_pass(bool imaged, bool typed, unsigned seed)
      : pass{upsweep::box<Real>::triclinic({0, 0, 0}, {5, 5, 5}, {.xy = Real(1.25)}),
             Real(4),
             {},
             {},
             0,
             nullptr,
             nullptr,
             nullptr,
             0,
             nullptr} {
    std::mt19937_64 engine(seed);
    auto const pick = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine); };
    std::uniform_real_distribution<Real> place(0, 5);
    for (int i = 0; i < n; ++i) {
      image const edges = imaged && pick(1, 10) == 1 ? image(pick(-1, 1), pick(-1, 1), pick(-1, 1)) : image(0, 0, 0);
      // Some exactly a cutoff apart.
      Real const x = pick(1, 4) == 1 ? Real(pick(0, 9)) / 2 : place(engine);
      particles(i) = {x, Real(pick(0, 4)), Real(pick(0, 4)), detail::word_of(edges)};
      order.push_back(i);
      types.push_back(pick(0, 1));
    }
    std::shuffle(order.begin(), order.end(), engine);
    for (int row = 0; row < rows; ++row) {
      int const length = row < 100 ? row : row == 120 ? 2500 : pick(0, 140);
      bool const row_imaged = imaged && pick(0, 1) == 1;
      for (int k = 0; k < length; ++k) {
        neighbors.push_back(pick(0, n - 1));
        images.push_back(row_imaged && pick(1, 3) == 1 ? image(pick(-1, 1), pick(-1, 1), pick(-1, 1)) : image(0, 0, 0));
      }
      offsets.push_back(neighbors.size());
    }
    words.assign(pass.most_words(rows, neighbors.size()), 0xdeadbeef);
    if (typed) {
      cutoffs_squared = {4, 1, 1, Real(0.25)};
      pass.rules.types = types.data();
      pass.rules.type_cutoffs_squared = cutoffs_squared.data();
      pass.rules.type_count = 2;
    }
    pass.from = {offsets.data(), neighbors.data(), imaged ? images.data() : nullptr, rows};
    pass.pairs = neighbors.size();
    pass.order = order.data();
    pass.particles = pass.candidates = particles.data();
    pass.words = words.data();
  }
};

struct rows_of_list {
  std::vector<std::size_t> offsets = std::vector<std::size_t>(random_pass<double>::rows + 1);
  std::vector<int> neighbors;
  std::vector<image> images;

  explicit rows_of_list(std::size_t most) : neighbors(most, -1), images(most, image(9, 9, 9)) {}
  detail::narrow_slots slots() { return {offsets.data(), neighbors.data(), images.data()}; }
  friend bool operator==(rows_of_list const&, rows_of_list const&) = default;
};

template <class Real>
void compare_kernels(bool imaged, bool typed, unsigned seed) {
  SCOPED_TRACE(std::string(imaged ? "imaged" : "plain") + (typed ? ", typed" : ""));
  using space = Kokkos::DefaultHostExecutionSpace;
  random_pass<Real> const data(imaged, typed, seed);
  auto const& pass = data.pass;
  // Memory for more than is found, so that vectors may not write behind the last pair.
  auto const make = [&](auto const& count, auto const& emit) {
    rows_of_list made(pass.pairs);
    made.offsets.back() = 0;
    count(made.slots());
    std::exclusive_scan(made.offsets.begin(), made.offsets.end(), made.offsets.begin(), std::size_t(0));
    emit(made.slots());
    for (std::size_t k = made.offsets.back(); k < pass.pairs; ++k) {
      EXPECT_EQ(made.neighbors[k], -1) << "behind the last pair";
      EXPECT_EQ(made.images[k], image(9, 9, 9)) << "behind the last pair";
    }
    return made;
  };

  using plain = detail::narrow_plain<Real>;
  auto const expected = make([&](auto const& s) { plain::count(space{}, "count", pass, s); },
                             [&](auto const& s) { plain::emit(space{}, "emit", pass, s); });
  ASSERT_GT(expected.offsets.back(), 100u);
  ASSERT_LT(expected.offsets.back(), pass.pairs - 100);

  using warps = detail::narrow_warps<Real, lockstep_lanes<32>>;
  lockstep_league league(1024);
  int const teams = (data.n + warps::warps - 1) / warps::warps;
  auto const run = [&](auto const& kernel) {
    league.run(teams, 32 * warps::warps, [&](lockstep_league_member const& m) { kernel(m); });
  };
  auto const by_warps = make([&](auto const& s) { run(typename warps::template row_kernel<false>{pass, s, data.n}); },
                             [&](auto const& s) { run(typename warps::template row_kernel<true>{pass, s, data.n}); });
  EXPECT_EQ(by_warps, expected);

#if defined(UPSWEEP_CPU_KERNELS)
  using cpu = detail::narrow_cpu<Real>;
  std::vector<unsigned char> kinds(std::size_t(data.rows), 77);
  cpu::look(space{}, "look", pass.from, kinds.data());
  for (int again = 0; again < 2; ++again) {  // rows are looked at once for several updates
    auto const by_cpu = make([&](auto const& s) { cpu::count(space{}, "count", pass, s, kinds.data(), data.n); },
                             [&](auto const& s) { cpu::emit(space{}, "emit", pass, s, kinds.data()); });
    EXPECT_EQ(by_cpu, expected);
  }
#endif
}

TEST(narrow_kernels, make_the_same_rows) {
  for (unsigned seed = 1; seed < 5; ++seed)
    for (bool imaged : {false, true})
      for (bool typed : {false, true}) {
        compare_kernels<double>(imaged, typed, seed);
        compare_kernels<float>(imaged, typed, seed);
      }
}

// ---- displacements without whole edges

template <class Real>
void find_short_ways(upsweep::box<Real> const& box, Real most, unsigned seed) {
  detail::whole_edges<Real> const lattice(box);
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<Real> way(-most, most);
  for (int k = 0; k < 1000; ++k) {
    typename upsweep::box<Real>::vector const small{way(engine), way(engine), way(engine)};
    image const edges(box.periodic(0) ? int(engine() % 5) - 2 : 0, box.periodic(1) ? int(engine() % 3) - 1 : 0,
                      box.periodic(2) ? int(engine() % 3) - 1 : 0);
    auto const shift = box.shift(edges);
    auto const found = lattice({small[0] + shift[0], small[1] + shift[1], small[2] + shift[2]});
    ASSERT_EQ(detail::image_of(found.edges), edges);
    for (int d = 0; d < 3; ++d) ASSERT_NEAR(found.rest[d], small[d], sizeof(Real) == 4 ? 1e-4 : 1e-12);
  }
}

TEST(whole_edges, are_taken_off_displacements) {
  using box = upsweep::box<double>;
  find_short_ways(box({0, 0, 0}, {5, 6, 7}), 2.4, 1);
  find_short_ways(box({0, 0, 0}, {5, 6, 7}, {true, false, true}), 2.4, 2);
  // Leaning by many edges: a short way is a large part of some edges, but not of what is perpendicular to the others.
  find_short_ways(box::triclinic({0, 0, 0}, {5, 6, 7}, {.xy = 12, .xz = -8, .yz = 20}), 2.4, 3);
  find_short_ways(box::triclinic({0, 0, 0}, {5, 6, 7}, {.xy = 12, .xz = -8, .yz = 20}, {false, true, true}), 0.4, 4);
  find_short_ways(upsweep::box<float>::triclinic({0, 0, 0}, {5, 6, 7}, {.xy = 3, .yz = -3}), 2.4f, 5);
}

#if defined(UPSWEEP_CPU_KERNELS)

using upsweep::internal::instruction_set;

class narrow_loops : public oracle::instruction_set_test {};
INSTANTIATE_TEST_SUITE_P(all, narrow_loops, oracle::all_instruction_sets(), oracle::name_of_instruction_set);

template <class Real>
void test_pairs_as_promised(instruction_set which) {
  auto const& kernels = detail::cpu_hits<Real>(which);
  for (bool imaged : {false, true})
    for (int n : {16, 32, 48, 64, 96, 1024}) {
      random_pass<Real> const data(true, false, unsigned(n));
      auto const all = data.particles;
      std::vector<std::uint32_t> hits(32, 1), in_image(32, 1);
      for (int row = 0; row < 20; ++row) {
        std::size_t const first = 5000;
        int const* const j = data.neighbors.data() + first;
        image const* const s = data.images.data() + first;
        bool const moved =
            kernels.test_pairs({all.data(), &all(row), Real(4)}, j, imaged ? reinterpret_cast<int const*>(s) : nullptr,
                               n, hits.data(), in_image.data());
        bool expect_moved = false;
        for (int k = 0; k < (n + 31) / 32 * 32; ++k) {
          bool hit = false, other = false;
          if (k < n) {
            auto const &own = all(row), c = all(j[k]);
            Real const dx = c.x - own.x, dy = c.y - own.y, dz = c.z - own.z;
            hit = std::fma(dz, dz, std::fma(dy, dy, dx * dx)) <= 4;
            auto const edges_own = detail::image_of(std::uint32_t(own.edges)),
                       edges = detail::image_of(std::uint32_t(c.edges));
            other = !((imaged ? s[k] : image(0, 0, 0)) + edges_own + -edges == image(0, 0, 0));
            expect_moved = expect_moved || !(edges_own == edges);
          }
          ASSERT_EQ(hits[std::size_t(k / 32)] >> (k % 32) & 1u, hit ? 1u : 0u) << "pair " << k << " of " << n;
          ASSERT_EQ(in_image[std::size_t(k / 32)] >> (k % 32) & 1u, other ? 1u : 0u) << "pair " << k << " of " << n;
        }
        ASSERT_EQ(moved, expect_moved);
      }
    }
}

TEST_P(narrow_loops, test_pairs) {
  test_pairs_as_promised<double>(GetParam());
  test_pairs_as_promised<float>(GetParam());
}

#endif

}  // namespace
