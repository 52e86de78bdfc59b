// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "memory.hpp"

#include "../neighbor_positions.hpp"
#include "../text.hpp"

#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <type_traits>

namespace nbody {
namespace {

constexpr double of_vector = 3 * sizeof(double), of_number = 8;

/// particle_data: positions, velocities, types, ids, image flags, masses.
constexpr double bytes_of_start = 2 * of_vector + 4 * sizeof(int) + 2 * of_number;
/// positions, velocities, masses, ids, types, edges.
constexpr double bytes_of_atoms = 2 * of_vector + 2 * of_number + 4 * sizeof(int);
/// What neighbor_positions keeps of a particle.
constexpr double bytes_of_positions = 4 * sizeof(double) + (neighbor_positions::split ? of_vector + sizeof(int) : 0);
/// Forces, positions for loops over neighbours, ids of the list, positions at the last rebuild, all with head-room
/// (kept_rows); offsets.
constexpr double bytes_of_step = 1.125 * (of_vector + bytes_of_positions + of_number + of_vector) + sizeof(std::size_t);

/// Of a particle of a liquid, itself not counted.
double mean_neighbors(double density, double list_cutoff) {
  double const sphere = 4.0 / 3.0 * std::numbers::pi * list_cutoff * list_cutoff * list_cutoff;
  return std::max(sphere * density - 1, 0.0);
}

std::size_t whole(double bytes) { return bytes < 0x1p63 ? static_cast<std::size_t>(bytes) : std::size_t(1) << 63; }

}  // namespace

void require_countable_neighbors(std::string const& start, double density, double list_cutoff) {
  constexpr int most = std::numeric_limits<int>::max();
  if (mean_neighbors(density, list_cutoff) <= most) return;
  double const longest = std::cbrt((most + 1.0) / (4.0 / 3.0 * std::numbers::pi * density));
  throw upsweep::input_error(text("--cutoff and --skin, together %.6g: more than 2^31 neighbours of each particle, its "
                                  "own images among them, at the density %.6g of ",
                                  list_cutoff, density) +
                             start + text(" (expected at most %.4g, or a lower density)", longest));
}

void require_memory_for(space_type const& space, char const* option, std::int64_t particles, double density,
                        double list_cutoff, int ranks_on_node) {
  // A crystal may have some fewer neighbours than the mean of a liquid.
  double const of_row = 0.9 * mean_neighbors(density, list_cutoff) * sizeof(int);
  auto const n = static_cast<double>(particles);
  double const device = n * (bytes_of_atoms + bytes_of_step + of_row), start = n * bytes_of_start;
  Kokkos::DefaultHostExecutionSpace const host;
  auto const what = [&](int ranks) {
    return std::to_string(particles) + (particles == 1 ? " particle" : " particles") +
           (ranks == 1 ? "" : " on each of " + std::to_string(ranks) + " ranks of a node");
  };
  if constexpr (std::is_same_v<memory_space, Kokkos::HostSpace>) {
    // The start is gone before the list is built.
    double const most = std::max(start + n * bytes_of_atoms, device);
    upsweep::require_memory(host, whole(most * ranks_on_node), option, what(ranks_on_node));
  } else {
    upsweep::require_memory(host, whole(start * ranks_on_node), option, "the start of " + what(ranks_on_node));
    upsweep::require_memory(space, whole(device), option, what(1));
  }
}

}  // namespace nbody
