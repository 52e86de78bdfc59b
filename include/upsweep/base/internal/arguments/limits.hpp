// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <limits>

namespace upsweep::internal {

/// The ends of a type's range, infinite where it has infinities. Constants, because functions of std::numeric_limits
/// are the host's, and CUDA's device code may not call them. No constexpr function makes them: GCC 13 takes it for
/// undefined where a device function is the first to need the constant.
template <class T>
inline constexpr T largest_value =
    std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
template <class T>
inline constexpr T smallest_value =
    std::numeric_limits<T>::has_infinity ? static_cast<T>(-std::numeric_limits<T>::infinity())
                                         : std::numeric_limits<T>::lowest();

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
