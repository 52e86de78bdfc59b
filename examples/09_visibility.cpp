// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Visibility along lines of sight: a point is seen where nothing before it is taller, which a scan by max finds out.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/scan/batched_scan.hpp>
#include <upsweep/scan/exclusive_scan.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

/// A line of posts, seen from the left along the ground: not hidden if it is not preceded by a taller one.
void look_along_a_line(std::vector<int> const& heights) {
  Kokkos::DefaultExecutionSpace const space;
  auto const in = example::to_device(heights);
  Kokkos::View<int*> const tallest("tallest before", in.extent(0));
  upsweep::exclusive_scan(space, in, tallest, upsweep::max<>{});
  auto const before = upsweep::to_host(space, tallest);
  std::vector<int> visible;
  for (std::size_t i = 0; i < heights.size(); ++i)
    if (heights[i] >= before[i]) visible.push_back(heights[i]);
  example::print("posts", heights);
  example::expect("visible", visible, {4, 7, 9});
}

/// How high the land is: four hills, in whole metres.
KOKKOS_FUNCTION int height(int row, int column) {
  int const hills[4][3] = {{3, 12, 9}, {9, 30, 14}, {12, 20, 7}, {1, 44, 10}};  // row, column, height
  int highest = 0;
  for (auto const& hill : hills) {
    int const down = row > hill[0] ? row - hill[0] : hill[0] - row;
    int const right = column > hill[1] ? column - hill[1] : hill[1] - column;
    int const here = hill[2] - 2 * down - right;
    highest = here > highest ? here : highest;
  }
  return highest;
}

/// How steeply an eye 3 m above the ground, one column before the map, looks up or down to a point.
KOKKOS_FUNCTION double slope(int row, int column) { return (height(row, column) - 3) / (column + 1.0); }

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Kokkos::DefaultExecutionSpace const space;
  look_along_a_line({4, 3, 7, 9, 2, 3});

  // A map of heights, seen from its left edge; every row is a line of sight. A point is visible where the slope to it
  // is at least that to each point before it.
  int const rows = 15, columns = 60;
  Kokkos::View<double**> const slopes("slopes", rows, columns), before("before", rows, columns);
  Kokkos::parallel_for(
      "slopes", Kokkos::RangePolicy<>(space, 0, rows * columns),
      KOKKOS_LAMBDA(int i) { slopes(i / columns, i % columns) = slope(i / columns, i % columns); });
  upsweep::batched_exclusive_scan(space, slopes, before, upsweep::max<>{});
  auto const host_slopes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), slopes);
  auto const host_before = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), before);

  bool is_right = true;
  std::cout << "a map of hills, seen from the left; dots are hidden\n";
  for (int row = 0; row < rows; ++row) {
    std::string line;
    double steepest = -std::numeric_limits<double>::infinity();
    for (int column = 0; column < columns; ++column) {
      bool const visible = host_slopes(row, column) >= host_before(row, column);
      is_right = is_right && visible == (slope(row, column) >= steepest);
      steepest = std::max(steepest, slope(row, column));
      line += !visible ? '.' : height(row, column) == 0 ? '_' : "0123456789abcdefg"[height(row, column)];
    }
    std::cout << line << '\n';
  }
  example::confirm("a loop along each row sees the same", is_right);
  return example::exit_code();
}
