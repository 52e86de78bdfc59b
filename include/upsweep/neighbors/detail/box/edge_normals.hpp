// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/require.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace upsweep::neighbors::detail {

using vector_of_3 = std::array<double, 3>;

/// ab - cd, off by at most 1.5 roundings of the result. (Kahan; Jeannerod, Louvet and Muller, Math. Comp. 82, 2013.)
inline double difference_of_products(double a, double b, double c, double d) {
  double const cd = c * d, error = std::fma(-c, d, cd), difference = std::fma(a, b, -cd);
  return difference + error;
}

inline vector_of_3 cross(vector_of_3 const& p, vector_of_3 const& q) {
  vector_of_3 result;
  for (std::size_t c = 0; c < 3; ++c) {
    std::size_t const a = (c + 1) % 3, b = (c + 2) % 3;
    // Plus zero: a zero gets no sign.
    result[c] = difference_of_products(p[a], q[b], p[b], q[a]) + 0.0;
  }
  return result;
}

inline double dot(vector_of_3 const& p, vector_of_3 const& q) {
  return std::fma(p[2], q[2], std::fma(p[1], q[1], p[0] * q[0]));
}

inline double norm(vector_of_3 const& p) { return std::hypot(p[0], p[1], p[2]); }

inline vector_of_3 scaled(vector_of_3 p, double by) {
  for (double& c : p) c *= by;
  return p;
}

/// p times a power of two, so that its largest component is from 1/2 to 1: no product of such vectors overflows.
inline vector_of_3 near_unit(vector_of_3 p) {
  int exponent = 0;
  std::frexp(std::max({std::abs(p[0]), std::abs(p[1]), std::abs(p[2])}), &exponent);
  for (double& c : p) c = std::ldexp(c, -exponent);
  return p;
}

/// Of a box with edges e: for each direction k the unit vector that is at a right angle to the other edges, and on
/// whose side edge k is. An open direction has no edge: there the vector is at a right angle to the periodic edges and
/// to those of other open directions.
///
/// Each component is off by at most 6 epsilon of double; with three periodic edges, by so much of itself.
/// Throws: precondition_error naming the edges, where a periodic edge is zero or two of them are parallel. (Three in
/// one plane have normals, and no height.)
inline std::array<vector_of_3, 3> edge_normals(std::array<vector_of_3, 3> const& edges,
                                               std::array<bool, 3> const& periodic) {
  constexpr double parallel = 1024 * std::numeric_limits<double>::epsilon();
  static constexpr char const* names = "abc";
  auto e = edges;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!periodic[k]) continue;
    internal::require(norm(e[k]) > 0, "box", [&] { return std::string("the periodic edge ") + names[k] + " is zero"; });
    e[k] = near_unit(e[k]);
  }
  auto const normal_of = [&](std::size_t k, std::size_t p, std::size_t q) {
    vector_of_3 const n = cross(e[p], e[q]);
    double const length = norm(n);
    internal::require(length > parallel * norm(e[p]) * norm(e[q]), "box", [&] {
      return std::string("the periodic edges ") + names[std::min(p, q)] + " and " + names[std::max(p, q)] +
             " are parallel";
    });
    return scaled(n, (periodic[k] && dot(n, e[k]) < 0 ? -1 : 1) / length);
  };
  int const count = periodic[0] + periodic[1] + periodic[2];
  if (count == 0) return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  // Edges of open directions are made first.
  if (count == 2) {
    std::size_t const open = !periodic[0] ? 0 : !periodic[1] ? 1 : 2;
    e[open] = normal_of(open, (open + 1) % 3, (open + 2) % 3);
  } else if (count == 1) {
    std::size_t const own = periodic[0] ? 0 : periodic[1] ? 1 : 2, first = (own + 1) % 3, second = (own + 2) % 3;
    // The axis to which the edge has the largest angle: `first`, if it is one of several.
    std::size_t axis = first;
    for (std::size_t const c : {second, own})
      if (std::abs(e[own][c]) < std::abs(e[own][axis])) axis = c;
    vector_of_3 along{};
    along[axis] = 1;
    e[second] = cross(e[own], along);
    e[second] = scaled(e[second], 1 / norm(e[second]));
    e[first] = cross(e[second], e[own]);
    e[first] = scaled(e[first], 1 / norm(e[first]));
  }
  std::array<vector_of_3, 3> normals;
  for (std::size_t k = 0; k < 3; ++k)
    normals[k] = !periodic[k] ? e[k]
                 : count == 1 ? scaled(e[k], 1 / norm(e[k]))
                              : normal_of(k, (k + 1) % 3, (k + 2) % 3);
  return normals;
}

}  // namespace upsweep::neighbors::detail
