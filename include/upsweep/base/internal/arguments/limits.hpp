// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <limits>

namespace upsweep::internal {

/// The ends of a type's range, infinite where it has infinities. Constants, because these functions and those of
/// std::numeric_limits are the host's, and CUDA's device code may not call them.
template <class T>
constexpr T find_largest() {
  if constexpr (std::numeric_limits<T>::has_infinity) return std::numeric_limits<T>::infinity();
  else return std::numeric_limits<T>::max();
}
template <class T>
constexpr T find_smallest() {
  if constexpr (std::numeric_limits<T>::has_infinity) return -std::numeric_limits<T>::infinity();
  else return std::numeric_limits<T>::lowest();
}
template <class T>
inline constexpr T largest_value = find_largest<T>();
template <class T>
inline constexpr T smallest_value = find_smallest<T>();

/// What std::numeric_limits has, as constants for the same reason.
template <class T>
inline constexpr T finite_max = std::numeric_limits<T>::max();
template <class T>
inline constexpr T normal_min = std::numeric_limits<T>::min();
template <class T>
inline constexpr T epsilon_of = std::numeric_limits<T>::epsilon();
template <class T>
inline constexpr T infinity_of = std::numeric_limits<T>::infinity();

}  // namespace upsweep::internal
