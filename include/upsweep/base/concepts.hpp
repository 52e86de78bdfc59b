// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/monoid.hpp>

#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace upsweep {

/// A complete monoid: value_type, identity() and an operation on it.
template <class M>
concept monoid = requires(M const& m, typename M::value_type const& value) {
  { m.identity() } -> std::convertible_to<typename M::value_type>;
  { m(value, value) } -> std::convertible_to<typename M::value_type>;
};

/// A monoid whose value type is still open: `plus<>` and its kind.
template <class M>
concept deferred_monoid = requires { typename M::template rebind<int>; };

/// What the public calls accept as `monoid`.
template <class M>
concept monoid_argument = monoid<M> || deferred_monoid<M>;

/// The first argument of the public calls.
template <class Space>
concept execution_space_argument = Kokkos::is_execution_space_v<Space>;

/// What comes first where a caller has forgotten it.
template <class Given>
concept no_execution_space = !execution_space_argument<Given>;

/// A View, of any rank, layout and memory space.
template <class V>
concept view_argument = Kokkos::is_view_v<V>;

/// A View of rank 0: one element, of any memory space.
template <class V>
concept view_of_rank_0 = (Kokkos::is_view_v<V> && compat::rank<V> == 0);

/// A View of rank 1, of any layout and memory space.
template <class V>
concept view_of_rank_1 = (Kokkos::is_view_v<V> && compat::rank<V> == 1);

/// A callable of one index that returns a value.
template <class F>
concept index_functor =
    !Kokkos::is_view_v<F> && requires(F const& f, std::size_t i) { requires !std::is_void_v<decltype(f(i))>; };

/// What the public calls accept as input: a View of rank 1, or a functor of the index.
template <class In>
concept sequence_argument = view_of_rank_1<In> || index_functor<In>;

/// What stands first in a call without its execution space: an input or the number of elements of one, or what
/// somebody took for the space, as a memory space or a stream.
template <class First>
concept stands_for_a_space = view_argument<First> || std::is_integral_v<First> || index_functor<First> ||
                             std::is_pointer_v<First> || Kokkos::is_memory_space_v<First>;

/// The arguments of a call without its execution space. Among them is a View, or a number of elements and a functor. A
/// function of the caller's with the same name, which is found since a type of this library's is among its arguments,
/// begins with something else, or is called in its own right.
template <class First, class... Others>
concept lacks_space = no_execution_space<First> && stands_for_a_space<First> &&
                      (view_argument<First> || (view_argument<Others> || ...) ||
                       (std::is_integral_v<First> && (index_functor<Others> || ...)));

}  // namespace upsweep

/// Declares a form of a function for callers who forgot the space: one sentence, and no list of all forms. A macro,
/// since the sentence of a static_assert is a literal, and has the function's name.
#define UPSWEEP_WITHOUT_SPACE(function)                                                          \
  template <class First, class... Others>                                                        \
    requires lacks_space<First, Others...>                                                       \
  void function(First const&, Others const&...) {                                                \
    static_assert(execution_space_argument<First>,                                               \
                  "upsweep::" #function ": the first argument is an execution-space instance."); \
  }

/// The same of a function whose callers name a type: function<T>(...).
#define UPSWEEP_OF_TYPE_WITHOUT_SPACE(function)                                                  \
  template <class T, stands_for_a_space First, class... Others>                                  \
  void function(First const&, Others const&...) {                                                \
    static_assert(execution_space_argument<First>,                                               \
                  "upsweep::" #function ": the first argument is an execution-space instance."); \
  }
