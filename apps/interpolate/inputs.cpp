// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "inputs.hpp"

#include "../support/npy_numbers.hpp"

#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace interpolate {
namespace {

/// Positions of two or three coordinates as three. Sets `dimensions`, or is refused where they are others.
std::vector<double> read_positions(std::string const& path, int& dimensions) {
  auto numbers = apps::read_npy_numbers(path);
  auto const& shape = numbers.shape;
  bool const fits =
      shape.size() == 2 && (dimensions == 0 ? shape[1] == 2 || shape[1] == 3 : shape[1] == std::uint64_t(dimensions));
  if (!fits)
    throw upsweep::input_error(path + ": an array of shape " + apps::text_of(shape) + " (expected " +
                               (dimensions == 0 ? "(n, 2) or (n, 3)" : "(n, " + std::to_string(dimensions) + ")") +
                               ")");
  apps::require_finite(path, numbers);
  dimensions = static_cast<int>(shape[1]);
  if (dimensions == 3) return std::move(numbers.values);
  std::vector<double> result(3 * shape[0], 0.0);
  for (std::size_t i = 0; i < shape[0]; ++i)
    for (std::size_t d = 0; d < 2; ++d) result[3 * i + d] = numbers.values[2 * i + d];
  return result;
}

/// The corners of what holds all positions. Pre: there are some.
std::pair<vector, vector> corners_of(std::vector<double> const& positions) {
  vector lo{positions[0], positions[1], positions[2]}, hi = lo;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    int const d = static_cast<int>(i % 3);
    lo[d] = std::min(lo[d], positions[i]);
    hi[d] = std::max(hi[d], positions[i]);
  }
  return {lo, hi};
}

template <class Number>
void require_dimensions(std::string const& option, std::vector<Number> const& numbers, int dimensions) {
  if (!numbers.empty() && numbers.size() != static_cast<std::size_t>(dimensions))
    throw upsweep::input_error(option + ": " + std::to_string(numbers.size()) + " numbers (expected " +
                               std::to_string(dimensions) + ", as the points have coordinates)");
}

void place_grid(problem& p, options const& o) {
  auto [lo, hi] = corners_of(p.points);
  std::int64_t n[3] = {1, 1, 1};
  for (int d = 0; d < p.dimensions; ++d) {
    auto const at = static_cast<std::size_t>(d);
    n[d] = o.grid[at];
    if (!o.box.empty()) {
      lo[d] = 0;
      hi[d] = o.box[at];
    }
    if (!o.from.empty()) lo[d] = o.from[at];
    if (!o.to.empty()) hi[d] = o.to[at];
  }
  // No more than 10^18 of them (options).
  std::size_t const count =
      static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2]);
  upsweep::require_memory(Kokkos::DefaultHostExecutionSpace(),
                          count > (std::size_t(1) << 58) ? ~std::size_t(0) : 24 * count, "upsweep-interpolate",
                          "the grid");
  p.targets.reserve(3 * count);
  for (std::int64_t i = 0; i < n[0]; ++i)
    for (std::int64_t j = 0; j < n[1]; ++j)
      for (std::int64_t k = 0; k < n[2]; ++k) {
        std::int64_t const at[3] = {i, j, k};
        for (int d = 0; d < 3; ++d) {
          double const share = n[d] > 1 ? static_cast<double>(at[d]) / static_cast<double>(n[d] - 1) : 0;
          p.targets.push_back(lo[d] + share * (hi[d] - lo[d]));
        }
      }
  p.shape.assign(o.grid.begin(), o.grid.end());
}

box domain_of(problem const& p, options const& o) {
  auto [lo, hi] = corners_of(p.points);
  bool const periodic = !o.box.empty();
  if (!p.targets.empty()) {
    auto const [a, b] = corners_of(p.targets);
    for (int d = 0; d < 3; ++d) {
      lo[d] = std::min(lo[d], a[d]);
      hi[d] = std::max(hi[d], b[d]);
    }
  }
  Kokkos::Array<bool, 3> around{periodic, periodic, periodic && p.dimensions == 3};
  for (int d = 0; d < 3; ++d) {
    lo[d] = around[d] ? 0 : lo[d] - o.radius;
    hi[d] = around[d] ? o.box[static_cast<std::size_t>(d)] : hi[d] + o.radius;
  }
  try {
    return box(lo, hi, around);
  } catch (upsweep::precondition_error const& e) {
    throw upsweep::input_error(o.points + ": " + e.what());
  }
}

}  // namespace

problem read_problem(options const& o) {
  problem p;
  p.dimensions = 0;
  p.points = read_positions(o.points, p.dimensions);
  if (p.points.empty()) throw upsweep::input_error(o.points + ": no points (expected at least one)");
  require_dimensions("--grid", o.grid, p.dimensions);
  require_dimensions("--from", o.from, p.dimensions);
  require_dimensions("--to", o.to, p.dimensions);
  require_dimensions("--box", o.box, p.dimensions);

  auto values = apps::read_npy_numbers(o.values);
  auto const& shape = values.shape;
  std::uint64_t const n = p.points.size() / 3;
  if (shape.empty() || shape.size() > 2 || shape[0] != n || (shape.size() == 2 && shape[1] == 0))
    throw upsweep::input_error(o.values + ": an array of shape " + apps::text_of(shape) + " (expected (" +
                               std::to_string(n) + ") or (" + std::to_string(n) + ", fields), as there are points)");
  apps::require_finite(o.values, values);
  p.fields = shape.size() == 2 ? shape[1] : 1;
  p.values = std::move(values.values);

  if (o.targets.empty()) {
    place_grid(p, o);
  } else {
    p.targets = read_positions(o.targets, p.dimensions);
    p.shape = {p.target_count()};
  }
  if (shape.size() == 2) p.shape.push_back(p.fields);
  p.domain = domain_of(p, o);
  return p;
}

}  // namespace interpolate
