// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "npy_start.hpp"

#include "../../support/points/npy_numbers.hpp"
#include "../../support/points/read_points.hpp"
#include "../text.hpp"

#include <upsweep/base/error.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace nbody {
namespace {

/// Throws unless an array has a row for each of n positions.
void require_rows(std::string const& path, std::uint64_t rows, std::uint64_t n, std::string const& input) {
  if (rows != n)
    throw upsweep::input_error(path + ": " + std::to_string(rows) + " rows (expected " + std::to_string(n) +
                               ", as many as " + input + " has)");
}

/// Throws unless an array is a number for each of n positions.
void require_one_each(std::string const& path, std::vector<std::uint64_t> const& shape, std::uint64_t n,
                      std::string const& input) {
  if (shape.size() != 1) throw upsweep::input_error(path + ": an array " + apps::text_of(shape) + " (expected (n,))");
  require_rows(path, shape[0], n, input);
}

/// n integers.
std::vector<std::int64_t> read_integers(std::string const& path, std::uint64_t n, std::string const& input) {
  auto integers = apps::read_npy_integers(path);
  require_one_each(path, integers.shape, n, input);
  return std::move(integers.values);
}

/// n masses.
std::vector<double> read_masses(std::string const& path, std::uint64_t n, std::string const& input) {
  auto numbers = apps::read_npy_numbers(path);
  require_one_each(path, numbers.shape, n, input);
  apps::require_finite(path, numbers);
  for (std::size_t i = 0; i < n; ++i)
    if (!(numbers.values[i] > 0))
      throw upsweep::input_error(path + ": the value at [" + std::to_string(i) + "] is " +
                                 text("%.6g", numbers.values[i]) + " (expected a mass above 0)");
  return std::move(numbers.values);
}

}  // namespace

upsweep::particle_data read_npy_start(options const& o) {
  auto data = apps::read_points_file(o.input, {});
  std::uint64_t const n = data.size();
  if (n == 0) throw upsweep::input_error(o.input + ": no particles (expected at least one)");
  if (!o.velocities.empty()) {
    data.velocities = apps::read_npy_vectors(o.velocities);
    require_rows(o.velocities, data.velocities.size() / 3, n, o.input);
  }
  if (!o.masses.empty()) data.particle_masses = read_masses(o.masses, n, o.input);
  if (!o.types.empty()) {
    auto const types = read_integers(o.types, n, o.input);
    for (std::size_t i = 0; i < n; ++i) {
      if (types[i] < 1 || types[i] > INT32_MAX)
        throw upsweep::input_error(o.types + ": the value at [" + std::to_string(i) + "] is " +
                                   std::to_string(types[i]) + " (expected a type from 1 to 2147483647)");
      data.types[i] = static_cast<std::int32_t>(types[i]);
    }
  }
  if (o.ids.empty()) {
    std::iota(data.ids.begin(), data.ids.end(), std::int64_t(1));
  } else {
    data.ids = read_integers(o.ids, n, o.input);
    if (auto const twice = upsweep::sort_by_id(data))
      throw upsweep::input_error(o.ids + ": id " + std::to_string(*twice) + " twice (expected each once)");
  }
  for (std::size_t d = 0; d < 3; ++d) {
    data.lo[d] = o.origin[d];
    data.hi[d] = o.origin[d] + o.box[d];
    data.tilt[d] = o.tilt[d];
  }
  return data;
}

}  // namespace nbody
