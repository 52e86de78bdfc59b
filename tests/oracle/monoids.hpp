// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Monoids that show mistakes which + hides.

#include <Kokkos_Core.hpp>

#include <upsweep/base/internal/monoids/in_any_order.hpp>

#include <cstdint>

namespace oracle {

/// 2 x 2 matrices modulo a prime: associative, not commutative.
struct matrix {
  std::uint32_t a, b, c, d;
  KOKKOS_FUNCTION friend bool operator==(matrix const& l, matrix const& r) {
    return l.a == r.a && l.b == r.b && l.c == r.c && l.d == r.d;
  }
};

struct matrix_product {
  using value_type = matrix;
  static constexpr std::uint64_t p = 1000003;
  KOKKOS_FUNCTION matrix identity() const { return {1, 0, 0, 1}; }
  KOKKOS_FUNCTION matrix operator()(matrix const& l, matrix const& r) const {
    auto const dot = [](std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint64_t w) {
      return static_cast<std::uint32_t>((x * y + z * w) % p);
    };
    return {dot(l.a, r.a, l.b, r.c), dot(l.a, r.b, l.b, r.d), dot(l.c, r.a, l.d, r.c), dot(l.c, r.b, l.d, r.d)};
  }
  KOKKOS_FUNCTION matrix lift(int x) const {
    auto const u = static_cast<std::uint32_t>(x);
    return {u % 1000003 + 1, u % 7, u % 11 + 1, 1};
  }
};

/// Runs of positions [first, last): only neighbours combine to a run; anything else is marked. 16 bytes.
struct run {
  std::int64_t first, last;  // empty: first == last == 0; illegal: first == -1
  KOKKOS_FUNCTION friend bool operator==(run const& l, run const& r) { return l.first == r.first && l.last == r.last; }
};

struct adjacent_only {
  using value_type = run;
  KOKKOS_FUNCTION run identity() const { return {0, 0}; }
  KOKKOS_FUNCTION run operator()(run const& l, run const& r) const {
    if (l.first == -1 || r.first == -1) return {-1, -1};
    if (l.first == l.last) return r;
    if (r.first == r.last) return l;
    return l.last == r.first ? run{l.first, r.last} : run{-1, -1};
  }
};

/// Affine maps x -> m x + c modulo 2^64, applied left first: the recurrence out[j] = m[j] out[j-1] + c[j].
struct affine {
  std::uint64_t m, c;
  KOKKOS_FUNCTION friend bool operator==(affine const& l, affine const& r) { return l.m == r.m && l.c == r.c; }
};
/// As a monoid: what is combined in another order is another map.
struct affine_maps {
  using value_type = affine;
  KOKKOS_FUNCTION affine identity() const { return {1, 0}; }
  KOKKOS_FUNCTION affine operator()(affine const& l, affine const& r) const { return {l.m * r.m, l.c * r.m + r.c}; }
};
/// Of numbers that each make a map, with numbers as results.
struct affine_composition : affine_maps {
  KOKKOS_FUNCTION affine lift(std::uint64_t x) const { return {2 * x + 1, x}; }
  KOKKOS_FUNCTION std::uint64_t lower(affine const& s) const { return s.c; }
};

/// Three maps side by side: a state of 48 bytes.
struct affine_triple {
  affine map[3];
  KOKKOS_FUNCTION friend bool operator==(affine_triple const& l, affine_triple const& r) {
    return l.map[0] == r.map[0] && l.map[1] == r.map[1] && l.map[2] == r.map[2];
  }
};
struct affine_triples {
  using value_type = affine_triple;
  KOKKOS_FUNCTION affine_triple identity() const { return lift(affine{1, 0}); }
  KOKKOS_FUNCTION affine_triple operator()(affine_triple const& l, affine_triple const& r) const {
    affine_maps const op;
    return {{op(l.map[0], r.map[0]), op(l.map[1], r.map[1]), op(l.map[2], r.map[2])}};
  }
  KOKKOS_FUNCTION affine_triple lift(affine const& x) const { return {{x, x, x}}; }
  KOKKOS_FUNCTION affine_triple const& lift(affine_triple const& x) const { return x; }
};
/// The sums of two numbers, in any order.
struct affine_sums : upsweep::internal::in_any_order {
  using value_type = affine;
  KOKKOS_FUNCTION affine identity() const { return {}; }
  KOKKOS_FUNCTION affine operator()(affine const& l, affine const& r) const { return {l.m + r.m, l.c + r.c}; }
};
/// The sums of their numbers, in any order.
struct affine_triple_sums : upsweep::internal::in_any_order {
  using value_type = affine_triple;
  KOKKOS_FUNCTION affine_triple identity() const { return {}; }
  KOKKOS_FUNCTION affine_triple operator()(affine_triple l, affine_triple const& r) const {
    for (int k = 0; k < 3; ++k) l.map[k] = {l.map[k].m + r.map[k].m, l.map[k].c + r.map[k].c};
    return l;
  }
};

/// N numbers, and their sums one by one: states of any length.
template <class T, int N>
struct numbers {
  T x[N];
  friend bool operator==(numbers const&, numbers const&) = default;
};
template <class T, int N>
struct sums_of_numbers {
  using value_type = numbers<T, N>;
  KOKKOS_FUNCTION value_type identity() const { return {}; }
  KOKKOS_FUNCTION value_type operator()(value_type l, value_type const& r) const {
    for (int k = 0; k < N; ++k) l.x[k] += r.x[k];
    return l;
  }
};

}  // namespace oracle
