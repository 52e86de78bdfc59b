// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/scan/detail/calls/scan_call.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace upsweep::scan::detail {

/// The output of a scan that hands its results to a functor. An engine stores a result once, even if it reads elements
/// again to fall back;
/// so the functor is called once per index. The element is loaded again: engines scan in place, in registers or
/// scratch. Who has several results to store gets their elements first (scan_problem.hpp, stores_with_element).
template <class In, class Functor, class Prefix>
struct functor_output {
  using value_type = Prefix;
  using element = typename In::value_type;
  In in;
  Functor functor;
  KOKKOS_FORCEINLINE_FUNCTION element element_of(std::size_t i) const { return in.load(i); }
  KOKKOS_FORCEINLINE_FUNCTION void store(std::size_t i, value_type const& prefix, element const& x) const {
    functor(i, prefix, x);
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(std::size_t i, value_type const& prefix) const {
    store(i, prefix, in.load(i));
  }
};

/// What a functor gets as prefix, if the caller names no type: for plus<> and its kind the input's type, else the type
/// of the monoid's results.
template <class Monoid, class Element>
struct default_prefix {
  using type = typename Monoid::value_type;
};
template <class Monoid, class Element>
  requires(internal::has_lower<Monoid>)
struct default_prefix<Monoid, Element> {
  using type = std::remove_cvref_t<decltype(std::declval<Monoid const&>().lower(
      std::declval<typename Monoid::value_type const&>()))>;
};
template <deferred_monoid Monoid, class Element>
struct default_prefix<Monoid, Element> {
  using type = Element;
};
template <class Given, class In, class Monoid>
using prefix_of_scan =
    typename std::conditional_t<std::is_void_v<Given>, default_prefix<Monoid, internal::sequence_value_t<In>>,
                                std::type_identity<Given>>::type;

/// The mistake in a functor that takes the results.
template <class In, class Prefix, class Functor>
constexpr mistake mistake_in_functor() {
  return std::is_invocable_v<Functor const&, std::size_t, Prefix const&, internal::sequence_value_t<In> const&>
             ? mistake::none
             : mistake::functor;
}

/// A scan of n elements whose results go to a functor. given: what the caller gave behind the functor.
template <bool Inclusive, class Prefix, class ExecutionSpace, class Engine, class In, class Functor, class... Given>
void scan_for_functor(ExecutionSpace const& space, basic_scan_options<Engine> const& options, char const* function,
                      std::size_t n, In const& in, Functor const& functor, Given const&... given) {
  using prefix = prefix_of_scan<Prefix, In, argument_type<monoid_role, plus<>, Given...>>;
  constexpr mistake in_given =
      mistake_in_arguments<total_role | initial_value_role | monoid_role, ExecutionSpace, prefix, Given...>();
  say<in_given>();
  if constexpr (in_given == mistake::none) {
    constexpr mistake in_functor = mistake_in_functor<In, prefix, Functor>();
    say<in_functor>();
    if constexpr (in_functor == mistake::none) {
      auto const from = internal::make_sequence(in);
      functor_output<std::remove_const_t<decltype(from)>, Functor, prefix> const out{from, functor};
      run_scan<Inclusive>(space, n, from, out, argument_of<total_role>(left_out{}, given...),
                          argument_of<initial_value_role>(left_out{}, given...),
                          argument_of<monoid_role>(plus<>{}, given...), options, function);
    }
  }
}

/// The same of what a caller gave behind the space: a View, the functor for the results and others, or the number of
/// elements and a functor of the index in place of the View.
template <bool Inclusive, class Prefix, class ExecutionSpace, class Engine, class In, class... Behind>
void for_each_call(ExecutionSpace const& space, basic_scan_options<Engine> const& options, char const* function,
                   In const& in, Behind const&... behind) {
  constexpr mistake in_input = mistake_in_counted_input<ExecutionSpace, In, Behind...>();
  say<in_input>();
  if constexpr (in_input != mistake::none) return;
  else if constexpr (view_of_rank_1<In>)
    scan_for_functor<Inclusive, Prefix>(space, options, function, in.extent(0), in, behind...);
  else scan_for_functor<Inclusive, Prefix>(space, options, function, internal::checked_size(in, function), behind...);
}

}  // namespace upsweep::scan::detail
