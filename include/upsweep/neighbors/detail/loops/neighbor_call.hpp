// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/pair_index.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// What loops over neighbours need of a list's handle.
template <class Rows>
concept row_handle = requires(Rows const& rows, std::size_t i) {
  typename Rows::index_type;
  rows.run(i);
  rows.run_at(i);
  rows.row_at(i);
  rows.rows;
};

/// A list, of which view() is the handle.
template <class List>
concept list_of_rows = requires(List const& list) {
  { list.view() } -> row_handle;
};
template <class Rows>
concept rows_or_list = row_handle<Rows> || list_of_rows<Rows>;

/// The handle that kernels capture.
template <row_handle Rows>
Rows const& handle_of(Rows const& rows) {
  return rows;
}
template <list_of_rows List>
auto handle_of(List const& list) {
  return list.view();
}

/// What a functor gets of a pair between its neighbour and what follows.
enum class pair_form { image_and_number, image, number, nothing, does_not_fit };

template <class... T>
struct argument_types {};

/// Whether f(front..., between..., back...) can be called.
template <class F, class Front, class Back, class... Between>
inline constexpr bool fits = false;
template <class F, class... Front, class... Back, class... Between>
inline constexpr bool fits<F, argument_types<Front...>, argument_types<Back...>, Between...> =
    std::is_invocable_v<F const&, Front..., Between..., Back...>;

/// The first form that fits, as pair_index.hpp says. No form behind it is tried: asking a generic lambda whether it
/// can be called compiles its body.
template <class F, class Front, class Back>
constexpr pair_form first_form_without_image() {
  if constexpr (fits<F, Front, Back, pair_index>) return pair_form::number;
  else if constexpr (fits<F, Front, Back>) return pair_form::nothing;
  else return pair_form::does_not_fit;
}
template <class F, class Front, class Back>
constexpr pair_form first_form() {
  if constexpr (fits<F, Front, Back, image, pair_index>) return pair_form::image_and_number;
  else if constexpr (fits<F, Front, Back, image>) return pair_form::image;
  else return first_form_without_image<F, Front, Back>();
}

/// What stands between the neighbour and what follows.
constexpr std::size_t arguments_between(pair_form form) {
  if (form == pair_form::image_and_number) return 2;
  return form == pair_form::image || form == pair_form::number ? 1 : 0;
}

/// Whether what is done to a parameter is lost, where a Sum is handed to it: a copy, or const. Other classes may refer
/// to the Sum that they are made of.
template <class Parameter, class Sum>
inline constexpr bool loses_sum =
    !(std::is_lvalue_reference_v<Parameter> && !std::is_const_v<std::remove_reference_t<Parameter>>) &&
    (std::is_same_v<std::remove_cvref_t<Parameter>, Sum> || std::is_arithmetic_v<std::remove_cvref_t<Parameter>>);

/// The same of parameter number At of a member function, counted from 0.
template <class Member, std::size_t At, class Sum>
inline constexpr bool member_loses_sum = false;
template <class F, class Result, class... Parameters, std::size_t At, class Sum>
  requires(At < sizeof...(Parameters))
inline constexpr bool member_loses_sum<Result (F::*)(Parameters...) const, At, Sum> =
    loses_sum<std::tuple_element_t<At, std::tuple<Parameters...>>, Sum>;
template <class F, class Result, class... Parameters, std::size_t At, class Sum>
  requires(At < sizeof...(Parameters))
inline constexpr bool member_loses_sum<Result (F::*)(Parameters...) const noexcept, At, Sum> =
    loses_sum<std::tuple_element_t<At, std::tuple<Parameters...>>, Sum>;

/// The same of a functor with one operator() that is no template. Of others nobody knows: asking a template whether it
/// takes a temporary compiles its body.
template <class F, std::size_t At, class Sum>
constexpr bool functor_loses_sum() {
  if constexpr (requires { &F::operator(); }) return member_loses_sum<decltype(&F::operator()), At, Sum>;
  else return false;
}

/// Refuses rows without images for a functor that takes them. Handles that others have made do not say.
template <pair_form Form, class Rows>
void require_images([[maybe_unused]] Rows const& rows, [[maybe_unused]] char const* function) {
  if constexpr ((Form == pair_form::image_and_number || Form == pair_form::image) && requires { rows.has_images(); })
    internal::require(rows.has_images(), function,
                      "the functor takes an image and the list keeps none (expected a list that was built with "
                      "options.pair_images = true)");
}

/// How f is called with a neighbour, in loops over one row.
template <class F, class Index, class... Partial>
inline constexpr pair_form neighbor_form = first_form<F, argument_types<Index>, argument_types<Partial&...>>();

/// Whether what f(j, ..., partial) adds is lost. A constant: device code may not call the function behind it.
template <class F, pair_form Form, class... Partial>
inline constexpr bool neighbor_functor_loses_sum =
    (functor_loses_sum<F, 1 + arguments_between(Form), Partial>() || ...);

/// f(j, partial...) or, where f takes them, with image and number of the pair behind j.
template <class Run, class F, class... Partial>
KOKKOS_FORCEINLINE_FUNCTION void call_with_neighbor(Run const& run, std::size_t k, F const& f, Partial&... partial) {
  constexpr pair_form form = neighbor_form<F, typename Run::index_type, Partial...>;
  static_assert(
      !neighbor_functor_loses_sum<F, form, Partial...>,
      "upsweep::reduce_neighbors: the functor takes its partial result by reference, or what it adds is lost.");
  if constexpr (form == pair_form::image_and_number) {
    f(run[k], run.image_of(k), run.pair_of(k), partial...);
  } else if constexpr (form == pair_form::image) {
    f(run[k], run.image_of(k), partial...);
  } else if constexpr (form == pair_form::number) {
    f(run[k], run.pair_of(k), partial...);
  } else {
    static_assert(form == pair_form::nothing,
                  "upsweep: the functor is called with a neighbour j, behind it the image or the pair_index or both, "
                  "and in reductions with a reference to a partial result behind them.");
    f(run[k], partial...);
  }
}

}  // namespace upsweep::neighbors::detail
