// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Any bytes are refused by input_error, or give particles that fit together.
#include "fuzz.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/extended_xyz.hpp>

#include <algorithm>
#include <cmath>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* bytes, std::size_t n) {
  static fuzz::folder const folder;
  upsweep::particle_data p;
  try {
    p = upsweep::read_extended_xyz(folder.file("x.xyz", bytes, n));
  } catch (upsweep::input_error const&) {
    return 0;
  }
  auto const finite = [](auto const& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  };
  std::size_t const size = p.size();
  fuzz::check(size >= 1, "no particles");
  fuzz::check(p.types.size() == size && p.positions.size() == 3 * size && p.velocities.size() == 3 * size &&
                  p.image_flags.size() == 3 * size,
              "arrays of different lengths");
  fuzz::check(std::adjacent_find(p.ids.begin(), p.ids.end(), [](auto a, auto b) { return a >= b; }) == p.ids.end(),
              "ids that do not ascend");
  fuzz::check(std::all_of(p.types.begin(), p.types.end(), [](auto type) { return type >= 1; }), "a type below 1");
  fuzz::check(finite(p.positions) && finite(p.velocities) && finite(p.lo) && finite(p.hi) && finite(p.tilt),
              "numbers that are not finite");
  auto const& masses = p.particle_masses;
  fuzz::check(masses.empty() || masses.size() == size, "masses of some particles alone");
  fuzz::check(finite(masses) && std::all_of(masses.begin(), masses.end(), [](double m) { return m > 0; }),
              "a mass of zero or less");
  for (std::size_t d = 0; d < 3; ++d) fuzz::check(p.lo[d] < p.hi[d], "a box without volume");
  return 0;
}
