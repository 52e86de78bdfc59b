// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/io/particle_data.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace check {

/// A list as upsweep-nbody writes it.
struct full_list {
  std::vector<std::int64_t> offsets, neighbors;
  std::vector<std::int8_t> images;

  bool operator==(full_list const&) const = default;
  std::int64_t largest_row() const;
  /// The list hash, written down a second time from its definition.
  std::uint64_t hash() const;
};

/// Every pair of every image within one box length, in the arithmetic that the library documents; all
/// directions periodic.
full_list brute_force(upsweep::particle_data const& particles, double cutoff);

/// A data file of n random atoms in a box of three different lengths, with the tilts xy, xz, yz: some far outside of
/// the box, some at one place, some on borders of boxes and bricks; ids with gaps, in no order.
std::string random_data_file(int n, unsigned seed, std::array<double, 3> const& tilt);

/// A data file of a perfect fcc crystal, 6 x 8 x 5 cells with random velocities, in a tilted box.
std::string tilted_crystal_file(double density, unsigned seed);

}  // namespace check
