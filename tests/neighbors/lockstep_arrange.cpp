// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The kernel that orders the particles of cells on GPUs, on a CPU with lockstep lanes: places are those of the CPU.

#include "boxes.hpp"
#include "lockstep_groups.hpp"

#include <upsweep/neighbors/detail/grid/arrange_cells.hpp>
#include <upsweep/neighbors/detail/grid/cell_grid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace {

namespace detail = upsweep::neighbors::detail;
using namespace lockstep_groups;
using positions = host_positions<double>;
using systems = detail::one_system<double>;
using team = detail::arrange_cells_team<positions, double, systems, lanes>;
using points = std::vector<std::array<double, 3>>;

/// Particles of cells in any order; cells_of_warp as the kernel has it.
void expect_places_of_cpu(points const& x, std::vector<std::int64_t> const& ids, int cells_of_warp) {
  auto const n = static_cast<std::int64_t>(x.size());
  upsweep::box<double> const box({0, 0, 0}, {9, 8, 7}, {true, true, false});
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> const of("ids", ids.size());
  std::copy(ids.begin(), ids.end(), of.data());
  upsweep::neighbor_options options;
  if (!ids.empty()) options.ids = of;
  detail::cell_grid<host, double> grid{host{}};
  grid.set_groups(32, 24);
  grid.update(positions{x.data()}, n, n, 0, box, 1.0, options);
  auto const& in = grid.binned();
  int const cells = grid.row_cells();

  std::vector<int> order(in.order, in.order + n), groups(static_cast<std::size_t>(grid.most_groups()) + 1, -7);
  std::mt19937 engine(3);
  // In any order, then with the last two the wrong way round, then in order.
  for (int c = 0; c < cells; ++c) {
    auto const begin = order.begin() + in.starts.place(c), end = order.begin() + in.starts.place(c + 1);
    if (c % 3 == 0) std::shuffle(begin, end, engine);
    else if (c % 3 == 1 && end - begin > 1) std::swap(end[-1], end[-2]);
  }
  std::vector<double> at[3];
  for (auto& a : at) a.resize(x.size(), -7);
  std::vector<int> place_of(x.size(), -7);
  std::int64_t const* const given = ids.empty() ? nullptr : ids.data();
  team const kernel{
      {in.starts,
       {given, nullptr},
       order.data(),
       groups.data(),
       cells,
       {positions{x.data()}, in, nullptr, at[0].data(), at[1].data(), at[2].data(), nullptr, place_of.data()},
       static_cast<int>(n),
       false},
      cells,
      cells_of_warp};
  upsweep::team::testing::lockstep_league league(0);
  league.run(static_cast<int>(kernel.teams()), team::warps * lanes::size,
             [&](upsweep::team::testing::lockstep_league_member const& m) { kernel(m); });

  for (std::size_t k = 0; k < x.size(); ++k) {
    ASSERT_EQ(order[k], in.order[k]) << "place " << k;
    ASSERT_EQ(place_of[k], in.place_of[k]) << "particle " << k;
    ASSERT_EQ(at[0][k], in.x[k]);
    ASSERT_EQ(at[1][k], in.y[k]);
    ASSERT_EQ(at[2][k], in.z[k]);
  }
  auto const count = static_cast<std::size_t>(*grid.group_count() >> 32);
  for (std::size_t g = 0; g <= count; ++g) ASSERT_EQ(groups[g], grid.groups()[g]) << "group " << g;
}

/// Cells of 0 to many particles: halves of a warp, a warp, several particles for each lane, and more.
points with_dense_cells(std::size_t many) {
  oracle::cell_box<double> const box{{0, 0, 0}, {9, 8, 7}, {true, true, false}};
  auto x = oracle::uniform_points(700, box, 1);
  std::size_t k = 0;
  for (std::size_t const more :
       {std::size_t(16), std::size_t(31), std::size_t(33), std::size_t(64), std::size_t(95), many, many, many})
    for (std::size_t cell = k++, i = 0; i < more; ++i)
      x.push_back({0.5 + static_cast<double>(cell), 3.5, 2.5 + 0.001 * static_cast<double>(i % 7)});
  std::shuffle(x.begin(), x.end(), std::mt19937(2));
  return x;
}

TEST(lockstep_arrange, places) {
  for (std::size_t const many : {96, 97, 192, 193})
    for (int const cells_of_warp : {1, 2})
      ASSERT_NO_FATAL_FAILURE(expect_places_of_cpu(with_dense_cells(many), {}, cells_of_warp));
}

TEST(lockstep_arrange, places_by_id) {
  auto const x = with_dense_cells(130);
  std::vector<std::int64_t> ids(x.size());
  std::mt19937_64 engine(5);
  // Some ids are those of several particles: then indices decide.
  for (auto& id : ids) id = static_cast<std::int64_t>(engine() % (2 * x.size())) + (std::int64_t(1) << 40);
  for (int const cells_of_warp : {1, 2}) ASSERT_NO_FATAL_FAILURE(expect_places_of_cpu(x, ids, cells_of_warp));
}

}  // namespace
