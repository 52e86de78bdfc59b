// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../../support/splitmix.hpp"

#include <upsweep/neighbors/neighbor_lanes.hpp>

#include <cstdint>

namespace nbody {

// Normal numbers with the same bits on all machines. They are made of integers, fused multiply-adds, square roots and
// divisions, which are rounded correctly everywhere. Logarithms and cosines of libraries differ in last bits.

/// A number in (0, 1] from the first 53 bits.
KOKKOS_INLINE_FUNCTION double uniform_number(std::uint64_t bits) {
  return static_cast<double>((bits >> 11) + 1) * 0x1p-53;
}

/// The natural logarithm of a positive normal number, within 2e-16 relative or absolute. x = 2^e m with m around 1, and
/// log m = 2 artanh((m - 1) / (m + 1)) by its series: the argument is at most 0.172, so the first term that is left
/// out, of degree 25, is 1e-17 of the sum.
KOKKOS_INLINE_FUNCTION double portable_log(double x) {
  auto const bits = Kokkos::bit_cast<std::uint64_t>(x);
  int e = static_cast<int>(bits >> 52) - 1023;
  double m = Kokkos::bit_cast<double>((bits & ((std::uint64_t(1) << 52) - 1)) | (std::uint64_t(1023) << 52));
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++e;
  }
  double const s = (m - 1) / (m + 1), z = s * s;
  double p = 0;
  for (int k = 23; k >= 3; k -= 2) p = upsweep::fma(p, z, 2.0 / k);
  double const log_m = upsweep::fma(s * z, p, 2 * s);
  // log 2 in two parts, of which the first has zeros at its end: e times it is exact.
  auto const twos = static_cast<double>(e);
  return upsweep::fma(twos, 0x1.62e42fefa38p-1, upsweep::fma(twos, 0x1.ef35793c7673p-45, log_m));
}

/// e^x for x <= 0, within 2e-15 of it for x >= -4: the series of e^(x / 2^k), 2^-k x >= -1/2, is squared k times. Its
/// first term that is left out is 1e-18.
KOKKOS_INLINE_FUNCTION double portable_exp(double x) {
  if (x < -750) return 0;
  int squarings = 0;
  for (; x < -0.5; x *= 0.5) ++squarings;
  double p = 1;
  for (int k = 14; k >= 1; --k) p = upsweep::fma(x / k, p, 1.0);
  for (; squarings > 0; --squarings) p *= p;
  return p;
}

struct cosine_and_sine {
  double cosine, sine;
};

/// cos(2 pi u) and sin(2 pi u) for 0 <= u <= 1, within 2e-16: the nearest quarter of a turn is taken off exactly, and
/// what is left is at most pi / 4, where the series of degrees 16 and 17 are within 1e-17.
KOKKOS_INLINE_FUNCTION cosine_and_sine portable_turn(double u) {
  int const quarter = static_cast<int>(4 * u + 0.5);
  double const a = 6.283185307179586 * (u - 0.25 * quarter), z = a * a;
  // 1 - z/2 (1 - z/12 (1 - z/30 ...)), and a (1 - z/6 (1 - z/20 ...)).
  double c = 1, s = 1;
  for (int k = 16; k >= 2; k -= 2) {
    double const of_cosine = z * (1.0 / (k * (k - 1))), of_sine = z * (1.0 / (k * (k + 1)));
    c = upsweep::fma(-of_cosine, c, 1.0);
    s = upsweep::fma(-of_sine, s, 1.0);
  }
  s *= a;
  bool const swapped = (quarter & 1) != 0;
  double const x = swapped ? s : c, y = swapped ? c : s;
  return {quarter == 1 || quarter == 2 ? -x : x, quarter == 2 || quarter == 3 ? -y : y};
}

/// A stream of 64-bit numbers for each seed, step and particle.
KOKKOS_INLINE_FUNCTION std::uint64_t noise_stream(std::uint64_t seed, std::int64_t step, std::int64_t id) {
  std::uint64_t const of_step =
      apps::splitmix(apps::splitmix(seed ^ 0x6e6f6973655f6f66ull) ^ static_cast<std::uint64_t>(step));
  return apps::splitmix(of_step ^ static_cast<std::uint64_t>(id));
}

struct two_normals {
  double first, second;
};

/// Two standard normal numbers from numbers k and k + 1 of a stream, by Box and Muller.
KOKKOS_INLINE_FUNCTION two_normals normal_pair(std::uint64_t stream, std::uint64_t k) {
  double const u = uniform_number(apps::splitmix(stream + k)), v = uniform_number(apps::splitmix(stream + k + 1));
  auto const turn = portable_turn(v);
  double const size = Kokkos::sqrt(-2 * portable_log(u));
  return {size * turn.cosine, size * turn.sine};
}

}  // namespace nbody
