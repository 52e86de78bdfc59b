// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../backend.hpp"
#include "../scan/types.hpp"
#include "selection.hpp"

#include <upsweep/neighbors/box.hpp>
#include <upsweep/pack/sort.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace perf::neighbors {

template <class Real>
using positions = Kokkos::View<Real* [3], Kokkos::LayoutRight, memory>;

inline auto range(space const& instance, std::size_t n) {
  return Kokkos::RangePolicy<space, Kokkos::IndexType<std::size_t>>(instance, 0, n);
}

/// The particles of a workload, all inside the box.
template <class Real>
struct particles {
  positions<Real> x;
  upsweep::box<Real> box;
  std::size_t n() const { return x.extent(0); }
  bool periodic() const { return box.periodic(0); }
};

/// A random number of [0, 1) that belongs to a counter.
KOKKOS_FORCEINLINE_FUNCTION double random(std::uint64_t counter) {
  return static_cast<double>(splitmix64(counter) >> 11) * 0x1p-53;
}

/// A permutation of 0 ... n-1 as a function: four Feistel rounds over the next power of 4, repeated until the
/// result is below n.
struct shuffle {
  std::uint64_t n;
  int half;  ///< bits

  explicit shuffle(std::uint64_t elements) : n(elements), half(1) {
    while ((std::uint64_t(1) << (2 * half)) < n) ++half;
  }
  KOKKOS_FUNCTION std::uint64_t operator()(std::uint64_t i) const {
    std::uint64_t const mask = (std::uint64_t(1) << half) - 1;
    do {
      std::uint64_t left = i >> half, right = i & mask;
      for (std::uint64_t round = 0; round < 4; ++round) {
        std::uint64_t const next = left ^ (splitmix64(right + (round << 40)) & mask);
        left = right;
        right = next;
      }
      i = left << half | right;
    } while (i >= n);
    return i;
  }
};

inline constexpr double jitter = 0.15;

/// How far a Plummer sphere reaches, in its length: there (1 + x^2)^(5/2) = 100. And the mass within, as x^3 /
/// (1 + x^2)^(3/2).
inline double const plummer_reach = std::sqrt(std::pow(100.0, 0.4) - 1);
inline double const plummer_mass = std::pow(plummer_reach, 3) / std::pow(1 + plummer_reach * plummer_reach, 1.5);

template <class Real>
struct place {
  positions<Real> x;
  neighbors::shape shape;
  shuffle shuffled;
  std::uint64_t cells;  ///< of the crystal, in one direction
  double length;        ///< of the box; of a Plummer sphere the length that it is measured in
  double mass;

  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    double r[3];
    for (int d = 0; d < 3; ++d) r[d] = random(4 * i + static_cast<std::uint64_t>(d));
    if (shape == shape::uniform) {
      for (double& c : r) c *= length;
    } else if (shape == shape::fcc_jittered) {
      std::uint64_t const site = shuffled(i), cell = site / 4, corner = site % 4;
      std::uint64_t const index[3] = {cell % cells, cell / cells % cells, cell / cells / cells};
      for (int d = 0; d < 3; ++d) {
        // Corner 0 stands in the cell's corner, the others in the middle of the face across direction corner - 1.
        double const inside = corner == 0 || corner == static_cast<std::uint64_t>(d) + 1 ? 0.25 : 0.75;
        r[d] =
            (static_cast<double>(index[d]) + inside) * (length / static_cast<double>(cells)) + (2 * r[d] - 1) * jitter;
      }
    } else {
      double const radius = length / Kokkos::sqrt(Kokkos::pow(r[0] * mass, -2.0 / 3.0) - 1);
      double const z = 2 * r[1] - 1, around = 2 * 3.14159265358979323846 * r[2], flat = Kokkos::sqrt(1 - z * z);
      r[0] = radius * flat * Kokkos::cos(around);
      r[1] = radius * flat * Kokkos::sin(around);
      r[2] = radius * z;
    }
    for (int d = 0; d < 3; ++d) {
      auto const c = static_cast<Real>(r[d]);
      // A periodic box does not have its upper border.
      x(i, d) = shape != shape::plummer && c >= static_cast<Real>(length) ? Real(0) : c;
    }
  }
};

/// The cell of each particle on the Morton curve, and its number.
template <class Real>
struct curve_keys {
  positions<Real> x;
  upsweep::box<Real> box;
  std::uint64_t* keys;
  std::uint32_t* numbers;

  KOKKOS_FUNCTION static std::uint64_t spread(std::uint64_t v) {
    std::uint64_t spread_bits = 0;
    for (int bit = 0; bit < 21; ++bit) spread_bits |= (v >> bit & 1) << (3 * bit);
    return spread_bits;
  }
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    std::uint64_t key = 0;
    for (int d = 0; d < 3; ++d)
      key |= spread(static_cast<std::uint64_t>((x(i, d) - box.lo(d)) / static_cast<Real>(cutoff))) << d;
    keys[i] = key;
    numbers[i] = static_cast<std::uint32_t>(i);
  }
};

template <class Real>
struct gather_positions {
  positions<Real> from, to;
  std::uint32_t const* numbers;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    for (int d = 0; d < 3; ++d) to(i, d) = from(numbers[i], d);
  }
};

template <class Real>
positions<Real> along_curve(space const& instance, positions<Real> const& x, upsweep::box<Real> const& box) {
  std::size_t const n = x.extent(0);
  Kokkos::View<std::uint64_t*, memory> const keys("upsweep::perf::keys", n);
  Kokkos::View<std::uint32_t*, memory> const numbers("upsweep::perf::numbers", n);
  Kokkos::parallel_for("upsweep::perf::keys", range(instance, n),
                       curve_keys<Real>{x, box, keys.data(), numbers.data()});
  upsweep::sort_by_key(instance, keys, numbers);
  positions<Real> const sorted(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::positions"), n);
  Kokkos::parallel_for("upsweep::perf::gather", range(instance, n), gather_positions<Real>{x, sorted, numbers.data()});
  instance.fence("upsweep::perf::gather");
  return sorted;
}

/// The same particles in each run. Pre: n is particles_of the workload.
template <class Real>
particles<Real> make_particles(space const& instance, workload const& w, std::size_t n) {
  auto const count = static_cast<double>(n);
  bool const plummer = w.shape == shape::plummer;
  // The mean over the particles of the density around them is `density`: a Plummer sphere has 0.2371 of
  // that in its middle.
  double const length =
      plummer ? std::cbrt(count * 0.2371 / (density * 4.18879020478639 * plummer_mass)) : std::cbrt(count / density);
  auto const reach = static_cast<Real>(plummer ? plummer_reach * length * 1.0001 : length);
  Real const lo = plummer ? -reach : Real(0);
  upsweep::box<Real> const box({lo, lo, lo}, {reach, reach, reach}, {w.periodic, w.periodic, w.periodic});
  positions<Real> x(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::positions"), n);
  auto const cells = static_cast<std::uint64_t>(std::llround(std::cbrt(count / 4)));
  Kokkos::parallel_for("upsweep::perf::place", range(instance, n),
                       place<Real>{x, w.shape, shuffle(n), cells, length, plummer_mass});
  instance.fence("upsweep::perf::place");
  if (w.sorted) x = along_curve(instance, x, box);
  return {x, box};
}

}  // namespace perf::neighbors
