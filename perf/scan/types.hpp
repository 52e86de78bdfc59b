// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/monoid.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace perf {

/// 16 bytes, added by component.
struct int64x2 {
  static constexpr char name[] = "int64x2";
  std::int64_t x, y;
  KOKKOS_FUNCTION friend constexpr bool operator==(int64x2 const& a, int64x2 const& b) {
    return a.x == b.x && a.y == b.y;
  }
};

struct add_components {
  using value_type = int64x2;
  KOKKOS_FUNCTION constexpr int64x2 identity() const { return {0, 0}; }
  KOKKOS_FUNCTION constexpr int64x2 operator()(int64x2 const& a, int64x2 const& b) const {
    return {a.x + b.x, a.y + b.y};
  }
};

/// 16 bytes, multiplied modulo 2^32: exactly associative, and not commutative.
struct matrix2x2 {
  static constexpr char name[] = "matrix2x2";
  std::uint32_t a, b, c, d;
  KOKKOS_FUNCTION friend constexpr bool operator==(matrix2x2 const& l, matrix2x2 const& r) {
    return l.a == r.a && l.b == r.b && l.c == r.c && l.d == r.d;
  }
};

struct multiply_matrices {
  using value_type = matrix2x2;
  KOKKOS_FUNCTION constexpr matrix2x2 identity() const { return {1, 0, 0, 1}; }
  KOKKOS_FUNCTION constexpr matrix2x2 operator()(matrix2x2 const& l, matrix2x2 const& r) const {
    return {l.a * r.a + l.b * r.c, l.a * r.b + l.b * r.d, l.c * r.a + l.d * r.c, l.c * r.b + l.d * r.d};
  }
};

KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// What the benchmarks scan: the monoid of a type, and its elements as functions of the index.
template <class T>
struct element {
  using monoid = upsweep::plus<T>;
  /// 0, 1, -1 or 0 at random: sums stay so small that every floating-point type holds them exactly; 1-byte ones wrap.
  KOKKOS_FUNCTION static constexpr T at(std::size_t i) {
    auto const bits = splitmix64(i) & 3;
    return bits == 1 ? T(1) : bits == 2 ? T(-1) : T(0);
  }
  /// What an output holds before a call that is to be verified.
  KOKKOS_FUNCTION static constexpr T poison() { return T(-77); }
};

template <>
struct element<int64x2> {
  using monoid = add_components;
  KOKKOS_FUNCTION static constexpr int64x2 at(std::size_t i) {
    auto const bits = splitmix64(i);
    return {static_cast<std::int64_t>(bits & 7) - 3, static_cast<std::int64_t>(bits >> 60) - 8};
  }
  KOKKOS_FUNCTION static constexpr int64x2 poison() { return {-77, -77}; }
};

template <>
struct element<matrix2x2> {
  using monoid = multiply_matrices;
  /// Determinant 1, so that no product degenerates: (1 p; 0 1) (1 0; q 1).
  KOKKOS_FUNCTION static constexpr matrix2x2 at(std::size_t i) {
    auto const bits = splitmix64(i);
    auto const p = static_cast<std::uint32_t>(bits), q = static_cast<std::uint32_t>(bits >> 32);
    return {1 + p * q, p, q, 1};
  }
  KOKKOS_FUNCTION static constexpr matrix2x2 poison() { return {77, 77, 77, 77}; }
};

/// The name of a type in tables, of a structure its own.
template <class T>
constexpr char const* type_name() {
  if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? "float" : "double";
  } else if constexpr (std::is_integral_v<T>) {
    constexpr char const* names[2][4] = {{"uint8", "uint16", "uint32", "uint64"}, {"int8", "int16", "int32", "int64"}};
    return names[std::is_signed_v<T>][std::countr_zero(sizeof(T))];
  } else {
    return T::name;
  }
}

/// The types of one kind of benchmarks.
template <class... Ts>
struct type_list {
  static std::vector<std::string> names() { return {type_name<Ts>()...}; }
  /// Calls f<T>() for each type.
  template <class F>
  static void for_each(F const& f) {
    (f.template operator()<Ts>(), ...);
  }
};

}  // namespace perf
