// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Lists of particles with ghosts that are shifted copies, in an open box: half lists with newton on and off.

#include "shifted_ghosts.hpp"

#include "../oracle/message_of.hpp"
#include "lists.hpp"
#include "random_exclusions.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/neighbors/batched_neighbor_list.hpp>
#include <upsweep/neighbors/count_neighbors.hpp>
#include <upsweep/neighbors/detail/builders/mask_builder.hpp>
#include <upsweep/neighbors/for_each_pair.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <tuple>

namespace {

using oracle::neighbor_rows;
using upsweep::neighbor_builder;
using upsweep::neighbor_options;
using upsweep::row_order;
constexpr bool has_masks = upsweep::neighbors::detail::mask_builder<oracle::space, double>::exists;

/// Rows by (id, index), as row_order::sorted has them where no pair has an image.
neighbor_rows by_id(neighbor_rows rows, oracle::pair_rules const& rules) {
  for (auto& row : rows)
    std::sort(row.begin(), row.end(), [&](auto const& a, auto const& b) {
      auto const key = [&](auto const& v) {
        return std::pair(rules.id(static_cast<std::size_t>(std::get<0>(v))), std::get<0>(v));
      };
      return key(a) < key(b);
    });
  return rows;
}

/// All builders, orders and ways to build; the list in the order of cells.
template <class Real>
oracle::host_list expect_rows(oracle::list_problem<Real> const& p) {
  auto const expected = oracle::brute_force(p.x, p.box, p.cutoff, p.rules);
  oracle::build_settings how;
  auto const list = oracle::build_list(p.x, p.box, p.cutoff, p.rules, how);
  EXPECT_EQ(oracle::sorted(list.rows), oracle::sorted(expected));
  for (auto const builder : {neighbor_builder::automatic, neighbor_builder::masks, neighbor_builder::plain}) {
    if (builder == neighbor_builder::masks && !has_masks) continue;
    SCOPED_TRACE("builder " + std::to_string(static_cast<int>(builder)));
    how = {.builder = builder, .narrow_ids = builder == neighbor_builder::automatic, .rebuild = true};
    EXPECT_EQ(oracle::build_list(p.x, p.box, p.cutoff, p.rules, how), list);
    EXPECT_EQ(oracle::visited_rows(p, builder), list.rows) << "for_each_pair";
    how.order = row_order::sorted;
    EXPECT_EQ(oracle::build_list(p.x, p.box, p.cutoff, p.rules, how).rows, by_id(expected, p.rules));
  }
  return list;
}

/// Each pair as its particle, its neighbour's owner, and the image of the neighbour.
template <class Real>
std::vector<oracle::neighbor> named(oracle::shifted_ghosts<Real> const& of, neighbor_rows const& rows, std::size_t i) {
  std::vector<oracle::neighbor> pairs;
  for (auto const& v : rows[i]) {
    auto const& [owner, s] = of.owners[static_cast<std::size_t>(std::get<0>(v))];
    pairs.emplace_back(static_cast<int>(owner), s[0], s[1], s[2]);
  }
  return pairs;
}

/// Rows and the other directions of pairs: those of particles alone, or of ghosts, too.
template <class Real>
neighbor_rows both_directions(oracle::shifted_ghosts<Real> const& of, neighbor_rows const& rows, bool of_ghosts) {
  neighbor_rows all(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (auto const& [j, x, y, z] : named(of, rows, i)) {
      all[i].emplace_back(j, x, y, z);
      if (of_ghosts || (x == 0 && y == 0 && z == 0))
        all[static_cast<std::size_t>(j)].emplace_back(static_cast<int>(i), -x, -y, -z);
    }
  return oracle::sorted(all);
}

template <class Real>
void compare(oracle::cell_box<Real> const& cell, std::size_t n, Real cutoff, unsigned seed, bool excludes) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  auto of = oracle::with_shifted_ghosts(cell, n, cutoff, seed);
  auto& p = of.problem;
  std::mt19937_64 engine(seed);
  auto const pick = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine); };
  auto periodic = cell;
  periodic.periodic = {true, true, true};
  oracle::pair_rules whole;
  whole.ids.assign(p.rules.ids.begin(), p.rules.ids.begin() + static_cast<std::ptrdiff_t>(n));
  auto const all = oracle::sorted(
      oracle::brute_force({p.x.begin(), p.x.begin() + static_cast<std::ptrdiff_t>(n)}, periodic, cutoff, whole));
  auto const full = expect_rows(p);
  neighbor_rows full_rows;
  for (std::size_t i = 0; i < n; ++i) full_rows.push_back(named(of, full.rows, i));
  ASSERT_EQ(oracle::sorted(full_rows), all);
  p.rules.half = true;
  auto const on = expect_rows(p);
  EXPECT_EQ(both_directions(of, on.rows, true), all) << "newton on";
  EXPECT_EQ(2 * on.pairs, full.pairs);
  EXPECT_EQ(on.hash, full.hash);
  p.rules.newton = false;
  auto const off = expect_rows(p);
  EXPECT_EQ(both_directions(of, off.rows, false), all) << "newton off";
  EXPECT_EQ(off.hash, full.hash);
  auto unnamed = p;
  unnamed.rules.ids.clear();
  auto const by_index = expect_rows(unnamed);
  EXPECT_EQ(both_directions(of, by_index.rows, false), all) << "newton off, no ids";
  unnamed.rules.half = false;
  unnamed.rules.newton = true;
  EXPECT_EQ(by_index.hash, expect_rows(unnamed).hash);
  if (!excludes) return;
  oracle::add_exclusions(p.rules, n, n, 3, pick);
  for (auto& id : p.rules.excluded_ids) id = p.rules.ids[static_cast<std::size_t>(pick(0, int(n) - 1))];
  for (bool const newton : {true, false}) {
    p.rules.newton = newton;
    expect_rows(p);
  }
}

template <class Real>
void compare_all() {
  compare<Real>({{0, 0, 0}, {7, 6, 5}, {}}, 300, Real(1.5), 1, true);
  compare<Real>({{-1, 0, 2}, {1, 4, 6}, {}}, 60, Real(1.75), 2, true);
  // A box shorter than the cutoff, in one and in all directions: ghosts of their own in rows.
  compare<Real>({{0, 0, 0}, {4, 5, Real(1.25)}, {}}, 50, Real(1.5), 3, true);
  compare<Real>({{0, 0, 0}, {1, Real(1.5), 2}, {}}, 7, Real(2.25), 4, true);
  compare<Real>({{0, 0, 0}, {1, 1, 1}, {}}, 1, Real(1.875), 5, false);
  // More than few particles, in cells of very many.
  compare<Real>({{0, 0, 0}, {10, 10, 10}, {}}, 2300, Real(1.25), 6, true);
  compare<Real>({{0, 0, 0}, {3, 3, 3}, {}}, 900, Real(1), 7, false);
}

TEST(shifted_ghosts, half_lists_in_double) { compare_all<double>(); }
TEST(shifted_ghosts, half_lists_in_float) { compare_all<float>(); }

/// Ids that differ in their upper halves.
TEST(shifted_ghosts, far_apart_ids) {
  auto p = oracle::with_shifted_ghosts<double>({{0, 0, 0}, {4, 5, 1.25}, {}}, 80, 1.5, 8).problem;
  for (auto& id : p.rules.ids) id = id % 2 == 0 ? id << 33 : -(id << 20);
  p.rules.half = true;
  for (bool const newton : {true, false}) {
    p.rules.newton = newton;
    auto const expected = oracle::brute_force(p.x, p.box, p.cutoff, p.rules);
    EXPECT_EQ(oracle::sorted(oracle::build_list(p.x, p.box, p.cutoff, p.rules).rows), oracle::sorted(expected));
  }
}

/// Ghosts that were shifted by way of other coordinates: of one direction a rest of either sign is left.
TEST(shifted_ghosts, rests_of_rounding_decide_nothing) {
  for (double const rest : {0.0, 1e-15, -1e-15}) {
    oracle::pair_rules rules;
    rules.half = true;
    rules.rows = 1;
    rules.ids = {3, 3, 3};
    oracle::cell_box<double> const box{{0, -1, 0}, {2, 3, 2}, {false, false, false}};
    auto const list = oracle::build_list<double>({{1, 1, 1}, {1 + rest, 2, 1}, {1 + rest, 0, 1}}, box, 1.5, rules);
    EXPECT_EQ(list.rows, (neighbor_rows{{{1, 0, 0, 0}}})) << rest;
  }
}

/// Values of pairs, plans, and counts.
TEST(shifted_ghosts, everything_that_is_made_of_lists) {
  auto const p = oracle::with_shifted_ghosts<double>({{0, 0, 0}, {4, 5, 3}, {}}, 100, 1.25, 9).problem;
  auto const x = oracle::to_positions(p.x);
  auto const box = oracle::to_box(p.box);
  for (auto const builder : {neighbor_builder::automatic, neighbor_builder::plain}) {
    neighbor_options const o{.half = true, .newton = false, .displacements = true, .rows = 100, .builder = builder};
    upsweep::neighbor_list<oracle::space, double> list(oracle::space{}, box, p.cutoff, o);
    auto const plan = list.plan(oracle::space{}, x);
    list.emit();
    auto rules = p.rules;
    rules.half = true;
    rules.newton = false;
    rules.ids.clear();
    auto const expected = oracle::brute_force(p.x, p.box, p.cutoff, rules);
    std::size_t pairs = 0;
    for (auto const& row : expected) pairs += row.size();
    EXPECT_EQ(plan.pairs, pairs);
    Kokkos::View<int*, oracle::memory> const counts("counts", 100);
    neighbor_options const of_counts{.half = true, .newton = false, .rows = 100, .builder = builder};
    EXPECT_EQ(upsweep::count_neighbors(oracle::space{}, x, box, p.cutoff, counts, of_counts).pairs, pairs);
    auto const host_counts = oracle::to_host(counts);
    for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(static_cast<std::size_t>(host_counts[i]), expected[i].size());
    oracle::host_copy const d(list.displacements().view());
    auto const neighbors = oracle::to_host(list.neighbors());
    auto const offsets = oracle::to_host(list.offsets());
    ASSERT_EQ(offsets.back(), pairs);
    for (std::size_t i = 0; i < 100; ++i)
      for (std::size_t k = offsets[i]; k < offsets[i + 1]; ++k)
        for (std::size_t c = 0; c < 3; ++c)
          EXPECT_EQ(d(k, c), p.x[static_cast<std::size_t>(neighbors[k])][c] - p.x[i][c]);
  }
}

struct ignore_pair {
  KOKKOS_FUNCTION void operator()(int, int) const {}
};

TEST(shifted_ghosts, half_lists_that_would_lose_pairs_are_refused) {
  auto const x = oracle::to_positions(std::vector<std::array<double, 3>>{
      {1, 1, 1}, {1, 5, 1}, {5, 1, 1}, {1.5, 1, 1}, {1, 5.5, 1}});  // the last two are ghosts
  upsweep::box<double> const open({0, 0, 0}, {9, 9, 9}, {false, false, false});
  using list_type = upsweep::neighbor_list<oracle::space, double>;
  auto const pairs = [&](neighbor_options const& o) { return list_type(oracle::space{}, x, open, 1.0, o).pairs(); };
  EXPECT_EQ(pairs({.rows = 3}), 2u);
  EXPECT_EQ(pairs({.half = true, .newton = false, .rows = 3}), 2u);
  auto const says = [&](std::string const& message, std::string const& words) {
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  neighbor_options const half{.half = true, .rows = 3};
  std::string const expected =
      "half with rows = 3 of 5 particles needs ids: give each ghost the id of its owner; or newton = false";
  for (auto const builder : {neighbor_builder::automatic, neighbor_builder::plain}) {
    auto o = half;
    o.builder = builder;
    says(oracle::message_of([&] { pairs(o); }), "neighbor_list: " + expected);
  }
  says(oracle::message_of([&] { upsweep::for_each_pair(oracle::space{}, x, open, 1.0, ignore_pair{}, half); }),
       "for_each_pair: " + expected);
  Kokkos::View<int*, oracle::memory> const counts("counts", 3);
  says(oracle::message_of([&] { upsweep::count_neighbors(oracle::space{}, x, open, 1.0, counts, half); }), expected);
  // Without ghosts there is nothing to lose.
  EXPECT_EQ(pairs({.half = true, .rows = 5}), 1u + 0u + 1u);
  says(oracle::message_of([&] { pairs({.newton = false}); }),
       "newton = false says where half lists have pairs with ghosts; give half = true, too");
  auto const images = oracle::to_device(std::vector<upsweep::image>(5, upsweep::image(0, 0, 0)));
  says(oracle::message_of([&] { pairs({.half = true, .rows = 3, .images = images}); }),
       "half with images needs ids: give each ghost the id of its owner; or newton = false");
  EXPECT_EQ(pairs({.half = true, .newton = false, .rows = 3, .images = images}), 2u);
  auto const batch = [&] {
    auto const offsets = oracle::to_device(std::vector<int>{0, 5});
    upsweep::batched_neighbor_list const list(oracle::space{}, x, offsets, std::vector{open}, 1.0,
                                              {.half = true, .newton = false});
  };
  says(oracle::message_of(batch), "batches have no rows and no images of ghosts, and no newton = false");
}

TEST(particle_ids, of_32_bits_are_those_of_64) {
  auto const p = oracle::with_shifted_ghosts<double>({{0, 0, 0}, {4, 5, 1.25}, {}}, 80, 1.5, 8).problem;
  auto const x = oracle::to_positions(p.x);
  auto const box = oracle::to_box(p.box);
  auto const wide = oracle::to_device(p.rules.ids);
  neighbor_options o{.half = true, .order = row_order::sorted, .rows = 80, .ids = wide};
  using list_type = upsweep::neighbor_list<oracle::space, double>;
  list_type const expected(oracle::space{}, x, box, p.cutoff, o);
  list_type list(oracle::space{}, box, p.cutoff, {});
  {
    auto const narrow = oracle::to_device(std::vector<std::int32_t>(p.rules.ids.begin(), p.rules.ids.end()));
    o.ids = narrow;
    EXPECT_TRUE(o.ids.given());
    EXPECT_EQ(o.ids.extent(0), p.x.size());
    list.set(box, p.cutoff, o);
    list.update(oracle::space{}, x);
    EXPECT_EQ(oracle::to_host(list.neighbors()), oracle::to_host(expected.neighbors()));
    EXPECT_EQ(list.hash(), expected.hash());
    // Systems of one batch, which ids name as they name those of a list.
    std::vector<int> const ends{0, 50, static_cast<int>(p.x.size())};
    auto const batch = [&](upsweep::particle_ids const& ids) {
      upsweep::batched_neighbor_list const made(oracle::space{}, x, oracle::to_device(ends), std::vector{box, box},
                                                p.cutoff, {.order = row_order::sorted, .ids = ids});
      return oracle::to_host(made.neighbors());
    };
    EXPECT_EQ(batch(narrow), batch(wide));
  }
  // The list has its own copy.
  list.set(box, p.cutoff, {});
  EXPECT_EQ(list.hash(), expected.hash());
  o.ids = oracle::to_device(std::vector<std::int32_t>(3));
  list.set(box, p.cutoff, o);
  auto const message = oracle::message_of([&] { list.update(oracle::space{}, x); });
  EXPECT_NE(message.find("ids has 3 entries for " + std::to_string(p.x.size()) + " particles"), std::string::npos)
      << message;
  o.ids = {};
  EXPECT_FALSE(o.ids.given());
}

}  // namespace
