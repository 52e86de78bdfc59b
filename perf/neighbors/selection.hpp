// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../selection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace perf::neighbors {

/// Particles per volume, and the distance of neighbours: those of the Lennard-Jones liquid, 77.6 neighbours on average.
inline constexpr double density = 0.8442, cutoff = 2.8;

enum class shape {
  uniform,       ///< each coordinate random
  fcc_jittered,  ///< the fcc crystal of the density, each coordinate moved at random by up to 0.15: as even as a liquid
  plummer        ///< a Plummer sphere up to where it has a hundredth of the density in its middle
};

/// Where particles are, and in which order they are given.
struct workload {
  char const* name;
  neighbors::shape shape;
  bool periodic;
  /// In the order of a space-filling curve over cells of a cutoff, as in codes that sort now and then; else random.
  bool sorted;
};

inline constexpr std::array<workload, 8> workloads{{{"uniform", shape::uniform, true, false},
                                                    {"uniform_sorted", shape::uniform, true, true},
                                                    {"uniform_open", shape::uniform, false, false},
                                                    {"uniform_open_sorted", shape::uniform, false, true},
                                                    {"fcc_jittered", shape::fcc_jittered, true, false},
                                                    {"fcc_jittered_sorted", shape::fcc_jittered, true, true},
                                                    {"plummer", shape::plummer, false, false},
                                                    {"plummer_sorted", shape::plummer, false, true}}};

/// The number of particles that a workload has instead of n: a crystal has four in each of a cube of cells.
inline std::size_t particles_of(workload const& w, std::size_t n) {
  if (w.shape != shape::fcc_jittered) return n;
  auto const cells = static_cast<std::size_t>(std::max(std::llround(std::cbrt(static_cast<double>(n) / 4)), 4LL));
  return 4 * cells * cells * cells;
}

/// What to measure of the neighbour lists.
struct list_selection : common_selection {
  std::vector<std::string> workloads;
};

/// The names that a selection may hold.
std::vector<std::string> list_types();
std::vector<std::string> list_impls();
std::vector<std::string> list_workloads();

/// Registers the selected lists; prints which sizes do not fit into memory.
void add_lists(list_selection const& selection);

}  // namespace perf::neighbors
