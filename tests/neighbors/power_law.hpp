// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace oracle {

/// n radii from `least` to `most`, of which r^-exponent are larger than r: 2.1 in granular packings of discs.
inline std::vector<double> power_law_radii(std::size_t n, double least, double most, double exponent,
                                           std::mt19937_64& engine) {
  std::vector<double> radii(n);
  for (auto& r : radii)
    r = std::min(most, least * std::pow(std::uniform_real_distribution<double>(1e-12, 1)(engine), -1 / exponent));
  return radii;
}

}  // namespace oracle
