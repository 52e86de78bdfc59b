// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "brute_force.hpp"

#include "../../oracle/points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

namespace check {
namespace {

oracle::cell_box<double> box_of(upsweep::particle_data const& data) {
  return {data.lo, data.hi, {true, true, true}, data.tilt};
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
  auto const box = box_of(particles);
  std::vector<std::array<double, 3>> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    double const* const p = particles.positions.data() + 3 * i;
    x[i] = oracle::wrapped(box, {p[0], p[1], p[2]});
  }
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
        for (std::size_t c = 0; c < 3; ++c) {
          double shift = 0;
          for (int k = 0; k < 3; ++k) shift = std::fma(s[static_cast<std::size_t>(k)], box.edge(k)[c], shift);
          d[c] = (x[j][c] - x[i][c]) + shift;
        }
        if (std::fma(d[2], d[2], std::fma(d[1], d[1], d[0] * d[0])) > cutoff2) continue;
        list.neighbors.push_back(static_cast<std::int64_t>(j));
        for (int const c : s) list.images.push_back(static_cast<std::int8_t>(c));
      }
    }
    list.offsets.push_back(static_cast<std::int64_t>(list.neighbors.size()));
  }
  return list;
}

namespace {

/// The beginning of a data file, with everything that stands before the atoms.
std::string data_file_head(std::string const& title, int n, oracle::cell_box<double> const& box) {
  std::string text = title + "\n\n" + std::to_string(n) + " atoms\n1 atom types\n";
  char line[200];
  for (std::size_t d = 0; d < 3; ++d) {
    std::snprintf(line, sizeof(line), "%.17g %.17g %clo %chi\n", box.lo[d], box.hi[d], "xyz"[d], "xyz"[d]);
    text += line;
  }
  if (box.tilted()) {
    std::snprintf(line, sizeof(line), "%.17g %.17g %.17g xy xz yz\n", box.tilt[0], box.tilt[1], box.tilt[2]);
    text += line;
  }
  return text;
}

}  // namespace

std::string random_data_file(int n, unsigned seed, std::array<double, 3> const& tilt) {
  std::mt19937_64 random(seed);
  oracle::cell_box<double> const box{{-1, 0, 2.5}, {9, 12, 16.5}, {true, true, true}, tilt};
  auto const uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  auto text = data_file_head("Random atoms", n, box);
  char line[200];
  text += "\nAtoms # atomic\n\n";
  for (int const id : order) {
    auto x = box.lo;
    for (int d = 0; d < 3; ++d) {
      double part = uniform();
      // Borders of the box and of bricks; boxes away; one place for several.
      if (id % 11 == 0) part = 0.25 * std::floor(5 * part);
      if (id % 7 == 0) part += std::floor(6 * uniform()) - 3;
      if (id % 100 == 99) part = 0.125;
      for (std::size_t c = 0; c < 3; ++c) x[c] = std::fma(part, box.edge(d)[c], x[c]);
    }
    std::snprintf(line, sizeof(line), "%d 1 %.17g %.17g %.17g\n", 3 * id + 5, x[0], x[1], x[2]);
    text += line;
  }
  return text;
}

std::string tilted_crystal_file(double density, unsigned seed) {
  std::mt19937_64 random(seed);
  double const a = std::cbrt(4 / density);
  std::array<int, 3> const cells{6, 8, 5};
  // Edges are translations of the lattice: halves of a whose numbers add up to an even one.
  oracle::cell_box<double> const box{{0, 0, 0}, {6 * a, 8 * a, 5 * a}, {true, true, true}, {2 * a, -1.5 * a, 2.5 * a}};
  constexpr double basis[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  int const n = 4 * cells[0] * cells[1] * cells[2];
  auto text = data_file_head("A crystal in a tilted box", n, box);
  std::string velocities = "\nVelocities\n\n";
  text += "\nAtoms # atomic\n\n";
  char line[200];
  for (int id = 0; id < n; ++id) {
    int const cell = id / 4;
    int const at[3] = {cell % cells[0], cell / cells[0] % cells[1], cell / cells[0] / cells[1]};
    std::array<double, 3> x{}, v{};
    for (std::size_t d = 0; d < 3; ++d) {
      x[d] = a * (at[d] + basis[id % 4][d]);
      v[d] = 4 * (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5);
    }
    std::snprintf(line, sizeof(line), "%d 1 %.17g %.17g %.17g\n", id + 1, x[0], x[1], x[2]);
    text += line;
    std::snprintf(line, sizeof(line), "%d %.17g %.17g %.17g\n", id + 1, v[0], v[1], v[2]);
    velocities += line;
  }
  return text + velocities;
}

}  // namespace check
