// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Elements whose combinations are exact, so that a result does not depend on the association.

#include "monoids.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

namespace oracle {

/// A map, three of them, or a number from -1000 to 1000, of floating-point numbers a quarter of one.
template <class T>
T exact_value(std::mt19937& random) {
  if constexpr (std::is_same_v<T, affine>) {
    std::uint64_t const m = random() | 1u;
    return {m, random()};
  } else if constexpr (std::is_same_v<T, affine_triple>) {
    return {{exact_value<affine>(random), exact_value<affine>(random), exact_value<affine>(random)}};
  } else {
    auto const number = static_cast<T>(static_cast<int>(random() % 2001) - 1000);
    return std::is_floating_point_v<T> ? static_cast<T>(number / 4) : number;
  }
}

template <class T>
std::vector<T> exact_values(std::size_t n) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::vector<T> values(n);
  for (auto& value : values) value = exact_value<T>(random);
  return values;
}

/// Numbers whose sums are rounded: another order has other bits.
inline std::vector<double> reciprocals(std::size_t n) {
  std::mt19937 random(1);
  std::vector<double> values(n);
  for (double& value : values) value = 1.0 / static_cast<double>(1 + random() % 1000000);
  return values;
}

/// Gives the elements as a functor of the index.
template <class T>
struct value_at {
  T const* data;
  KOKKOS_FUNCTION T operator()(std::size_t i) const { return data[i]; }
};

/// The fold of each segment, in order; the identity of an empty one.
template <class Monoid, class T, class Offset>
std::vector<T> segment_folds(Monoid const& op, std::vector<T> const& in, std::vector<Offset> const& offsets) {
  std::vector<T> out;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    T sum = op.identity();
    for (auto i = offsets[s]; i < offsets[s + 1]; ++i) sum = op(sum, in[static_cast<std::size_t>(i)]);
    out.push_back(sum);
  }
  return out;
}

}  // namespace oracle
