// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "inputs.hpp"

#include "../support/points/npy_numbers.hpp"
#include "../support/points/points_options.hpp"
#include "../support/points/points_outside.hpp"
#include "../support/points/read_points.hpp"

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

/// The box of a file of points, or of --box; without one, an open box. Where it is open, its borders mean nothing.
box frame_of(options const& o, int dimensions) {
  if (!o.has_box()) return {{0, 0, 0}, {1, 1, 1}, {false, false, false}};
  upsweep::particle_data data;
  data.lo = o.origin;
  for (std::size_t d = 0; d < 3; ++d) data.hi[d] = o.origin[d] + o.box[d];
  if (dimensions == 2) data.hi[2] = 1;
  data.tilt = o.tilt;
  data.periodic[2] = dimensions == 3;
  return apps::box_of_points(o.input, data);
}

/// The frame with the directions of --open.
box opened(box const& frame, options const& o) {
  Kokkos::Array<bool, 3> periodic;
  for (int d = 0; d < 3; ++d) periodic[d] = frame.periodic(d) && !o.open[static_cast<std::size_t>(d)];
  return box::triclinic({frame.lo(0), frame.lo(1), frame.lo(2)}, {frame.hi(0), frame.hi(1), frame.hi(2)}, frame.tilt(),
                        periodic);
}

void place_grid(problem& p, options const& o, box const& frame) {
  auto [lo, hi] = corners_of(p.points);
  std::int64_t n[3] = {1, 1, 1};
  if (frame.is_triclinic() && frame.periodic(0) && (o.from.empty() || o.to.empty()))
    throw upsweep::input_error("--grid: the box of " + o.input +
                               " leans, and a grid does not (expected --from and --to, too, or --targets)");
  for (int d = 0; d < p.dimensions; ++d) {
    auto const at = static_cast<std::size_t>(d);
    n[d] = o.grid[at];
    if (frame.periodic(d)) {
      lo[d] = frame.lo(d);
      hi[d] = frame.hi(d);
    }
    if (!o.from.empty()) lo[d] = o.from[at];
    if (!o.to.empty()) hi[d] = o.to[at];
  }
  // No more than 10^18 of them (options).
  std::size_t const count =
      static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2]);
  upsweep::require_memory(Kokkos::DefaultHostExecutionSpace(),
                          count > (std::size_t(1) << 58) ? ~std::size_t(0) : 24 * count, "--grid", "the grid");
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

/// The frame, with borders of open directions that hold all points and targets with their radius around them.
box domain_of(problem const& p, options const& o, box const& frame) {
  bool const is_periodic = frame.periodic(0) && frame.periodic(1) && frame.periodic(2);
  if (is_periodic) return frame;
  if (frame.is_triclinic() && (frame.periodic(0) || frame.periodic(1) || frame.periodic(2)))
    throw upsweep::input_error(o.input +
                               ": the box leans, and is open in some directions (expected one without tilts, or open "
                               "in all directions or none)");
  auto [lo, hi] = corners_of(p.points);
  if (!p.targets.empty()) {
    auto const [a, b] = corners_of(p.targets);
    for (int d = 0; d < 3; ++d) {
      lo[d] = std::min(lo[d], a[d]);
      hi[d] = std::max(hi[d], b[d]);
    }
  }
  for (int d = 0; d < 3; ++d) {
    lo[d] = frame.periodic(d) ? frame.lo(d) : lo[d] - o.radius;
    hi[d] = frame.periodic(d) ? frame.hi(d) : hi[d] + o.radius;
  }
  try {
    return box(lo, hi, {frame.periodic(0), frame.periodic(1), frame.periodic(2)});
  } catch (upsweep::precondition_error const& e) {
    throw upsweep::input_error(o.input + ": " + e.what());
  }
}

}  // namespace

problem read_problem(options const& o) {
  problem p;
  box frame{{0, 0, 0}, {1, 1, 1}};
  if (apps::points_format_of(o.input) == apps::points_format::npy) {
    p.dimensions = 0;
    p.points = read_positions(o.input, p.dimensions);
    if (o.has_box() && o.has_flat_box() != (p.dimensions == 2))
      throw upsweep::input_error("--box: " + std::string(o.has_flat_box() ? "2" : "3") + " lengths (expected " +
                                 std::to_string(p.dimensions) + ", as the points have coordinates)");
    if (p.dimensions == 2 && o.open[2])
      throw upsweep::input_error("--open: z (expected x or y, as the points have two coordinates)");
    frame = frame_of(o, p.dimensions);
  } else {
    auto data = apps::read_points_file(o.input, o.atom_style);
    frame = apps::box_of_points(o.input, data);
    p.points = std::move(data.positions);
  }
  frame = opened(frame, o);
  if (p.points.empty()) throw upsweep::input_error(o.input + ": no points (expected at least one)");
  apps::note_points_outside("upsweep-interpolate", o, p.points, frame);
  require_dimensions("--grid", o.grid, p.dimensions);
  require_dimensions("--from", o.from, p.dimensions);
  require_dimensions("--to", o.to, p.dimensions);

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
    place_grid(p, o, frame);
  } else {
    p.targets = read_positions(o.targets, p.dimensions);
    p.shape = {p.target_count()};
  }
  if (shape.size() == 2) p.shape.push_back(p.fields);
  p.domain = domain_of(p, o, frame);
  return p;
}

}  // namespace interpolate
