// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/monoids/in_any_order.hpp>
#include <upsweep/base/monoid.hpp>

#include <type_traits>

namespace upsweep::scan::detail {

/// Whether operands may be taken in any order, because nobody can see it: built-in monoids over built-in types. Not min
/// and max of floating-point numbers, where NaN and the two zeros make the order of operands visible. Other monoids of
/// the library say so by their base.
template <class Monoid>
inline constexpr bool commutes = std::is_base_of_v<internal::in_any_order, Monoid>;
template <class T>
inline constexpr bool commutes<plus<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool commutes<times<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool commutes<min<T>> = std::is_integral_v<T>;
template <class T>
inline constexpr bool commutes<max<T>> = std::is_integral_v<T>;
template <class T>
inline constexpr bool commutes<bit_and<T>> = true;
template <class T>
inline constexpr bool commutes<bit_or<T>> = true;
template <class T>
inline constexpr bool commutes<bit_xor<T>> = true;

}  // namespace upsweep::scan::detail
