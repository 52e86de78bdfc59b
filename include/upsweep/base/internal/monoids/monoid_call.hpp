// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

// How the library calls a monoid.

namespace upsweep::internal {

template <class M, class Output>
struct resolve_monoid {
  using type = M;
};
template <deferred_monoid M, class Output>
struct resolve_monoid<M, Output> {
  using type = typename M::template rebind<Output>;
};

/// Whether every value of From keeps its meaning in To. Signed to unsigned of at least the same width counts as
/// kept (sums are the same modulo 2^bits); integer to floating point only where the mantissa holds every value.
template <class From, class To>
KOKKOS_FUNCTION constexpr bool widens() {
  if constexpr (std::is_same_v<From, To>) return true;
  else if constexpr (std::is_arithmetic_v<From> && std::is_arithmetic_v<To>) {
    using from = std::numeric_limits<From>;
    using to = std::numeric_limits<To>;
    if constexpr (std::is_floating_point_v<From>) return std::is_floating_point_v<To> && to::digits >= from::digits;
    else if constexpr (std::is_same_v<To, bool>) return false;
    else if constexpr (std::is_unsigned_v<To>) return sizeof(To) >= sizeof(From);
    else return to::digits >= from::digits;
  } else {
    return std::is_convertible_v<From, To>;
  }
}

template <class M, class Input>
concept has_lift = requires(M const& m, Input const& x) {
  { m.lift(x) } -> std::convertible_to<typename M::value_type>;
};
template <class M>
concept has_lower = requires(M const& m, typename M::value_type const& s) { m.lower(s); };

/// The monoid that a call with output type `Output` really uses: plus<> becomes plus<Output>.
template <class M, class Output>
using resolved_monoid = typename resolve_monoid<M, Output>::type;

/// Makes the monoid that a call uses from the one it was given.
template <class Output, monoid_argument M>
resolved_monoid<M, Output> resolve(M const& m) {
  if constexpr (deferred_monoid<M>) return resolved_monoid<M, Output>{};
  else return m;
}

/// Input element to state: the monoid's lift, or a conversion that cannot lose anything.
template <class M, class Input>
KOKKOS_FUNCTION constexpr typename M::value_type lift(M const& m, Input const& x) {
  if constexpr (has_lift<M, Input>) {
    return m.lift(x);
  } else {
    static_assert(widens<Input, typename M::value_type>(),
                  "upsweep: an input element does not fit in the accumulator: the accumulator (the output's value type "
                  "for plus<> and its kind, else the monoid's value_type) is narrower than the input. Give a wider "
                  "output, or a monoid with lift().");
    return static_cast<typename M::value_type>(x);
  }
}

/// State to output element: the monoid's lower, or a conversion that cannot lose anything.
template <class Output, class M>
KOKKOS_FUNCTION constexpr Output lower(M const& m, typename M::value_type const& state) {
  if constexpr (has_lower<M>) {
    return m.lower(state);
  } else {
    static_assert(
        widens<typename M::value_type, Output>(),
        "upsweep: the monoid's value_type does not fit in an output element. Give a wider output, or a monoid "
        "with lower().");
    return static_cast<Output>(state);
  }
}

}  // namespace upsweep::internal
