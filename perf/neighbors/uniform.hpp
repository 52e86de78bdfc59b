// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Lists of particles that are uniform in a cube. Instantiated for one type a file: they take long to compile.

#include "../measure.hpp"
#include "../neighbors.hpp"
#include "../scan/types.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

namespace perf {

inline constexpr double density = 0.8442, cutoff = 2.8;

template <class Real>
using positions = Kokkos::View<Real* [3], Kokkos::LayoutRight, memory>;

/// n particles, uniform in a cube of the density of the Lennard-Jones liquid.
template <class Real>
positions<Real> uniform(std::size_t n, Real length) {
  positions<Real> const x(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::positions"), n);
  auto const host = Kokkos::create_mirror_view(x);
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<Real> pick(0, length);
  for (std::size_t i = 0; i < n; ++i)
    for (int d = 0; d < 3; ++d) host(i, d) = pick(engine);
  Kokkos::deep_copy(x, host);
  return x;
}

/// Rows of a sample of particles against a test of all pairs.
template <class List, class Real>
bool right(List const& list, positions<Real> const& x, Real length) {
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  auto const offsets = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list.offsets());
  auto const index = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list.neighbors());
  std::size_t const n = x.extent(0);
  for (std::size_t i = 0; i < n; i += n / 50 + 1) {
    std::vector<int> expected, got(index.data() + offsets(i), index.data() + offsets(i + 1));
    for (std::size_t j = 0; j < n; ++j) {
      Real d[3];
      for (int k = 0; k < 3; ++k) {
        d[k] = host(j, k) - host(i, k);
        Real const image = d[k] > length / 2 ? -length : d[k] < -length / 2 ? length : Real(0);
        d[k] += image;
      }
      if (j != i && std::fma(d[2], d[2], std::fma(d[1], d[1], d[0] * d[0])) <= Real(cutoff) * Real(cutoff)) expected.push_back(static_cast<int>(j));
    }
    std::sort(got.begin(), got.end());
    if (got != expected) return false;
  }
  return true;
}

template <class Real>
void add_uniform(std::size_t n) {
  auto const length = static_cast<Real>(std::cbrt(static_cast<double>(n) / density));
  int const measurements = n <= 256000 ? 15 : 7;
  add(key("neighbors", "upsweep", "uniform", type_name<Real>(), n), measurements, [=](benchmark::State& state) {
    space const instance;
    auto const x = uniform<Real>(n, length);
    upsweep::neighbor_list list(instance, x, upsweep::box<Real>({0, 0, 0}, {length, length, length}), Real(cutoff));
    if (!right(list, x, length)) {
      state.SkipWithError("wrong result");
      return;
    }
    time_latency(state, instance, [&] { list.update(instance, x); });
    state.counters["pairs"] = static_cast<double>(list.pairs());
    state.counters["bytes"] = static_cast<double>(list.last_plan().bytes());
  });
  // What moving the finished list costs at least: a copy of as many indices.
  add(key("neighbors", "copy", "uniform", type_name<Real>(), n), measurements, [=](benchmark::State& state) {
    auto const pairs = static_cast<std::size_t>(static_cast<double>(n) * density * 4.0 / 3.0 * M_PI * cutoff * cutoff * cutoff);
    Kokkos::View<int*, memory> const in("upsweep::perf::in", pairs), out("upsweep::perf::out", pairs);
    space const instance;
    time_latency(state, instance, [&] { copy_bytes(instance, out.data(), in.data(), pairs * sizeof(int)); });
    state.counters["pairs"] = static_cast<double>(pairs);
    state.counters["bytes"] = static_cast<double>(2 * pairs * sizeof(int));
  });
}

}  // namespace perf
