// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/base/internal/sequence.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace upsweep::scan::detail {

/// What a scan combines its first element with: a state known to the host, or one read on the device.
template <class State>
struct initial_value {
  State value;
  State const* device = nullptr;
  KOKKOS_FUNCTION State load() const {
    return device != nullptr ? internal::contiguous_sequence<State const>{device}.load(0) : value;
  }
};

template <class Number>
constexpr bool is_negative([[maybe_unused]] Number number) {
  if constexpr (std::is_signed_v<Number>) return number < Number(0);
  else return false;
}

/// Whether a number means the same as a State. Floating-point numbers may be rounded to a shorter type, but not to
/// infinity.
template <class State, class Number>
bool survives_conversion(Number number) {
  if constexpr (std::is_floating_point_v<Number>) {
    return !std::isfinite(number) || std::isfinite(static_cast<State>(number));
  } else if constexpr (std::is_floating_point_v<State>) {
    // Exact if the digits between the highest and the lowest bit that is set fit.
    auto const bits = static_cast<std::uint64_t>(number);
    std::uint64_t const magnitude = is_negative(number) ? std::uint64_t(0) - bits : bits;
    return magnitude == 0 ||
           std::bit_width(magnitude >> std::countr_zero(magnitude)) <= std::numeric_limits<State>::digits;
  } else {
    auto const state = static_cast<State>(number);
    return static_cast<Number>(state) == number && is_negative(state) == is_negative(number);
  }
}

/// Throws precondition_error unless a number survives its conversion to the state of a scan.
template <class State, class Number>
void require_same_value(Number number, char const* function) {
  if (survives_conversion<State>(number)) return;
  // As numbers: the limits of char types are not to be printed as characters.
  auto const limit = [](State value) { return internal::text_of(+value); };
  std::string const what = std::string(function) + ": the initial value " + internal::text_of(number) +
                           " is not one of the monoid's value_type";
  if constexpr (std::is_floating_point_v<State>) throw precondition_error(what + ", which is floating-point");
  else
    throw precondition_error(what + ", which holds " + limit(std::numeric_limits<State>::lowest()) + " to " +
                             limit(std::numeric_limits<State>::max()));
}

}  // namespace upsweep::scan::detail
