// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/pack/detail/lists/pack_arguments.hpp>
#include <upsweep/pack/detail/moving/partition_call.hpp>
#include <upsweep/pack/detail/moving/three_parts.hpp>
#include <upsweep/pack/flagged.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep {

namespace pack::detail {

/// choice: a predicate, or flags.
template <class ExecutionSpace, class In, class Chosen, class Rest, class Choice>
Kokkos::Array<std::uint64_t, 2> check_and_partition_copy(ExecutionSpace const& space, In const& in,
                                                         Chosen const& chosen, Rest const& rest, Choice const& choice,
                                                         count_target<2> const* counts, call_options const& options) {
  static constexpr char const* function = "partition_copy";
  using internal::named;
  require_copies<ExecutionSpace>(function, named{in, "input"}, named{chosen, "chosen"}, named{rest, "rest"});
  require_choice_apart(choice, chosen, function, "chosen");
  require_choice_apart(choice, rest, function, "rest");
  auto const from = internal::make_sequence(in);
  auto const to_chosen = internal::make_output_sequence(chosen);
  auto const to_rest = internal::make_output_sequence(rest);
  using outputs = separate_outputs<std::remove_const_t<decltype(to_chosen)>, std::remove_const_t<decltype(to_rest)>>;
  auto const part_of = make_choice<ExecutionSpace>(in, from, choice, function);
  auto const found =
      partition_call<2>(space, in.extent(0), from, part_of,
                        outputs{{to_chosen, chosen.extent(0)}, {to_rest, rest.extent(0)}}, counts, options, function);
  if (counts == nullptr) {
    require_room(found[0], chosen.extent(0), function);
    require_room(found[1], rest.extent(0), function);
  }
  return found;
}

template <class ExecutionSpace, class In, class A, class B, class C, class First, class Second>
Kokkos::Array<std::uint64_t, 3> check_and_copy_three(ExecutionSpace const& space, In const& in, A const& a, B const& b,
                                                     C const& rest, First const& first, Second const& second,
                                                     count_target<3> const* counts, call_options const& options) {
  static constexpr char const* function = "partition_copy";
  using internal::named;
  require_copies<ExecutionSpace>(function, named{in, "input"}, named{a, "first"}, named{b, "second"},
                                 named{rest, "rest"});
  auto const from = internal::make_sequence(in);
  auto const to_a = internal::make_output_sequence(a);
  auto const to_b = internal::make_output_sequence(b);
  auto const to_rest = internal::make_output_sequence(rest);
  using outputs = three_outputs<std::remove_const_t<decltype(to_a)>, std::remove_const_t<decltype(to_b)>,
                                std::remove_const_t<decltype(to_rest)>>;
  auto const found = partition_call<3>(space, in.extent(0), from, make_part_of_three<In>(from, first, second),
                                       outputs{{{to_a, a.extent(0)}, {to_b, b.extent(0)}}, {to_rest, rest.extent(0)}},
                                       counts, options, function);
  if (counts == nullptr) {
    require_room(found[0], a.extent(0), function);
    require_room(found[1], b.extent(0), function);
    require_room(found[2], rest.extent(0), function);
  }
  return found;
}

}  // namespace pack::detail

/// Copies the elements that a predicate holds for to one output and the others to another, both in their order; returns
/// how many each are: 3 8 4 7 2 by evenness is 8 4 2 and 3 7. Where the backend can do it in one pass, it is faster
/// than partition.
///
/// Pre: predicate(element) may be called by any thread and does not throw; the outputs share no memory with in
///   nor with each other.
/// Cost: the predicate once an element. CUDA from sm_70 on and HIP, elements of at most 64 bytes that can be
///   copied as bytes: n reads, n writes; 1 launch; workspace 128 bytes per tile of 20 to 72 KB. Else as partition.
/// Order: stable, the same in each run.
/// Sync: waits for the instance.
/// Aliasing: none; contiguous ranges that overlap are refused. The predicate reads nothing of the outputs.
/// Throws: precondition_error (overlap, workspace of another instance), overflow_error where an output is too short:
///   nothing is written behind its end; out_of_memory_error.
/// Source: B. Merry, *Prefix sums on GPUs*: splitting.
template <execution_space_argument ExecutionSpace, class In, class Chosen, class Rest, functor_argument Predicate>
Kokkos::Array<std::size_t, 2> partition_copy(ExecutionSpace const& space, In const& in, Chosen const& chosen,
                                             Rest const& rest, Predicate const& predicate,
                                             call_options const& options = {}) {
  return pack::detail::check_and_partition_copy(space, in, chosen, rest, predicate, nullptr, options);
}

/// The same with the two counts in a View of std::size_t on the device: asynchronous with a workspace, and nothing is
/// thrown for an output that is too short: its count is larger than its extent then.
template <execution_space_argument ExecutionSpace, class In, class Chosen, class Rest, view_argument Counts,
          functor_argument Predicate>
void partition_copy(ExecutionSpace const& space, In const& in, Chosen const& chosen, Rest const& rest,
                    Counts const& counts, Predicate const& predicate, call_options const& options = {}) {
  auto const target = pack::detail::make_count_target<2, ExecutionSpace>(counts, "partition_copy");
  pack::detail::check_and_partition_copy(space, in, chosen, rest, predicate, &target, options);
}

/// Both by flags, `flagged{view}`, a View of rank 1 of an integer type or bool with a flag per element: those that
/// are not 0 choose.
/// Cost: as above, and n reads of flags.
/// Aliasing: none; flags and in may share memory. Contiguous ranges that overlap with an output are refused.
/// Throws: precondition_error, too, for flags that are not as many as the elements.
template <execution_space_argument ExecutionSpace, class In, class Flags, view_of_rank_1 Chosen, view_of_rank_1 Rest>
Kokkos::Array<std::size_t, 2> partition_copy(ExecutionSpace const& space, In const& in, flagged<Flags> const& flags,
                                             Chosen const& chosen, Rest const& rest, call_options const& options = {}) {
  return pack::detail::check_and_partition_copy(space, in, chosen, rest, flags.view, nullptr, options);
}
template <execution_space_argument ExecutionSpace, class In, class Flags, view_of_rank_1 Chosen, view_of_rank_1 Rest,
          view_argument Counts>
void partition_copy(ExecutionSpace const& space, In const& in, flagged<Flags> const& flags, Chosen const& chosen,
                    Rest const& rest, Counts const& counts, call_options const& options = {}) {
  auto const target = pack::detail::make_count_target<2, ExecutionSpace>(counts, "partition_copy");
  pack::detail::check_and_partition_copy(space, in, chosen, rest, flags.view, &target, options);
}

/// Three parts to three outputs, each in its order: the elements that `first` holds for, then the others that `second`
/// holds for, and the rest; returns how many each are. Around a pivot of 4, 3 8 4 7 2 4 is 3 2, 4 4 and 8 7. Where the
/// backend can do it in one pass, it is faster than partition_three_way.
///
/// Cost: one pass as with two outputs, else as partition_three_way; `second` is called where `first` does not hold.
///   There is no form with flags.
/// Pre, Order, Sync, Aliasing, Throws, Source: as with two outputs.
template <execution_space_argument ExecutionSpace, class In, view_of_rank_1 A, view_of_rank_1 B, view_of_rank_1 C,
          functor_argument First, functor_argument Second>
Kokkos::Array<std::size_t, 3> partition_copy(ExecutionSpace const& space, In const& in, A const& first_part,
                                             B const& second_part, C const& rest, First const& first,
                                             Second const& second, call_options const& options = {}) {
  return pack::detail::check_and_copy_three(space, in, first_part, second_part, rest, first, second, nullptr, options);
}

/// The same with the three counts in a View of std::size_t on the device: asynchronous with a workspace, and nothing
/// is thrown for an output that is too short: its count is larger than its extent then.
template <execution_space_argument ExecutionSpace, class In, view_of_rank_1 A, view_of_rank_1 B, view_of_rank_1 C,
          view_argument Counts, functor_argument First, functor_argument Second>
void partition_copy(ExecutionSpace const& space, In const& in, A const& first_part, B const& second_part, C const& rest,
                    Counts const& counts, First const& first, Second const& second, call_options const& options = {}) {
  auto const target = pack::detail::make_count_target<3, ExecutionSpace>(counts, "partition_copy");
  pack::detail::check_and_copy_three(space, in, first_part, second_part, rest, first, second, &target, options);
}

UPSWEEP_WITHOUT_SPACE(partition_copy)

}  // namespace upsweep
