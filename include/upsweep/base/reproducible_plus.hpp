// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace upsweep {

namespace base::detail {

/// How a floating-point type is taken apart and put together by integers alone, so that neither contraction, nor
/// flushing of subnormals, nor a rounding mode has a say.
template <std::floating_point Real>
struct float_layout {
  static_assert(std::is_same_v<Real, float> || std::is_same_v<Real, double>,
                "upsweep::reproducible_plus sums float and double.");
  using bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  static constexpr int precision = std::numeric_limits<Real>::digits;       // 53, 24
  static constexpr int bias = std::numeric_limits<Real>::max_exponent - 1;  // 1023, 127
  static constexpr int exponent_mask = 2 * bias + 1;                        // exponent of infinity and NaN
  static constexpr int min_exponent = 1 - bias;                             // of the smallest normal number
  static constexpr bits sign = bits(1) << (8 * sizeof(Real) - 1);
  static constexpr bits hidden = bits(1) << (precision - 1);
  static constexpr bits infinity = bits(exponent_mask) << (precision - 1);
  static constexpr bits quiet_nan = infinity | hidden >> 1;
};

}  // namespace base::detail

/// Sum of floating-point numbers in an exactly associative state: the same bits for any order, engine, backend, team
/// shape and number of ranks. lower(lift(1e300) + lift(1.0) + lift(-1e300)) is 0: 1.0 lies below the state's window.
///
/// Window: a number is cut into signed digits on a fixed grid of 24-bit bins; a state holds the sums of the Digits bins
/// from that of the largest magnitude seen downwards. What lies below is dropped, the same whatever came first.
/// Error: at most n 2^(-24 (Digits - 1)) max|x| (72 bits for double, 48 for float), then one rounding to nearest:
/// dropped parts are less than one unit of the lowest bin each, and max|x| is at least 2^(24 (Digits - 1)) of those
/// units. Exact for up to 2^38 elements, where sums of digits reach 63 bits. No overflow before the result itself:
/// lower() is infinite where the sum is. Prefixes of non-negative numbers never decrease. -0 counts as +0, and a
/// sum of 0 is +0.
/// Infinities and NaN are remembered: NaN for a NaN or both infinities.
/// Cost: 40 bytes a state (float 32); about Digits + 5 integer operations a combination, 30 a lift and 60 a lower().
/// Source: J. Demmel and H. D. Nguyen, *Parallel reproducible summation* (2015), with integers for their bins.
template <std::floating_point Real, int Digits = (sizeof(Real) == 8 ? 4 : 3)>
struct reproducible_plus {
  static_assert(24 * (Digits - 1) + 1 >= std::numeric_limits<Real>::digits,
                "upsweep::reproducible_plus: too few digits to hold a number without loss.");

  /// The sum of digit[k] * 2^(24 (top - k)), and what was seen that has no digits.
  struct value_type {
    std::int64_t digit[Digits];
    std::int32_t top;       ///< bin of the largest magnitude seen; `nothing` where there was none
    std::uint32_t special;  ///< bits: +infinity, -infinity, NaN

    KOKKOS_FUNCTION friend constexpr bool operator==(value_type const& left, value_type const& right) {
      bool same = left.top == right.top && left.special == right.special;
      for (int k = 0; k < Digits; ++k) same = same && left.digit[k] == right.digit[k];
      return same;
    }
  };

  static constexpr bool exactly_associative = true;

  KOKKOS_FUNCTION constexpr value_type identity() const { return {{}, nothing, 0}; }

  KOKKOS_FUNCTION constexpr value_type operator()(value_type left, value_type right) const {
    raise(left, right.top);
    raise(right, left.top);
    UPSWEEP_UNROLL
    for (int k = 0; k < Digits; ++k) left.digit[k] += right.digit[k];
    left.special |= right.special;
    return left;
  }

  /// A number to a state, without loss. Float and integers that fit in Real are taken, too.
  template <class Input>
    requires(internal::widens<Input, Real>())
  KOKKOS_FUNCTION value_type lift(Input const& input) const {
    auto const pattern = Kokkos::bit_cast<bits>(static_cast<Real>(input));
    value_type state = identity();
    bool const negative = (pattern & layout::sign) != 0;
    int exponent = static_cast<int>((pattern & ~layout::sign) >> (layout::precision - 1));
    std::uint64_t mantissa = pattern & (layout::hidden - 1);
    if (exponent == layout::exponent_mask) {
      state.special = mantissa != 0 ? is_nan : negative ? minus_infinity : plus_infinity;
      return state;
    }
    if (exponent != 0) mantissa |= layout::hidden;
    else exponent = 1;
    if (mantissa == 0) return state;
    // The number is mantissa * 2^lowest; its leading bit decides its bin.
    int const lowest = exponent - layout::bias - (layout::precision - 1);
    state.top = floor_bin(lowest + 63 - leading_zeros(mantissa));
    UPSWEEP_UNROLL
    for (int k = 0; k < Digits; ++k) {
      int const up = lowest - bin_bits * (state.top - k);  // from the mantissa's lowest bit to the bin's
      std::uint64_t const part = up >= bin_bits ? 0 : (up >= 0 ? mantissa << up : mantissa >> -up) & bin_mask;
      state.digit[k] = negative ? -static_cast<std::int64_t>(part) : static_cast<std::int64_t>(part);
    }
    return state;
  }

  /// The state's exact value, rounded once to the nearest number, ties to even.
  KOKKOS_FUNCTION Real lower(value_type const& state) const {
    if (state.special != 0) {
      bits const infinite = layout::infinity | (state.special == minus_infinity ? layout::sign : 0);
      bool const one_sided = state.special == plus_infinity || state.special == minus_infinity;
      bits const nan = layout::quiet_nan;  // by value: device code has no address for the constant
      return Kokkos::bit_cast<Real>(one_sided ? infinite : nan);
    }
    value_type magnitude = carried(state);
    bool const negative = magnitude.digit[0] < 0;
    if (negative) {
      magnitude = state;
      for (int k = 0; k < Digits; ++k) magnitude.digit[k] = -magnitude.digit[k];
      magnitude = carried(magnitude);
    }
    // The 64 leading bits, with all others in `sticky`: mantissa * 2^exponent and a little.
    auto mantissa = static_cast<std::uint64_t>(magnitude.digit[0]);
    int exponent = bin_bits * state.top;
    bool sticky = false;
    for (int k = 1; k < Digits; ++k) {
      auto const digit = static_cast<std::uint64_t>(magnitude.digit[k]);
      int const zeros = leading_zeros(mantissa);
      int const room = zeros < bin_bits ? zeros : bin_bits;
      mantissa = mantissa << room | digit >> (bin_bits - room);
      sticky = sticky || (digit & ((std::uint64_t(1) << (bin_bits - room)) - 1)) != 0;
      exponent -= room;
    }
    if (mantissa == 0) return Real(0);
    return Kokkos::bit_cast<Real>(
        static_cast<bits>(rounded(mantissa, exponent, sticky) | (negative ? layout::sign : 0)));
  }

 private:
  using layout = base::detail::float_layout<Real>;
  using bits = typename layout::bits;
  static constexpr int bin_bits = 24;
  static constexpr std::uint64_t bin_mask = (1u << bin_bits) - 1;
  static constexpr std::int32_t nothing = -1000;  // below the bin of any number
  static constexpr std::uint32_t plus_infinity = 1, minus_infinity = 2, is_nan = 4;

  /// 64 for 0. The builtin is one instruction on GPUs, where the constexpr form is a dozen.
  KOKKOS_FUNCTION static int leading_zeros(std::uint64_t word) {
    return Kokkos::Experimental::countl_zero_builtin(word);
  }

  KOKKOS_FUNCTION static constexpr int floor_bin(int exponent) {
    return (exponent + bin_bits * 1000) / bin_bits - 1000;  // the dividend is positive
  }

  /// Moves a state's window up to the bin `top`, dropping the digits that leave it. Loops of fixed length, so that
  /// digits stay in registers.
  KOKKOS_FUNCTION static constexpr void raise(value_type& state, std::int32_t top) {
    if (state.top >= top) return;
    int const by = top - state.top < Digits ? top - state.top : Digits;
    for (int step = 0; step < by; ++step) {
      UPSWEEP_UNROLL
      for (int k = Digits - 1; k > 0; --k) state.digit[k] = state.digit[k - 1];
      state.digit[0] = 0;
    }
    state.top = top;
  }

  /// Digits between 0 and 2^24 - 1, except for the first one, which has the sign of the whole.
  KOKKOS_FUNCTION static constexpr value_type carried(value_type state) {
    for (int k = Digits - 1; k > 0; --k) {
      state.digit[k - 1] += state.digit[k] >> bin_bits;
      state.digit[k] &= static_cast<std::int64_t>(bin_mask);
    }
    return state;
  }

  /// Bits of the number nearest to (mantissa + sticky) * 2^exponent. Pre: mantissa > 0; sticky only if all
  /// its bits are used.
  KOKKOS_FUNCTION static bits rounded(std::uint64_t mantissa, int exponent, bool sticky) {
    int const zeros = leading_zeros(mantissa);
    mantissa <<= zeros;
    int const leading = exponent - zeros + 63;  // the number is between 2^leading and 2^(leading + 1)
    if (leading > layout::bias) return layout::infinity;
    int const below = leading < layout::min_exponent ? layout::min_exponent - leading : 0;  // bits that subnormals lack
    int const drop = 64 - layout::precision + below;
    if (drop > 64) return 0;
    std::uint64_t kept = drop == 64 ? 0 : mantissa >> drop;
    std::uint64_t const rest = drop == 64 ? mantissa : mantissa & ((std::uint64_t(1) << drop) - 1);
    std::uint64_t const half = std::uint64_t(1) << (drop - 1);
    if (rest > half || (rest == half && (sticky || (kept & 1) != 0))) ++kept;
    // A carry out of the mantissa runs into the exponent, which is what it should do, up to infinity.
    int const biased = below > 0 ? 0 : leading + layout::bias - 1;
    return static_cast<bits>((static_cast<std::uint64_t>(biased) << (layout::precision - 1)) + kept);
  }
};

}  // namespace upsweep
