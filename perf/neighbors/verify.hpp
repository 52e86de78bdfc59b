// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "implementation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace perf::neighbors {

/// The square of the distance of two particles, of their nearest images in a periodic box, with the
/// library's arithmetic.
template <class Real>
struct squared_distance {
  positions<Real> x;
  upsweep::box<Real> box;
  KOKKOS_FUNCTION Real operator()(std::size_t i, std::size_t j) const {
    Real d[3];
    for (int k = 0; k < 3; ++k) {
      d[k] = x(j, k) - x(i, k);
      Real const half = box.length(k) / 2;
      if (box.periodic(k) && d[k] > half) d[k] -= box.length(k);
      else if (box.periodic(k) && d[k] < -half) d[k] += box.length(k);
    }
    return Kokkos::fma(d[2], d[2], Kokkos::fma(d[1], d[1], d[0] * d[0]));
  }
};

/// Sums by which the neighbours of one particle differ from other sets: over all particles, or over a row of a list.
/// Those that are neighbours whatever the rounding; and in a row, how many are none whatever the rounding.
template <class Real>
struct sum_row {
  squared_distance<Real> r2;
  std::size_t i, n;
  int const* row;  ///< null: all particles
  Real surely, hardly;

  KOKKOS_FUNCTION void operator()(std::size_t k, std::uint64_t& sum, std::size_t& wrong) const {
    std::size_t const j = row == nullptr ? k : static_cast<std::size_t>(row[k]);
    if (j >= n || (row != nullptr && j == i)) {
      ++wrong;
      return;
    }
    if (j == i) return;
    Real const distance = r2(i, j);
    if (distance <= surely) sum += splitmix64(j);
    else if (row != nullptr && distance > hardly) ++wrong;
  }
};

/// The first of a sample of rows that a test of all pairs contradicts; -1 if there is none. band: the part of the
/// cutoff's square by which rounding may differ.
template <class Real>
std::int64_t wrong_row(space const& instance, particles<Real> const& p, rows const& list, double band) {
  std::size_t const n = p.n();
  auto const square = static_cast<Real>(cutoff) * static_cast<Real>(cutoff);
  auto const surely = static_cast<Real>(square * (1 - band)), hardly = static_cast<Real>(square * (1 + band));
  auto const offsets = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list.offsets);
  if (offsets.extent(0) != n + 1 || offsets(0) != 0 || offsets(n) != list.neighbors.extent(0)) return 0;
  squared_distance<Real> const r2{p.x, p.box};
  std::size_t const step = std::max<std::size_t>(n / 40, 1);
  for (std::size_t i = step / 2; i < n; i += step) {
    if (offsets(i) > offsets(i + 1) || offsets(i + 1) > offsets(n)) return static_cast<std::int64_t>(i);
    std::uint64_t expected = 0, found = 0;
    std::size_t none = 0, wrong = 0;
    Kokkos::parallel_reduce("upsweep::perf::verify", range(instance, n),
                            sum_row<Real>{r2, i, n, nullptr, surely, hardly}, expected, none);
    Kokkos::parallel_reduce("upsweep::perf::verify", range(instance, offsets(i + 1) - offsets(i)),
                            sum_row<Real>{r2, i, n, list.neighbors.data() + offsets(i), surely, hardly}, found, wrong);
    if (found != expected || wrong != 0) return static_cast<std::int64_t>(i);
  }
  return -1;
}

struct add_neighbor {
  int const* neighbors;
  KOKKOS_FUNCTION void operator()(std::size_t k, std::uint64_t& sum) const {
    sum += splitmix64(k * 0x100000001b3u ^ static_cast<std::uint64_t>(neighbors[k]));
  }
};

template <class T>
struct differs {
  T const *a, *b;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& sum) const { sum += a[i] == b[i] ? 0 : 1; }
};

template <class View>
std::size_t count_differences(space const& instance, View const& a, View const& b) {
  std::size_t different = 0;
  Kokkos::parallel_reduce("upsweep::perf::verify", range(instance, a.extent(0)),
                          differs<typename View::non_const_value_type>{a.data(), b.data()}, different);
  return different;
}

/// What is known of a workload's list, once we built it: its pairs, and a sum over neighbours and their places.
struct known_list {
  bool set = false;
  std::size_t pairs = 0;
  std::uint64_t sum = 0;
};

/// What is wrong with a list; empty if nothing is. The first right one of ours becomes what is known.
template <class Real>
std::string verify(space const& instance, particles<Real> const& p, prepared const& made, bool exact,
                   known_list& known) {
  bool const single = std::is_same_v<Real, float>;
  rows const list = made.rows();
  auto const row = wrong_row(instance, p, list, exact ? 0 : single ? 1e-4 : 1e-10);
  if (row >= 0) return "row " + std::to_string(row) + " is wrong";
  std::size_t const pairs = made.pairs();
  known_list found{true, pairs, 0};
  if (exact)
    Kokkos::parallel_reduce("upsweep::perf::verify", range(instance, list.neighbors.extent(0)),
                            add_neighbor{list.neighbors.data()}, found.sum);
  if (!known.set) {
    if (exact) known = found;
    return "";
  }
  std::size_t const difference = std::max(pairs, known.pairs) - std::min(pairs, known.pairs);
  double const allowed = exact ? 0 : 16 + (single ? 1e-5 : 1e-8) * static_cast<double>(pairs);
  if (static_cast<double>(difference) > allowed)
    return std::to_string(pairs) + " pairs, not " + std::to_string(known.pairs);
  return exact && found.sum != known.sum ? "another list than our other builder's" : "";
}

/// What is wrong with a list that must be the reference, bit by bit; empty if nothing is.
inline std::string verify_same(space const& instance, prepared const& made, prepared const& reference) {
  reference.build();
  rows const list = made.rows(), wanted = reference.rows();
  if (list.offsets.extent(0) != wanted.offsets.extent(0) || list.neighbors.extent(0) != wanted.neighbors.extent(0))
    return std::to_string(list.neighbors.extent(0)) + " pairs, not " + std::to_string(wanted.neighbors.extent(0));
  std::size_t different = count_differences(instance, list.offsets, wanted.offsets) +
                          count_differences(instance, list.neighbors, wanted.neighbors);
  if (made.values) {
    auto const values = made.values(), wanted_values = reference.values();
    for (std::size_t k = 0; k < wanted_values.size(); ++k) {
      if (values[k].extent(0) != wanted_values[k].extent(0)) return "values of other pairs than the plain builder's";
      different += count_differences(instance, values[k], wanted_values[k]);
    }
  }
  return different == 0 ? "" : std::to_string(different) + " entries differ from the plain builder's";
}

}  // namespace perf::neighbors
