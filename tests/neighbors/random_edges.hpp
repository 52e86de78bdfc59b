// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Random boxes of three edges: skewed, tiny, left-handed, flat, along axes or not, some directions open.

#include "host_list.hpp"

#include <upsweep/neighbors/box.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <utility>

namespace oracle {

/// Three edges with an origin.
template <class Real>
struct edge_box {
  std::array<std::array<Real, 3>, 3> edges;
  std::array<bool, 3> periodic;
  std::array<Real, 3> origin{};

  upsweep::box<Real> library() const {
    auto const v = [](std::array<Real, 3> const& p) { return Kokkos::Array<Real, 3>{p[0], p[1], p[2]}; };
    return upsweep::box<Real>::of_edges(v(edges[0]), v(edges[1]), v(edges[2]), {periodic[0], periodic[1], periodic[2]},
                                        v(origin));
  }
  /// origin + f . edges
  std::array<Real, 3> at(std::array<Real, 3> const& f) const {
    auto x = origin;
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t d = 0; d < 3; ++d) x[d] += f[k] * edges[k][d];
    return x;
  }
};

class edge_generator {
 public:
  explicit edge_generator(unsigned seed) : engine_(seed) {}

  double real(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine_); }
  int pick(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine_); }

  /// Edges of sizes within a factor of 3 or, where flat, of 20; skewed by up to `skew` edges.
  template <class Real>
  edge_box<Real> box(double skew) {
    std::array<std::array<double, 3>, 3> e{};
    double const scale = pick(0, 4) == 0 ? 1e-3 : std::exp(real(-1, 2));
    bool const flat = pick(0, 4) == 0;
    for (std::size_t k = 0; k < 3; ++k) e[k][k] = scale * real(0.5, 1.5);
    if (flat) e[static_cast<std::size_t>(pick(0, 2))][static_cast<std::size_t>(pick(0, 2))] *= 0.05;
    if (pick(0, 3) > 0) {
      for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t c = 0; c < d; ++c) {
          double const by = real(-1, 1) * skew;
          for (std::size_t b = 0; b < 3; ++b) e[d][b] += by * e[c][b];
        }
    }
    if (pick(0, 2) > 0) turn(e);
    if (pick(0, 2) == 0) std::swap(e[0], e[static_cast<std::size_t>(pick(1, 2))]);
    if (pick(0, 2) == 0)
      for (double& c : e[static_cast<std::size_t>(pick(0, 2))]) c = -c;
    edge_box<Real> result;
    int const mask = pick(0, 2) == 0 ? 7 : pick(0, 7);
    for (std::size_t k = 0; k < 3; ++k) {
      result.periodic[k] = mask >> k & 1;
      for (std::size_t d = 0; d < 3; ++d) result.edges[k][d] = static_cast<Real>(e[k][d]);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      if (result.periodic[k]) continue;
      int const kind = pick(0, 2);
      if (kind == 0) result.edges[k] = {0, 0, 0};
      if (kind == 1)
        for (std::size_t d = 0; d < 3; ++d)
          result.edges[k][d] = result.edges[(k + 1) % 3][d] + result.edges[(k + 2) % 3][d];
    }
    if (pick(0, 3) == 0)
      for (Real& c : result.origin) c = static_cast<Real>(scale * real(-10, 10));
    return result;
  }

  std::mt19937_64& engine() { return engine_; }

 private:
  /// By a random rotation, a product of three around the axes.
  void turn(std::array<std::array<double, 3>, 3>& e) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double const angle = real(0, 6.28), c = std::cos(angle), s = std::sin(angle);
      for (auto& edge : e) {
        double &p = edge[(axis + 1) % 3], &q = edge[(axis + 2) % 3];
        double const turned = c * p - s * q;
        q = s * p + c * q;
        p = turned;
      }
    }
  }

  std::mt19937_64 engine_;
};

}  // namespace oracle
