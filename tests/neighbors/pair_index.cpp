// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Functors of loops that take the number of a pair: in all loops it is the place in the arrays of the list.

#include "../oracle/points.hpp"
#include "lists.hpp"
#include "rows.hpp"

#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/neighbor_lanes.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/neighbors/pair_index.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace {

using upsweep::pair_index;
using handle = upsweep::neighbor_rows<>;
using values = Kokkos::View<double*, oracle::memory>;

constexpr std::size_t particles = 203;

/// Rows of all lengths, and what a list may keep of pairs: small integers, so that sums are exact in any order.
struct list {
  oracle::rows_of rows;
  oracle::device_rows<std::size_t, int> crs;
  Kokkos::View<upsweep::image*, oracle::memory> images;
  values worth;                                                            ///< of pair k
  Kokkos::View<double* [3], Kokkos::LayoutRight, oracle::memory> vectors;  ///< (k, 1) is the worth, too
  std::vector<double> expected, expected_imaged;                           ///< sums of rows

  handle view() const { return upsweep::make_neighbor_rows(crs.offsets, crs.neighbors, images); }
};

double worth_of(std::size_t k, int j) { return double(k % 89) + 100 * double(j); }
upsweep::image image_of(std::size_t k) { return {int(k % 5), 0, 0}; }

list make_list() {
  list l;
  l.rows = oracle::rows_of_all_lengths(particles);
  l.crs = oracle::to_crs<std::size_t, int>(l.rows);
  std::vector<double> worth;
  std::vector<upsweep::image> images;
  for (auto const& row : l.rows) {
    double sum = 0, imaged = 0;
    for (int const j : row) {
      std::size_t const k = worth.size();
      worth.push_back(worth_of(k, j));
      images.push_back(image_of(k));
      sum += worth[k];
      imaged += worth[k] * (1 + images[k].x());
    }
    l.expected.push_back(sum);
    l.expected_imaged.push_back(imaged);
  }
  l.worth = oracle::to_device(worth);
  l.images = oracle::to_device(images);
  l.vectors = decltype(l.vectors)("vectors", worth.size());
  auto const host = Kokkos::create_mirror_view(l.vectors);
  for (std::size_t k = 0; k < worth.size(); ++k)
    for (int d = 0; d < 3; ++d) host(k, d) = d == 1 ? worth[k] : -1;
  Kokkos::deep_copy(l.vectors, host);
  return l;
}

struct store {
  values out;
  KOKKOS_FUNCTION void operator()(std::size_t i, double sum) const { out(i) = sum; }
};

// The forms of a functor. All add up the same.
struct by_number {
  values worth;
  KOKKOS_FUNCTION void operator()(std::size_t, int, pair_index k, double& sum) const { sum += worth(k.value); }
};
struct by_integer {
  values worth;
  KOKKOS_FUNCTION void operator()(std::size_t, int, std::size_t k, double& sum) const { sum += worth(k); }
};
struct by_loaded {
  values worth;
  KOKKOS_FUNCTION double load(std::size_t, int, pair_index k) const { return worth(k.value); }
  KOKKOS_FUNCTION void operator()(std::size_t, int, double loaded, double& sum) const { sum += loaded; }
};
struct by_number_and_loaded {
  values worth;
  Kokkos::View<int*, oracle::memory> neighbors;
  KOKKOS_FUNCTION int load(std::size_t, int j) const { return j; }
  KOKKOS_FUNCTION void operator()(std::size_t, int j, pair_index k, int loaded, double& sum) const {
    sum += j == loaded && neighbors(k.value) == j ? worth(k.value) : 1e9;
  }
};
/// Of functors with several forms the one with image and number is called.
struct by_number_and_image {
  values worth;
  KOKKOS_FUNCTION void operator()(std::size_t, int, upsweep::image s, pair_index k, double& sum) const {
    sum += worth(k.value) * (1 + s.x());
  }
  KOKKOS_FUNCTION void operator()(std::size_t, int, upsweep::image, double& sum) const { sum += 1e9; }
  KOKKOS_FUNCTION void operator()(std::size_t, int, pair_index, double& sum) const { sum += 1e9; }
  KOKKOS_FUNCTION void operator()(std::size_t, int, double& sum) const { sum += 1e9; }
};
/// Takes several pairs at once.
struct by_lanes {
  static constexpr bool takes_lanes = true;
  values worth;
  template <class J, class K, class Sum>
  KOKKOS_FUNCTION void operator()(std::size_t, J const&, K const& k, Sum& sum) const {
    sum += upsweep::gather_values(worth, k);
  }
};
struct by_loaded_lanes {
  static constexpr bool takes_lanes = true;
  Kokkos::View<double* [3], Kokkos::LayoutRight, oracle::memory> vectors;
  template <class J, class K>
  KOKKOS_FUNCTION auto load(std::size_t, J const&, K const& k) const {
    return upsweep::gather_positions(vectors, k);
  }
  template <class J, class Loaded, class Sum>
  KOKKOS_FUNCTION void operator()(std::size_t, J const&, Loaded const& loaded, Sum& sum) const {
    sum += loaded[1];
  }
};

/// 1 for each pair: the square of the displacement over that of the distance.
struct by_kept {
  Kokkos::View<double const* [3], Kokkos::LayoutRight, oracle::memory> D;
  Kokkos::View<double const*, oracle::memory> d;
  KOKKOS_FUNCTION void operator()(std::size_t, int, std::size_t k, double& sum) const {
    sum += (D(k, 0) * D(k, 0) + D(k, 1) * D(k, 1) + D(k, 2) * D(k, 2)) / (d(k) * d(k));
  }
};

template <bool InVectors, class F>
std::vector<double> sums_of(handle const& rows, F const& f) {
  values const out("out", particles);
  upsweep::reduce_rows<double, InVectors>(oracle::space{}, rows, f, store{out});
  return oracle::to_host(out);
}

template <bool InVectors>
void every_form_finds_its_pairs() {
  auto const l = make_list();
  auto const rows = l.view();
  EXPECT_EQ((sums_of<InVectors>(rows, by_number{l.worth})), l.expected);
  EXPECT_EQ((sums_of<InVectors>(rows, by_integer{l.worth})), l.expected);
  EXPECT_EQ((sums_of<InVectors>(rows, by_loaded{l.worth})), l.expected);
  EXPECT_EQ((sums_of<InVectors>(rows, by_number_and_loaded{l.worth, l.crs.neighbors})), l.expected);
  EXPECT_EQ((sums_of<InVectors>(rows, by_number_and_image{l.worth})), l.expected_imaged);
  EXPECT_EQ((sums_of<InVectors>(rows, by_lanes{l.worth})), l.expected);
  EXPECT_EQ((sums_of<InVectors>(rows, by_loaded_lanes{l.vectors})), l.expected);
}

TEST(pair_numbers, in_reduce_rows) { every_form_finds_its_pairs<false>(); }
TEST(pair_numbers, in_reduce_rows_in_vectors) { every_form_finds_its_pairs<true>(); }

TEST(pair_numbers, of_chosen_rows) {
  auto const l = make_list();
  auto const chosen = oracle::to_device(oracle::chosen_rows(particles));
  values const out("out", particles);
  // The list itself is an argument as good as its handle.
  upsweep::reduce_rows<double>(oracle::space{}, upsweep::choose_rows(l, chosen), by_number{l.worth}, store{out});
  auto const found = oracle::to_host(out);
  for (std::size_t i = 0; i < particles; ++i) EXPECT_EQ(found[i], oracle::is_chosen(i) ? l.expected[i] : 0) << i;
}

/// All loops in a kernel's own hands.
struct every_level {
  handle rows;
  values worth;
  values serial, by_team, by_threads, by_lanes, reduced, reduced_team, reduced_imaged;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    auto const i = static_cast<std::size_t>(member.league_rank());
    auto const add = [&](int, pair_index k, double& s) { s += worth(k.value); };
    auto const add_imaged = [&](int, upsweep::image s, std::size_t k, double& sum) { sum += worth(k) * (1 + s.x()); };
    upsweep::for_each_neighbor(member, rows, i,
                               [&](int, pair_index k) { Kokkos::atomic_add(&by_team(i), worth(k.value)); });
    upsweep::for_each_neighbor(upsweep::team_thread_level(member), rows, i, [&](int, std::size_t k) {
      Kokkos::single(Kokkos::PerThread(member), [&]() { Kokkos::atomic_add(&by_threads(i), worth(k)); });
    });
    double team = -1, imaged = -1;
    upsweep::reduce_neighbors(member, rows, i, add, team);
    upsweep::reduce_neighbors(member, rows, i, add_imaged, imaged);
    if (member.team_rank() == 0) {
      upsweep::for_each_neighbor(upsweep::thread_vector_level(member), rows, i,
                                 [&](int, pair_index k) { Kokkos::atomic_add(&by_lanes(i), worth(k.value)); });
      Kokkos::single(Kokkos::PerThread(member), [&]() {
        double mine = -1;
        upsweep::for_each_neighbor(rows, i, [&](int, pair_index k) { serial(i) += worth(k.value); });
        upsweep::reduce_neighbors(rows, i, add, mine);
        reduced(i) = mine;
        reduced_team(i) = team;
        reduced_imaged(i) = imaged;
      });
    }
  }
};

TEST(pair_numbers, at_every_level) {
  auto const l = make_list();
  constexpr bool gpu = upsweep::compat::is_gpu<oracle::space>;
  std::vector<values> outs;
  for (int k = 0; k < 7; ++k) outs.emplace_back("out", particles);
  every_level const kernel{l.view(), l.worth, outs[0], outs[1], outs[2], outs[3], outs[4], outs[5], outs[6]};
  Kokkos::parallel_for(Kokkos::TeamPolicy<oracle::space>(oracle::space{}, int(particles), gpu ? 4 : 1, gpu ? 8 : 1),
                       kernel);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(oracle::to_host(outs[std::size_t(k)]), l.expected) << "form " << k;
  EXPECT_EQ(oracle::to_host(outs[6]), l.expected_imaged);
}

// What a list keeps is read by numbers, and loops take the list itself. On GPUs the host cannot read it.
TEST(pair_numbers, of_what_a_list_keeps) {
  oracle::space const space;
  oracle::cell_box<double> const cube{{0, 0, 0}, {9, 9, 9}, {true, true, true}};
  auto const points = oracle::uniform_points(particles, cube, 3);
  upsweep::neighbor_list const list(space, oracle::to_positions(points), oracle::to_box(cube), 2.0,
                                    {.displacements = true, .distances = true});
  auto const d = list.distances().view();
  values const sums("sums", particles);
  upsweep::reduce_rows<double>(space, list, by_kept{list.displacements().view(), d}, store{sums});
  auto const found = oracle::to_host(sums);
  auto const offsets = oracle::to_host(list.offsets());
  for (std::size_t i = 0; i < particles; ++i) EXPECT_NEAR(found[i], double(offsets[i + 1] - offsets[i]), 1e-10) << i;
  if constexpr (!upsweep::compat::is_gpu<oracle::space>) {
    space.fence();
    auto const neighbors = list.neighbors();
    std::size_t visited = 0;
    for (std::size_t i = 0; i < particles; ++i) {
      upsweep::for_each_neighbor(list, i, [&](int j, pair_index k) {
        EXPECT_EQ(k.value, visited++);
        EXPECT_EQ(neighbors(k.value), j);
      });
      double longest = -1;
      upsweep::reduce_neighbors(
          list, i, [&](int, std::size_t k, double& m) { m = m < d(k) ? d(k) : m; }, Kokkos::Max<double>(longest));
      EXPECT_LE(longest, 2.0);
    }
    EXPECT_EQ(visited, list.pairs());
  }
}

// Narrower integers and floating-point numbers do not take a number by mistake.
TEST(pair_index, converts_to_integers_as_large_and_to_nothing_else) {
  static_assert(std::is_convertible_v<pair_index, std::size_t> && std::is_convertible_v<pair_index, std::int64_t>);
  static_assert(!std::is_convertible_v<pair_index, int> && !std::is_convertible_v<pair_index, double> &&
                !std::is_convertible_v<pair_index, bool> && !std::is_convertible_v<pair_index, upsweep::image>);
  static_assert(!std::is_convertible_v<std::size_t, upsweep::image>);
  std::size_t const k = pair_index{7};
  EXPECT_EQ(k, 7u);
}

}  // namespace
