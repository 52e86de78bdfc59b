// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Four doubles at a time in GNU vector types: compilers do not find the transposition of four 32-byte rows by themselves
// (a gather loop takes 490 ns a particle on AVX2, this one 120).
#if defined(__GNUC__) && defined(__AVX2__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#define UPSWEEP_NBODY_HAS_LANES 1

#include "force_grid.hpp"
#include "forces.hpp"

#include <cstddef>
#include <cstdint>

namespace nbody::lanes {

using double4 = double __attribute__((vector_size(32)));
using mask4 = long long __attribute__((vector_size(32)));

struct three {
  double4 x, y, z;
};

inline double4 load(double const* p) { return *reinterpret_cast<double4 const*>(p); }

/// x, y and z of four particles.
inline three gather(double const* positions, int j0, int j1, int j2, int j3) {
  auto const row = [&](int j) { return load(positions + 4 * static_cast<std::ptrdiff_t>(j)); };
  double4 const a = row(j0), b = row(j1), c = row(j2), d = row(j3);
  double4 const xz01 = __builtin_shufflevector(a, b, 0, 4, 2, 6), xz23 = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  double4 const y01 = __builtin_shufflevector(a, b, 1, 5, 3, 7), y23 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return {__builtin_shufflevector(xz01, xz23, 0, 1, 4, 5), __builtin_shufflevector(y01, y23, 0, 1, 4, 5),
          __builtin_shufflevector(xz01, xz23, 2, 3, 6, 7)};
}

/// One pass over row i on the grid of `unit`. Lanes without a neighbour look at row `far`, which is beyond every
/// cutoff.
template <class Fourth>
row_sum<double, Fourth> pass(std::int64_t i, list_rows const& list, double const* positions, int far, double cutoff2,
                             double unit) {
  double const* const own = positions + 4 * i;
  double const x = own[0], y = own[1], z = own[2];
  row_sum<double4, Fourth> lane;
  auto const add = [&](three const& other) {
    double4 const dx = x - other.x, dy = y - other.y, dz = z - other.z;
    double4 const r2 = dx * dx + dy * dy + dz * dz;
    double4 const all = lennard_jones::force_over_r(1.0 / r2);
    double4 const f = r2 <= cutoff2 ? all : double4{};
    lane.add(r2, on_force_grid(dx * f, unit), on_force_grid(dy * f, unit), on_force_grid(dz * f, unit));
  };
  int const* k = list.neighbors + list.offsets[i];
  int const* const end = list.neighbors + list.offsets[i + 1];
  for (; end - k >= 4; k += 4) add(gather(positions, k[0], k[1], k[2], k[3]));
  if (k != end) add(gather(positions, k[0], end - k > 1 ? k[1] : far, end - k > 2 ? k[2] : far, far));
  row_sum<double, Fourth> sum;
  for (int l = 0; l < 4; ++l) sum += {lane.x[l], lane.y[l], lane.z[l], lane.fourth[l]};
  return sum;
}

}  // namespace nbody::lanes

#endif
