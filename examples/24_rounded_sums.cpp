// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Running sums of many floats: a time axis of four million equal steps, by plus and by monoids that lose less. Each
// addition of floats rounds.

#include "example.hpp"

#include <upsweep/base/compensated_plus.hpp>
#include <upsweep/base/fetch.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/base/reproducible_plus.hpp>
#include <upsweep/scan/inclusive_scan.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

constexpr std::size_t steps = std::size_t(1) << 22;
constexpr float step = 0.001f;

/// The time after step i. Exact: a float times a number of 23 bits fits in a double.
double exact(std::size_t i) { return static_cast<double>(step) * static_cast<double>(i + 1); }

/// The largest relative error of a time axis.
double largest_error(std::vector<float> const& times) {
  double largest = 0;
  for (std::size_t i = 0; i < times.size(); ++i) largest = std::max(largest, std::abs(times[i] - exact(i)) / exact(i));
  return largest;
}

template <class Monoid>
std::vector<float> time_axis(Monoid const& sum) {
  Kokkos::DefaultExecutionSpace const space;
  Kokkos::View<float*> const times("times", steps);
  upsweep::inclusive_scan(space, KOKKOS_LAMBDA(std::size_t) { return step; }, times, sum);
  return upsweep::to_host(space, times);
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);

  // One step after the other, as a program adds up its time. Late steps are all rounded the same way, since the sum
  // has few bits left for them.
  std::vector<float> loop;
  float time = 0;
  for (std::size_t i = 0; i < steps; ++i) loop.push_back(time += step);
  example::expect("percent by which a loop is wrong", std::lround(100 * largest_error(loop)), 2);

  // A scan adds up tiles, and then their sums, so it is better. How much depends on the tiles, and so on the backend.
  example::confirm("plus is right to 1 percent", largest_error(time_axis(upsweep::plus<>{})) < 1e-2);

  // The errors of additions are kept beside the sum, and added at the end.
  auto const compensated = time_axis(upsweep::compensated_plus<float>{});
  example::confirm("compensated_plus is right to 1 part in a million", largest_error(compensated) < 1e-6);

  // The sum is kept exactly, and rounded once: the nearest float, on every backend. It costs many times as much.
  auto const reproducible = time_axis(upsweep::reproducible_plus<float>{});
  bool nearest = true;
  for (std::size_t i = 0; i < steps; ++i) nearest = nearest && reproducible[i] == static_cast<float>(exact(i));
  example::confirm("reproducible_plus gives the nearest float", nearest);
  return example::exit_code();
}
