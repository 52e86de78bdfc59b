// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "fuzz.hpp"

#include <upsweep/io/particle_data.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace fuzz {

template <class Values>
bool all_finite(Values const& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

/// Checks what holds for the particles of a file of any format.
inline void check_particles(upsweep::particle_data const& p) {
  std::size_t const n = p.size();
  check(p.types.size() == n && p.positions.size() == 3 * n && p.velocities.size() == 3 * n &&
            p.image_flags.size() == 3 * n,
        "arrays of different lengths");
  check(std::adjacent_find(p.ids.begin(), p.ids.end(), [](auto a, auto b) { return a >= b; }) == p.ids.end(),
        "ids that do not ascend");
  check(std::all_of(p.types.begin(), p.types.end(), [](auto type) { return type >= 1; }), "a type below 1");
  check(all_finite(p.positions) && all_finite(p.velocities), "numbers that are not finite");
  for (auto const* const masses : {&p.masses, &p.particle_masses})
    check(all_finite(*masses) && std::all_of(masses->begin(), masses->end(), [](double m) { return m > 0; }),
          "a mass that is not above 0");
  check(all_finite(p.lo) && all_finite(p.hi) && all_finite(p.tilt), "a box that is not finite");
  for (std::size_t d = 0; d < 3; ++d) check(p.lo[d] < p.hi[d], "a box without volume");
}

}  // namespace fuzz
