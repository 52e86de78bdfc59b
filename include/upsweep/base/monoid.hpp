// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace upsweep {

// A monoid is an object with
//   value_type                     the state that is combined,
//   identity()                     its neutral element,
//   operator()(left, right)        the associative operation; operands always arrive in this order,
//   lift(input)    (optional)      makes a state from an input element where the two differ,
//   lower(state)   (optional)      makes an output element from a state where the two differ,
//   exactly_associative (optional) static constexpr bool: (a b) c and a (b c) are the same bits, as for integers; then
//                                  MPI takes a shorter way over very many ranks (docs/mpi.md).
// All are const and callable on the device. The same object serves teams, the device and MPI.
//
// The built-in ones are templates over the value type; with none given (`plus<>`), the type of the output is taken.

template <class T = void>
struct plus;
template <class T = void>
struct times;
template <class T = void>
struct min;
template <class T = void>
struct max;
template <class T = void>
struct bit_and;
template <class T = void>
struct bit_or;
template <class T = void>
struct bit_xor;
template <class T = void>
struct logical_and;
template <class T = void>
struct logical_or;

namespace base::detail {
/// Marks `plus<>` and its kind: the value type is filled in when the output's type is known.
template <template <class> class Monoid>
struct rebinds_to {
  template <class T>
  using rebind = Monoid<T>;
};

}  // namespace base::detail

template <>
struct plus<void> : base::detail::rebinds_to<plus> {};
template <>
struct times<void> : base::detail::rebinds_to<times> {};
template <>
struct min<void> : base::detail::rebinds_to<min> {};
template <>
struct max<void> : base::detail::rebinds_to<max> {};
template <>
struct bit_and<void> : base::detail::rebinds_to<bit_and> {};
template <>
struct bit_or<void> : base::detail::rebinds_to<bit_or> {};
template <>
struct bit_xor<void> : base::detail::rebinds_to<bit_xor> {};
template <>
struct logical_and<void> : base::detail::rebinds_to<logical_and> {};
template <>
struct logical_or<void> : base::detail::rebinds_to<logical_or> {};

/// Sum. plus<int>{}(2, 3) is 5.
template <class T>
struct plus {
  using value_type = T;
  static constexpr bool exactly_associative = std::is_integral_v<T>;
  KOKKOS_FUNCTION constexpr T identity() const { return T(0); }
  KOKKOS_FUNCTION constexpr T operator()(T const& left, T const& right) const { return static_cast<T>(left + right); }
};

/// Product. times<int>{}(2, 3) is 6.
template <class T>
struct times {
  using value_type = T;
  static constexpr bool exactly_associative = std::is_integral_v<T>;
  KOKKOS_FUNCTION constexpr T identity() const { return T(1); }
  KOKKOS_FUNCTION constexpr T operator()(T const& left, T const& right) const { return static_cast<T>(left * right); }
};

/// Smaller of two. min<int>{}(2, 3) is 2; of equal operands the left one.
template <class T>
struct min {
  using value_type = T;
  static constexpr bool exactly_associative = std::is_integral_v<T>;
  KOKKOS_FUNCTION constexpr T identity() const { return internal::largest_value<T>; }
  KOKKOS_FUNCTION constexpr T operator()(T const& left, T const& right) const { return right < left ? right : left; }
};

/// Larger of two. max<int>{}(2, 3) is 3; of equal operands the left one.
template <class T>
struct max {
  using value_type = T;
  static constexpr bool exactly_associative = std::is_integral_v<T>;
  KOKKOS_FUNCTION constexpr T identity() const { return internal::smallest_value<T>; }
  KOKKOS_FUNCTION constexpr T operator()(T const& left, T const& right) const { return left < right ? right : left; }
};

/// Bitwise and. bit_and<int>{}(6, 3) is 2.
template <class T>
struct bit_and {
  static_assert(std::is_integral_v<T>, "upsweep::bit_and combines integers only.");
  using value_type = T;
  static constexpr bool exactly_associative = std::is_integral_v<T>;
  KOKKOS_FUNCTION constexpr T identity() const { return static_cast<T>(~T(0)); }
  KOKKOS_FUNCTION constexpr T operator()(T left, T right) const { return static_cast<T>(left & right); }
};

/// Bitwise or. bit_or<int>{}(6, 3) is 7.
template <class T>
struct bit_or {
  static_assert(std::is_integral_v<T>, "upsweep::bit_or combines integers only.");
  using value_type = T;
  static constexpr bool exactly_associative = std::is_integral_v<T>;
  KOKKOS_FUNCTION constexpr T identity() const { return T(0); }
  KOKKOS_FUNCTION constexpr T operator()(T left, T right) const { return static_cast<T>(left | right); }
};

/// Bitwise exclusive or. bit_xor<int>{}(6, 3) is 5.
template <class T>
struct bit_xor {
  static_assert(std::is_integral_v<T>, "upsweep::bit_xor combines integers only.");
  using value_type = T;
  static constexpr bool exactly_associative = std::is_integral_v<T>;
  KOKKOS_FUNCTION constexpr T identity() const { return T(0); }
  KOKKOS_FUNCTION constexpr T operator()(T left, T right) const { return static_cast<T>(left ^ right); }
};

/// True where both are. logical_and<bool>{}(true, false) is false.
template <class T>
struct logical_and {
  using value_type = T;
  static constexpr bool exactly_associative = std::is_integral_v<T>;
  KOKKOS_FUNCTION constexpr T identity() const { return T(true); }
  KOKKOS_FUNCTION constexpr T operator()(T const& left, T const& right) const { return T(left && right); }
};

/// True where one is. logical_or<bool>{}(true, false) is true.
template <class T>
struct logical_or {
  using value_type = T;
  static constexpr bool exactly_associative = std::is_integral_v<T>;
  KOKKOS_FUNCTION constexpr T identity() const { return T(false); }
  KOKKOS_FUNCTION constexpr T operator()(T const& left, T const& right) const { return T(left || right); }
};

}  // namespace upsweep
