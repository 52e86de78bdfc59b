// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/loops/neighbor_call.hpp>
#include <upsweep/neighbors/pair_index.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace upsweep::neighbors::detail {

/// Whether f is a template that takes neighbor_lanes for j. Said by the functor: asking a template whether it can be
/// called compiles its body.
template <class F>
concept takes_lanes = requires { requires F::takes_lanes; };

/// Whether f says what it reads for a neighbour, by load(i, j, number) or load(i, j).
template <class F, class Index>
concept loads_by_number = requires(F const& f, std::size_t i, Index j, pair_index number) { f.load(i, j, number); };
template <class F, class Index>
concept has_load_step = loads_by_number<F, Index> || requires(F const& f, std::size_t i, Index j) { f.load(i, j); };

/// What f loads for one neighbour, or for several in lanes. Index: of one.
template <class Index, class F, class J, class Number>
KOKKOS_FORCEINLINE_FUNCTION auto load_for(F const& f, std::size_t i, J const& j, Number const& number) {
  if constexpr (loads_by_number<F, Index>) return f.load(i, j, number);
  else return f.load(i, j);
}

template <class F, class Index>
using loaded_t = decltype(load_for<Index>(std::declval<F const&>(), std::size_t(), std::declval<Index const&>(),
                                          std::declval<pair_index const&>()));

/// Whether what f loads can wait in registers.
template <class F, class Index>
constexpr bool loads_plain() {
  if constexpr (has_load_step<F, Index>) return std::is_trivially_copyable_v<loaded_t<F, Index>>;
  else return true;
}
template <class F, class Index>
inline constexpr bool load_is_plain = loads_plain<F, Index>();

/// What follows the pair in a call: what the load step has loaded, and the sum.
template <class F, class Index, class Sum>
constexpr auto arguments_behind() {
  if constexpr (has_load_step<F, Index>) return argument_types<loaded_t<F, Index> const&, Sum&>();
  else return argument_types<Sum&>();
}
template <class F, class Index, class Sum>
constexpr pair_form form_of_row_functor() {
  using front = argument_types<std::size_t, Index>;
  using back = decltype(arguments_behind<F, Index, Sum>());
  if constexpr (takes_lanes<F>) return first_form_without_image<F, front, back>();
  else return first_form<F, front, back>();
}
/// How f(i, j, ..., sum) is called.
template <class F, class Index, class Sum>
inline constexpr pair_form row_form = form_of_row_functor<F, Index, Sum>();

/// Whether what f(i, j, ..., sum) adds is lost.
template <class F, class Index, class Sum>
inline constexpr bool row_functor_loses_sum =
    functor_loses_sum<F, 2 + arguments_between(row_form<F, Index, Sum>) + (has_load_step<F, Index> ? 1 : 0), Sum>();

/// Calls f for neighbour k, which is j. loaded: what f has loaded for it, where it has a load step.
template <class F, class Run, class Sum, class... Loaded>
KOKKOS_FORCEINLINE_FUNCTION void call_with_pair(F const& f, std::size_t i, Run const& run, std::size_t k,
                                                typename Run::index_type j, Sum& sum, Loaded const&... loaded) {
  constexpr pair_form form = row_form<F, typename Run::index_type, Sum>;
  if constexpr (form == pair_form::image_and_number) f(i, j, run.image_of(k), run.pair_of(k), loaded..., sum);
  else if constexpr (form == pair_form::image) f(i, j, run.image_of(k), loaded..., sum);
  else if constexpr (form == pair_form::number) f(i, j, run.pair_of(k), loaded..., sum);
  else f(i, j, loaded..., sum);
}

/// Loads for several neighbours in lanes, and calls f. Index, SumOfOne: of one neighbour.
template <class Index, class SumOfOne, class F, class J, class Number, class Sum>
KOKKOS_FORCEINLINE_FUNCTION void load_and_call(F const& f, std::size_t i, J const& j, Number const& number, Sum& sum) {
  auto const call = [&](auto const&... loaded) {
    if constexpr (row_form<F, Index, SumOfOne> == pair_form::number) f(i, j, number, loaded..., sum);
    else f(i, j, loaded..., sum);
  };
  if constexpr (has_load_step<F, Index>) call(load_for<Index>(f, i, j, number));
  else call();
}

/// Adds neighbour k of a run.
template <class F, class Run, class Sum>
KOKKOS_FORCEINLINE_FUNCTION void add_neighbor(F const& f, std::size_t i, Run const& run, std::size_t k, Sum& sum) {
  using index = typename Run::index_type;
  auto const j = run[k];
  if constexpr (has_load_step<F, index>) call_with_pair(f, i, run, k, j, sum, load_for<index>(f, i, j, run.pair_of(k)));
  else call_with_pair(f, i, run, k, j, sum);
}

/// Adds the neighbours first, first + step, first + 2 step, ... of a run, in this order. With a load step the records
/// of two are loaded before f works on the two in front of them, and the indices of two more: a GPU's thread waits
/// where it uses what it has loaded, and does not look ahead by itself. Behind the end of the run the last one is
/// loaded again: under a condition, compilers load a record only where f takes it.
///
/// H200, 2026-11-28, forces of upsweep-nbody on 4 * 10^6 particles with 78 neighbours each: 1.16 ms; with loads under
/// conditions 1.37; without records ahead, two, three or four neighbours at a time, 1.23, 1.17 and 1.19.
/// Most: what is behind so many neighbours is added without looking ahead, so that numbers have 32 bits, which saves a
/// GPU instructions. Pre: 2 step divides it.
template <std::size_t Most = std::size_t(1) << 30, class F, class Run, class Sum>
KOKKOS_FORCEINLINE_FUNCTION void add_neighbors(F const& f, std::size_t i, Run const& run, std::size_t first,
                                               std::size_t step, Sum& sum) {
  using index = typename Run::index_type;
  std::size_t rest = first;
  if constexpr (has_load_step<F, index>) {
    auto const count = static_cast<std::uint32_t>(run.count < Most ? run.count : Most);
    auto const by = static_cast<std::uint32_t>(step);
    auto k = static_cast<std::uint32_t>(first);
    if (k < count) {
      auto const inside = [=](std::uint32_t at) { return at < count ? at : count - 1; };
      auto const index_at = [&](std::uint32_t at) { return run[inside(at)]; };
      auto const load = [&](std::uint32_t at, index j) { return load_for<index>(f, i, j, run.pair_of(inside(at))); };
      index j0 = run[k], j1 = index_at(k + by), j2 = index_at(k + 2 * by), j3 = index_at(k + 3 * by);
      auto loaded0 = load(k, j0), loaded1 = load(k + by, j1);
      do {
        auto const loaded2 = load(k + 2 * by, j2), loaded3 = load(k + 3 * by, j3);
        index const j4 = index_at(k + 4 * by), j5 = index_at(k + 5 * by);
        call_with_pair(f, i, run, k, j0, sum, loaded0);
        if (k + by < count) call_with_pair(f, i, run, k + by, j1, sum, loaded1);
        k += 2 * by;
        j0 = j2, j1 = j3, j2 = j4, j3 = j5;
        loaded0 = loaded2, loaded1 = loaded3;
      } while (k < count);
    }
    rest = k;
  }
  for (std::size_t k = rest; k < run.count; k += step) add_neighbor(f, i, run, k, sum);
}

}  // namespace upsweep::neighbors::detail
