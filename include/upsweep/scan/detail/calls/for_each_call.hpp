// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/calls/scan_call.hpp>

#include <cstddef>
#include <cstdint>
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
    functor(static_cast<std::int64_t>(i), prefix, x);
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

/// The argument checks, and the output.
template <class Prefix, class ExecutionSpace, class In, class Functor>
auto make_functor_output(In const& in, Functor const& functor) {
  static_assert(Kokkos::is_execution_space_v<ExecutionSpace>,
                "upsweep: the first argument of a scan is an execution-space instance.");
  static_assert(internal::reachable<ExecutionSpace, In>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
  static_assert(std::is_invocable_v<Functor const&, std::int64_t, Prefix const&, internal::sequence_value_t<In> const&>,
                "upsweep: the functor of a scan is called with an index (std::int64_t), a prefix and an element.");
  auto const from = internal::make_sequence(in);
  return functor_output<std::remove_const_t<decltype(from)>, Functor, Prefix>{from, functor};
}

/// total: as run_scan takes it.
template <bool Inclusive, class Given, class ExecutionSpace, class In, class Functor, class Total, class Init,
          class Monoid, class Engine>
void for_each_call(ExecutionSpace const& space, std::size_t n, In const& in, Functor const& functor, Total&& total,
                   Init const& init, Monoid const& monoid, basic_scan_options<Engine> const& options,
                   char const* function) {
  auto const out = make_functor_output<prefix_of_scan<Given, In, Monoid>, ExecutionSpace>(in, functor);
  run_scan<Inclusive>(space, n, out.in, out, total, init, monoid, options, function);
}

}  // namespace upsweep::scan::detail
