// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/into_and_from.hpp>
#include <upsweep/scan/options.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

// What callers give to a scan: which argument is what, and a sentence for each mistake.

namespace upsweep::scan::detail {

/// Mistakes that are known at compile time. A call looks for the first one, says its sentence, and compiles no kernel
/// then: what else would follow from the mistake is not said.
enum class mistake {
  none,
  no_space,
  input,
  counted_input,
  output,
  matrices,
  memory,
  unmarked_view,
  no_monoid,
  other_options,
  wrong_order,
  takes_no_total,
  takes_no_initial_value,
  total_type,
  initial_value_of_view,
  initial_value_type,
  initial_value_cut,
  unmarked_segments,
  reduces_flags,
  keys,
  equality,
  counts,
  offsets,
  count_total,
  functor
};

/// Says the sentence.
template <mistake Made>
constexpr void say() {
  static_assert(Made != mistake::no_space, "upsweep: the first argument is an execution-space instance.");
  static_assert(Made != mistake::input, "upsweep: the input of a scan is a View of rank 1 or a functor of the index.");
  static_assert(Made != mistake::counted_input,
                "upsweep: the input of this call is a View of rank 1, or the number of elements and a functor of the "
                "index.");
  static_assert(Made != mistake::output,
                "upsweep: the output of a scan is a View of rank 1 with elements that can be assigned.");
  static_assert(Made != mistake::matrices,
                "upsweep: input and output of a batched scan are Views of rank 2; elements of the output can be "
                "assigned.");
  static_assert(Made != mistake::memory,
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
  static_assert(Made != mistake::unmarked_view,
                "upsweep: a View in this place says what it is: into{view} takes the total, from{view} gives the "
                "initial value.");
  // std::plus<> and its kind are not taken for upsweep's: what they add in is the type of their operands, not of the
  // output, and functors and lambdas would be refused anyway, since nobody knows their identity.
  static_assert(Made != mistake::no_monoid,
                "upsweep: an operation is a monoid, with value_type, identity() and operator()(left, right): "
                "upsweep::plus<>, not std::plus<>.");
  static_assert(Made != mistake::other_options,
                "upsweep: these are options of other calls: scans take scan_options or basic_scan_options<engine>, "
                "calls without an engine call_options.");
  static_assert(Made != mistake::wrong_order,
                "upsweep: behind the output stand, each at most once and in this order, into{total}, an initial value, "
                "a monoid and options.");
  static_assert(Made != mistake::takes_no_total, "upsweep: this call has no total.");
  static_assert(Made != mistake::takes_no_initial_value,
                "upsweep: an argument behind the output is no monoid, and this call takes no initial value.");
  static_assert(Made != mistake::total_type,
                "upsweep: a total has the output's value type; where a functor takes the results, that of the prefix.");
  static_assert(Made != mistake::initial_value_of_view,
                "upsweep: an initial value on the device has the monoid's value_type.");
  static_assert(Made != mistake::initial_value_type,
                "upsweep: the initial value does not convert to the monoid's value_type; for numbers it is a number.");
  static_assert(Made != mistake::initial_value_cut,
                "upsweep: a floating-point initial value would be cut to the monoid's integer value_type; convert it "
                "first.");
  static_assert(Made != mistake::unmarked_segments,
                "upsweep: segments are given by head_flags{flags} or segment_offsets{offsets}.");
  static_assert(Made != mistake::reduces_flags, "upsweep: segmented_reduce takes segment_offsets{offsets}, no flags.");
  static_assert(Made != mistake::keys, "upsweep: keys are a View of rank 1 or a functor of the index.");
  static_assert(Made != mistake::equality,
                "upsweep: behind the monoid of a scan by key stands an equality, called with two keys, or options.");
  static_assert(Made != mistake::counts,
                "upsweep::counts_to_offsets: counts is a View of rank 1 or a functor, of an integer type.");
  static_assert(Made != mistake::offsets,
                "upsweep::counts_to_offsets: offsets is a View of rank 1 of an integer type that can be assigned.");
  static_assert(Made != mistake::count_total,
                "upsweep::counts_to_offsets: behind the offsets stand into{total}, with a variable of std::size_t, and "
                "options; on the device the total is offsets(n).");
  static_assert(Made != mistake::functor,
                "upsweep: the functor of a scan is called with an index (std::size_t), a prefix and an element.");
}

/// Whether an argument has the tag: has_tag<into<double>, into>.
template <class Given, template <class> class Tag>
inline constexpr bool has_tag = false;
template <class Marked, template <class> class Tag>
inline constexpr bool has_tag<Tag<Marked>, Tag> = true;

/// Stands for an argument that is left out.
struct left_out {};

/// What an argument behind the outputs is, in the order in which they stand. Together they say what a call takes.
using role = int;
inline constexpr role total_role = 1, initial_value_role = 2, monoid_role = 4;

/// What an argument is that stands in front of others. A monoid in front of another one is the initial value: states
/// may be monoids themselves, as affine maps are.
template <class Given, class... Behind>
inline constexpr role role_of = has_tag<Given, into>                                          ? total_role
                                : monoid_argument<Given> && !(monoid_argument<Behind> || ...) ? monoid_role
                                                                                              : initial_value_role;

/// The argument of a role; `missing` where none is given.
template <role Role, class Missing>
constexpr Missing const& argument_of(Missing const& missing) {
  return missing;
}
template <role Role, class Missing, class First, class... Others>
constexpr auto const& argument_of(Missing const& missing, First const& first, Others const&... others) {
  if constexpr (role_of<First, Others...> == Role) return first;
  else return argument_of<Role>(missing, others...);
}
template <role Role, class Missing, class... Given>
using argument_type =
    std::remove_cvref_t<decltype(argument_of<Role>(std::declval<Missing const&>(), std::declval<Given const&>()...))>;

/// The mistake in inputs and output of one element each.
template <class ExecutionSpace, class In, class Out>
constexpr mistake mistake_in_sequences() {
  if constexpr (!Kokkos::is_execution_space_v<ExecutionSpace>) return mistake::no_space;
  else if constexpr (!sequence_argument<In>) return mistake::input;
  else if constexpr (!view_of_rank_1<Out>) return mistake::output;
  else if constexpr (std::is_const_v<typename Out::value_type>) return mistake::output;
  else if constexpr (!internal::reachable<ExecutionSpace, In>() || !internal::reachable<ExecutionSpace, Out>())
    return mistake::memory;
  else return mistake::none;
}

/// The mistake in the input of a call that has no output of as many elements: a View, or the number of elements and a
/// functor of the index. Behind: the arguments that follow In.
template <class ExecutionSpace, class In, class... Behind>
constexpr mistake mistake_in_counted_input() {
  if constexpr (view_of_rank_1<In>) return internal::reachable<ExecutionSpace, In>() ? mistake::none : mistake::memory;
  else if constexpr (std::is_integral_v<In> && sizeof...(Behind) > 0)
    return index_functor<std::tuple_element_t<0, std::tuple<Behind...>>> ? mistake::none : mistake::counted_input;
  else return mistake::counted_input;
}

/// The mistake in an initial value for states of this type.
template <class ExecutionSpace, class State, class Init>
constexpr mistake mistake_in_initial_value() {
  if constexpr (has_tag<Init, from>) {
    using view = decltype(Init::view);
    if constexpr (!view_of_rank_0<view>) return mistake::initial_value_of_view;
    else if constexpr (!std::is_same_v<typename view::non_const_value_type, State>)
      return mistake::initial_value_of_view;
    else return internal::reachable<ExecutionSpace, view>() ? mistake::none : mistake::memory;
  } else if constexpr (!std::is_same_v<Init, State> && std::is_invocable_v<Init const&, State const&, State const&>) {
    return mistake::no_monoid;
  } else if constexpr (std::is_arithmetic_v<State> && !std::is_arithmetic_v<Init>) {
    // Of enumerations and of classes that convert, nobody would see what is cut; lambdas and pointers convert to bool.
    return mistake::initial_value_type;
  } else if constexpr (!std::is_convertible_v<Init, State>) {
    return mistake::initial_value_type;
  } else {
    return std::is_floating_point_v<Init> && std::is_integral_v<State> ? mistake::initial_value_cut : mistake::none;
  }
}

/// The mistake in a total of this type.
template <class ExecutionSpace, class Value, class Total>
constexpr mistake mistake_in_total() {
  if constexpr (!std::is_same_v<typename Total::value_type, Value>) return mistake::total_type;
  else if constexpr (requires { Total::view; })
    return internal::reachable<ExecutionSpace, decltype(Total::view)>() ? mistake::none : mistake::memory;
  else return mistake::none;
}

/// The mistake in one argument behind the outputs, of a role.
template <role Taken, role mine, class ExecutionSpace, class Value, class State, class Given>
constexpr mistake mistake_in_argument() {
  if constexpr (Kokkos::is_view_v<Given>) return mistake::unmarked_view;
  else if constexpr (is_options<Given>) return mistake::other_options;
  else if constexpr (mine == total_role) {
    return (Taken & mine) == 0 ? mistake::takes_no_total : mistake_in_total<ExecutionSpace, Value, Given>();
  } else if constexpr (mine == initial_value_role) {
    constexpr mistake found = mistake_in_initial_value<ExecutionSpace, State, Given>();
    return (Taken & mine) == 0 && found != mistake::no_monoid ? mistake::takes_no_initial_value : found;
  } else {
    return mistake::none;
  }
}

/// The first mistake in arguments that follow one of the role `Before`.
template <role Taken, role Before, class ExecutionSpace, class Value, class State>
constexpr mistake first_mistake() {
  return mistake::none;
}
template <role Taken, role Before, class ExecutionSpace, class Value, class State, class First, class... Others>
constexpr mistake first_mistake() {
  constexpr role mine = role_of<First, Others...>;
  constexpr mistake made = mistake_in_argument<Taken, mine, ExecutionSpace, Value, State, First>();
  if constexpr (made != mistake::none) return made;
  else if constexpr (Before >= mine) return mistake::wrong_order;
  else return first_mistake<Taken, mine, ExecutionSpace, Value, State, Others...>();
}

/// The first mistake in the arguments behind the outputs. Value: of an output.
template <role Taken, class ExecutionSpace, class Value, class... Given>
constexpr mistake mistake_in_arguments() {
  using monoid_type = internal::resolved_monoid<argument_type<monoid_role, plus<>, Given...>, Value>;
  return first_mistake<Taken, 0, ExecutionSpace, Value, typename monoid_type::value_type, Given...>();
}

/// The first mistake of a call: the one in what stands up to the output, else the one in the arguments behind it.
template <mistake UpToOutput, role Taken, class ExecutionSpace, class Out, class... Given>
constexpr mistake mistake_in_call() {
  if constexpr (UpToOutput != mistake::none) return UpToOutput;
  else return mistake_in_arguments<Taken, ExecutionSpace, typename Out::value_type, Given...>();
}

}  // namespace upsweep::scan::detail

namespace upsweep {

/// What may stand between the outputs and the options of a scan: into{total}, an initial value, a monoid. Options are
/// no such argument: their parameter is typed, so that they can be given in braces.
template <class Given>
concept scan_argument = !scan::detail::is_scan_options<Given>;

/// The same for calls that have no engine to choose.
template <class Given>
concept call_argument = !std::is_convertible_v<Given, call_options>;

}  // namespace upsweep
