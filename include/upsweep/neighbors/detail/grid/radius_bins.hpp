// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <bit>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// Bins of radii, a thirty-second of an octave each, from the cutoff down over 16 octaves. A bin is exponent and first
/// bits of the mantissa, so that no rounding decides. What is not a radius, or above the cutoff, counts as 0, or as the
/// cutoff.
struct radius_bins {
  static constexpr int per_octave = 32, count = 16 * per_octave;
  /// Radii of at least two fifths of the cutoff are in bins before this one: no classes could halve the cost of those.
  static constexpr int similar = 42;

  std::uint64_t first;  ///< what the cutoff has in these bits

  explicit radius_bins(double cutoff) : first(key(cutoff)) {}

  KOKKOS_FUNCTION int operator()(double radius) const {
    if (!(radius > 0)) return count - 1;
    std::uint64_t const own = key(radius);
    if (own >= first) return 0;
    return first - own < count ? static_cast<int>(first - own) : count - 1;
  }

  /// No radius of a bin is above this, except those above the cutoff.
  double largest(int bin) const {
    return std::bit_cast<double>((first - static_cast<std::uint64_t>(bin) + 1) << dropped_bits);
  }

 private:
  static constexpr int dropped_bits = 52 - std::bit_width(static_cast<unsigned>(per_octave - 1));

  KOKKOS_FUNCTION static std::uint64_t key(double positive) {
    return Kokkos::bit_cast<std::uint64_t>(positive) >> dropped_bits;
  }
};

/// The bin of particle i's radius.
struct bin_of_radius {
  radius_bins bins;
  double const* radii;
  KOKKOS_FUNCTION int operator()(std::int64_t i) const { return bins(radii[i]); }
};

}  // namespace upsweep::neighbors::detail
