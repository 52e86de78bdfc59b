// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "brute_force.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

namespace check {
namespace {

double wrap(double x, double lo, double hi) {
  double const length = hi - lo;
  if (x >= lo && x < hi) return x;
  double const wrapped = std::fma(-std::floor((x - lo) / length), length, x);
  return wrapped >= lo && wrapped < hi ? wrapped : lo;
}

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

}  // namespace

std::int64_t full_list::largest_row() const {
  std::int64_t largest = 0;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) largest = std::max(largest, offsets[i + 1] - offsets[i]);
  return largest;
}

std::uint64_t full_list::hash() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    for (auto k = static_cast<std::size_t>(offsets[i]); k < static_cast<std::size_t>(offsets[i + 1]); ++k) {
      std::int64_t s = 0;
      for (int d = 0; d < 3; ++d)
        s += (images[3 * k + static_cast<std::size_t>(d)] + (std::int64_t(1) << 20)) * (std::int64_t(1) << (21 * d));
      sum += mix(mix(mix(i) ^ static_cast<std::uint64_t>(neighbors[k])) ^ static_cast<std::uint64_t>(s));
    }
  }
  return sum;
}

full_list brute_force(upsweep::particle_data const& particles, double cutoff) {
  std::size_t const n = particles.size();
  std::vector<double> x(3 * n);
  for (std::size_t i = 0; i < 3 * n; ++i) x[i] = wrap(particles.positions[i], particles.lo[i % 3], particles.hi[i % 3]);
  double const cutoff2 = cutoff * cutoff;
  full_list list;
  list.offsets.push_back(0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      // Images in the order of files: z, then y, then x.
      for (int code = 0; code < 27; ++code) {
        std::array<int, 3> const s{code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
        if (i == j && code == 13) continue;
        std::array<double, 3> d{};
        for (std::size_t c = 0; c < 3; ++c)
          d[c] = (x[3 * j + c] - x[3 * i + c]) + static_cast<double>(s[c]) * (particles.hi[c] - particles.lo[c]);
        if (std::fma(d[2], d[2], std::fma(d[1], d[1], d[0] * d[0])) > cutoff2) continue;
        list.neighbors.push_back(static_cast<std::int64_t>(j));
        for (int const c : s) list.images.push_back(static_cast<std::int8_t>(c));
      }
    }
    list.offsets.push_back(static_cast<std::int64_t>(list.neighbors.size()));
  }
  return list;
}

std::string random_data_file(int n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::array<double, 3> const lo{-1, 0, 2.5}, length{10, 12, 14};
  auto const uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  std::string text = "Random atoms\n\n" + std::to_string(n) + " atoms\n1 atom types\n";
  char line[200];
  for (std::size_t d = 0; d < 3; ++d) {
    std::snprintf(line, sizeof(line), "%.17g %.17g %clo %chi\n", lo[d], lo[d] + length[d], "xyz"[d], "xyz"[d]);
    text += line;
  }
  text += "\nAtoms # atomic\n\n";
  for (int const id : order) {
    std::array<double, 3> x{};
    for (std::size_t d = 0; d < 3; ++d) {
      double part = uniform();
      // Borders of the box and of bricks; boxes away; one place for several.
      if (id % 11 == 0) part = 0.25 * std::floor(5 * part);
      if (id % 7 == 0) part += std::floor(6 * uniform()) - 3;
      if (id % 100 == 99) part = 0.125;
      x[d] = std::fma(part, length[d], lo[d]);
    }
    std::snprintf(line, sizeof(line), "%d 1 %.17g %.17g %.17g\n", 3 * id + 5, x[0], x[1], x[2]);
    text += line;
  }
  return text;
}

}  // namespace check
