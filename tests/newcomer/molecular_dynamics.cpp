// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Molecular dynamics by somebody who has read docs/neighbors.md: a list with a skin, forces from it, and a new list
// when particles have moved too far. Compared with the same steps by two loops over all particles.

#include <gtest/gtest.h>
#include <upsweep/upsweep.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

using space_type = Kokkos::DefaultExecutionSpace;
using view = Kokkos::View<double* [3]>;
using vector3 = Kokkos::Array<double, 3>;

constexpr std::size_t cells = 5, n = 4 * cells * cells * cells, steps = 60;
constexpr double cutoff = 2.5, skin = 0.3, dt = 0.005, edge = 1.68, length = edge * cells;

/// The force of a Lennard-Jones pair is this times the way from one to the other.
KOKKOS_FUNCTION double pull(double r2) {
  double const s6 = 1 / (r2 * r2 * r2);
  return -(48 * s6 * s6 - 24 * s6) / r2;
}

void compute_forces(space_type const& space, upsweep::neighbor_list<space_type, double> const& list,
                    upsweep::box<double> const& box, view const& x, view const& f) {
  auto const images = list.pair_images().view();
  upsweep::reduce_rows<vector3>(
      space, list,
      KOKKOS_LAMBDA(std::size_t i, int j, upsweep::pair_index pair, vector3& sum) {
        auto const shift = box.shift(images(pair.value));
        double way[3], r2 = 0;
        for (int d = 0; d < 3; ++d) {
          way[d] = x(j, d) - x(i, d) + shift[d];
          r2 += way[d] * way[d];
        }
        if (r2 > cutoff * cutoff) return;  // in the skin
        double const p = pull(r2);
        for (int d = 0; d < 3; ++d) sum[d] += p * way[d];
      },
      KOKKOS_LAMBDA(std::size_t i, vector3 const& sum) {
        for (int d = 0; d < 3; ++d) f(i, d) = sum[d];
      });
}

/// v += a dt / 2, and x += v dt where `moves`.
void kick_and_drift(space_type const& space, view const& x, view const& v, view const& f, bool moves) {
  Kokkos::parallel_for(
      Kokkos::RangePolicy<space_type>(space, 0, x.extent(0)), KOKKOS_LAMBDA(std::size_t i) {
        for (int d = 0; d < 3; ++d) {
          v(i, d) += 0.5 * dt * f(i, d);
          if (moves) x(i, d) += dt * v(i, d);
        }
      });
}

/// Returns how many lists were made.
int simulate(view const& x, view const& v) {
  space_type const space;
  upsweep::box<double> const box({0, 0, 0}, {length, length, length});
  view const f("f", x.extent(0)), x_at_build("x_at_build", x.extent(0));
  upsweep::wrap_positions(space, x, box);
  upsweep::neighbor_list list(space, x, box, cutoff + skin, {.pair_images = true});
  Kokkos::deep_copy(space, x_at_build, x);
  int lists = 1;
  compute_forces(space, list, box, x, f);
  for (std::size_t step = 0; step < steps; ++step) {
    kick_and_drift(space, x, v, f, true);
    if (upsweep::needs_rebuild(space, upsweep::now{x, box}, upsweep::at_build{x_at_build, box}, cutoff, skin)) {
      upsweep::wrap_positions(space, x, box);
      list.update(space, x);
      Kokkos::deep_copy(space, x_at_build, x);
      ++lists;
    }
    compute_forces(space, list, box, x, f);
    kick_and_drift(space, x, v, f, false);
  }
  space.fence();
  return lists;
}

using host_vectors = std::vector<std::array<double, 3>>;

void compute_forces_by_two_loops(host_vectors const& x, host_vectors& f) {
  for (std::size_t i = 0; i < n; ++i) {
    f[i] = {0, 0, 0};
    for (std::size_t j = 0; j < n; ++j) {
      std::array<double, 3> way;
      double r2 = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        way[d] = std::remainder(x[j][d] - x[i][d], length);
        r2 += way[d] * way[d];
      }
      if (i == j || r2 > cutoff * cutoff) continue;
      for (std::size_t d = 0; d < 3; ++d) f[i][d] += pull(r2) * way[d];
    }
  }
}

void simulate_by_two_loops(host_vectors& x, host_vectors& v) {
  host_vectors f(n);
  compute_forces_by_two_loops(x, f);
  for (std::size_t step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t d = 0; d < 3; ++d) x[i][d] += dt * (v[i][d] += 0.5 * dt * f[i][d]);
    compute_forces_by_two_loops(x, f);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t d = 0; d < 3; ++d) v[i][d] += 0.5 * dt * f[i][d];
  }
}

}  // namespace

TEST(newcomer, molecular_dynamics) {
  // A crystal, of which every particle sets out in a direction of its own.
  host_vectors x(n), v(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t const cell[3] = {i / 4 % cells, i / 4 / cells % cells, i / 4 / cells / cells};
    for (std::size_t d = 0; d < 3; ++d) {
      x[i][d] = edge * (static_cast<double>(cell[d]) + (i % 4 == 0 || i % 4 == d + 1 ? 0.0 : 0.5));
      v[i][d] = 2 * std::sin(static_cast<double>(3 * i + d) * 12.9898);
    }
  }
  view const device_x("x", n), device_v("v", n);
  auto const host_x = Kokkos::create_mirror_view(device_x), host_v = Kokkos::create_mirror_view(device_v);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      host_x(i, d) = x[i][d];
      host_v(i, d) = v[i][d];
    }
  Kokkos::deep_copy(device_x, host_x);
  Kokkos::deep_copy(device_v, host_v);

  int const lists = simulate(device_x, device_v);
  simulate_by_two_loops(x, v);
  EXPECT_GT(lists, 1);
  EXPECT_LT(lists, static_cast<int>(steps) / 2);
  Kokkos::deep_copy(host_x, device_x);
  Kokkos::deep_copy(host_v, device_v);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      ASSERT_NEAR(std::remainder(host_x(i, d) - x[i][d], length), 0, 1e-9) << i;
      ASSERT_NEAR(host_v(i, d), v[i][d], 1e-9) << i;
    }
}
