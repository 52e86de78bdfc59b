// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "lists.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/fetch.hpp>
#include <upsweep/neighbors/special_neighbors.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

using bond_list = std::vector<std::array<int, 2>>;
using table = std::vector<std::vector<std::int64_t>>;

/// Bonds as a View of any integers and layout.
template <class T = std::int64_t, class Layout = Kokkos::LayoutRight>
auto to_bonds(bond_list const& bonds) {
  Kokkos::View<T* [2], Layout, oracle::memory> const view("bonds", bonds.size());
  oracle::host_copy const host(view);
  for (std::size_t k = 0; k < bonds.size(); ++k)
    for (std::size_t end = 0; end < 2; ++end) host(k, end) = static_cast<T>(bonds[k][end]);
  host.write();
  return view;
}

template <class Lists>
table to_table(Lists const& lists) {
  auto const offsets = upsweep::to_host(oracle::space{}, lists.offsets);
  auto const values = upsweep::to_host(oracle::space{}, lists.values);
  table rows(offsets.size() - 1);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    rows[i].assign(values.begin() + static_cast<std::ptrdiff_t>(offsets[i]),
                   values.begin() + static_cast<std::ptrdiff_t>(offsets[i + 1]));
  return rows;
}

table special(int n, bond_list const& bonds, upsweep::special_options const& options = {}) {
  return to_table(upsweep::special_neighbors(oracle::space{}, n, to_bonds(bonds), options));
}

/// The same by a search from every particle, ring by ring.
table searched(int n, bond_list const& bonds, upsweep::special_options const& options) {
  table partners(static_cast<std::size_t>(n)), rows(static_cast<std::size_t>(n));
  for (auto const& [a, b] : bonds) {
    partners[static_cast<std::size_t>(a)].push_back(b);
    partners[static_cast<std::size_t>(b)].push_back(a);
  }
  for (int i = 0; i < n; ++i) {
    std::vector<int> distance(static_cast<std::size_t>(n), -1);
    distance[static_cast<std::size_t>(i)] = 0;
    std::vector<std::int64_t> ring{i};
    for (int d = 1; d <= options.most && !ring.empty(); ++d) {
      std::vector<std::int64_t> next;
      for (auto const from : ring)
        for (auto const j : partners[static_cast<std::size_t>(from)])
          if (auto& known = distance[static_cast<std::size_t>(j)]; known < 0) known = d, next.push_back(j);
      ring = next;
    }
    for (int j = 0; j < n; ++j)
      if (auto const d = distance[static_cast<std::size_t>(j)]; d >= options.fewest) rows[std::size_t(i)].push_back(j);
  }
  return rows;
}

TEST(special_neighbors, of_a_chain) {
  bond_list const chain{{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  EXPECT_EQ(special(5, chain), (table{{1, 2, 3}, {0, 2, 3, 4}, {0, 1, 3, 4}, {0, 1, 2, 4}, {1, 2, 3}}));
  EXPECT_EQ(special(5, chain, {1, 1}), (table{{1}, {0, 2}, {1, 3}, {2, 4}, {3}}));
  EXPECT_EQ(special(5, chain, {2, 2}), (table{{2}, {3}, {0, 4}, {1}, {2}}));
  EXPECT_EQ(special(5, chain, {3, 3}), (table{{3}, {4}, {}, {0}, {1}}));
  EXPECT_EQ(special(5, chain, {1, 2}), (table{{1, 2}, {0, 2, 3}, {0, 1, 3, 4}, {1, 2, 4}, {2, 3}}));
  EXPECT_EQ(special(5, chain, {4, 9}), (table{{4}, {}, {}, {}, {0}}));
  EXPECT_EQ(special(5, chain, {5, 2000000000}), (table{{}, {}, {}, {}, {}}));
}

TEST(special_neighbors, count_by_the_shortest_way) {
  // In a ring of three, two ways lead to each partner; LAMMPS keeps the one of one bond.
  bond_list const three{{0, 1}, {1, 2}, {2, 0}}, four{{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  EXPECT_EQ(special(3, three), (table{{1, 2}, {0, 2}, {0, 1}}));
  EXPECT_EQ(special(3, three, {2, 3}), (table{{}, {}, {}}));
  EXPECT_EQ(special(4, four, {2, 2}), (table{{2}, {3}, {0}, {1}}));
  EXPECT_EQ(special(4, four, {3, 3}), (table{{}, {}, {}, {}}));
}

TEST(special_neighbors, of_bonds_given_twice_and_of_nothing) {
  EXPECT_EQ(special(4, {{3, 1}, {1, 3}, {3, 1}}), (table{{}, {3}, {}, {1}}));
  EXPECT_EQ(special(3, {}), (table{{}, {}, {}}));
  EXPECT_EQ(special(0, {}), table{});
}

TEST(special_neighbors, of_views_of_any_integers_and_layout) {
  bond_list const bonds{{0, 1}, {1, 2}, {4, 3}};
  auto const expected = special(5, bonds);
  auto const rows = [](auto const& view) { return to_table(upsweep::special_neighbors(oracle::space{}, 5, view)); };
  EXPECT_EQ(rows(to_bonds<int, Kokkos::LayoutLeft>(bonds)), expected);
  EXPECT_EQ(rows(to_bonds<std::uint64_t>(bonds)), expected);
  Kokkos::View<std::uint16_t const* [2], Kokkos::LayoutRight, oracle::memory> const read_only =
      to_bonds<std::uint16_t>(bonds);
  EXPECT_EQ(rows(read_only), expected);
}

TEST(special_neighbors, as_a_search_finds_them) {
  std::mt19937 random(7);
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int const n : {2, 5, 40, 300}) {
    for (int const bonds : {n / 2, n, 2 * n}) {
      bond_list list;
      while (list.size() < static_cast<std::size_t>(bonds))
        if (int const a = below(n), b = below(n); a != b) list.push_back({a, b});
      for (upsweep::special_options const o : {upsweep::special_options{1, 3}, {1, 1}, {1, 2}, {2, 2}, {2, 5}, {3, 3}})
        ASSERT_EQ(special(n, list, o), searched(n, list, o)) << n << ' ' << bonds << ' ' << o.fewest << ' ' << o.most;
    }
  }
}

TEST(special_neighbors, of_a_particle_with_very_many_partners) {
  // Rows of 1-3 neighbours are sorted in memory of their own.
  bond_list star;
  for (int k = 1; k < 3000; ++k) star.push_back({k % 2 == 0 ? 0 : k, k % 2 == 0 ? k : 0});
  auto const rows = special(3000, star);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), 2999u) << i;
    for (std::size_t k = 0; k < 2999; ++k) ASSERT_EQ(rows[i][k], static_cast<std::int64_t>(k < i ? k : k + 1)) << i;
  }
}

TEST(special_neighbors, refuse_what_cannot_be) {
  auto const message = [](std::int64_t n, auto const& view, upsweep::special_options const& options = {}) {
    try {
      upsweep::special_neighbors(oracle::space{}, n, view, options);
    } catch (upsweep::precondition_error const& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  auto const good = to_bonds({{0, 1}});
  EXPECT_EQ(message(2, good), "no error");
  EXPECT_EQ(message(1, good), "special_neighbors: bond 0 joins 0 and 1; it needs two particles of 1");
  EXPECT_EQ(message(9, to_bonds({{0, 1}, {3, 3}, {4, 4}})),
            "special_neighbors: bond 1 joins 3 and 3; it needs two particles of 9");
  EXPECT_EQ(message(9, to_bonds({{0, -1}})), "special_neighbors: bond 0 joins 0 and -1; it needs two particles of 9");
  EXPECT_EQ(message(-1, good), "special_neighbors: n = -1 is negative");
  EXPECT_EQ(message(2, good, {0, 3}),
            "special_neighbors: from 0 to 3 bonds; it needs 1 or more, and no more than the second number");
  EXPECT_NE(message(2, good, {3, 2}), "no error");
  Kokkos::View<int**, oracle::memory> const wide("wide", 1, 3);
  EXPECT_EQ(message(2, wide), "special_neighbors: bonds has 3 columns; it needs 2");
}

}  // namespace
