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
#include <string>
#include <type_traits>

namespace upsweep {

namespace pack::detail {

struct make_joined_output {
  template <class Out>
  joined_output<Out> operator()(Out const& out, std::size_t) const {
    return {out};
  }
};
struct make_reversing_output {
  template <class Out>
  reversing_output<Out> operator()(Out const& out, std::size_t n) const {
    return {out, n};
  }
};

template <int Parts, class ExecutionSpace, class In, class Out, class MakePartOf, class MakeOutput = make_joined_output>
Kokkos::Array<std::uint64_t, Parts> check_and_partition(ExecutionSpace const& space, In const& in, Out const& out,
                                                        MakePartOf const& make_part_of,
                                                        count_target<Parts> const* counts, call_options const& options,
                                                        char const* function, MakeOutput const& make_output = {}) {
  require_input<ExecutionSpace, In>();
  require_output<ExecutionSpace, Out, typename In::non_const_value_type>();
  std::size_t const n = in.extent(0);
  internal::require_same_extent(n, out.extent(0), function, "input");
  internal::require_apart(in, out, function, "input", "output");
  auto const from = internal::make_sequence(in);
  auto const to = internal::make_output_sequence(out);
  return partition_call<Parts>(space, n, from, make_part_of(from), make_output(to, n), counts, options, function);
}

/// choice: a predicate, or flags.
template <class ExecutionSpace, class In, class Out, class Choice, class MakeOutput = make_joined_output>
auto partition_in_two(ExecutionSpace const& space, In const& in, Out const& out, Choice const& choice,
                      count_target<2> const* counts, call_options const& options, char const* function,
                      MakeOutput const& make_output = {}) {
  require_choice_apart(choice, out, function, "output");
  auto const part_of = [&](auto const& from) { return make_choice<ExecutionSpace>(in, from, choice, function); };
  return check_and_partition<2>(space, in, out, part_of, counts, options, function, make_output);
}

template <class ExecutionSpace, class InOut, class Predicate>
auto check_and_partition_in_place(ExecutionSpace const& space, InOut const& in_out, Predicate const& predicate,
                                  count_target<2> const* counts, call_options const& options) {
  static constexpr char const* function = "partition_in_place";
  require_in_out<ExecutionSpace, InOut>();
  auto const from = internal::make_sequence(in_out);
  return partition_in_place(space, in_out, from, make_choice<ExecutionSpace>(in_out, from, predicate, function), counts,
                            options, function);
}

template <class ExecutionSpace, class In, class Out, class First, class Second>
auto partition_in_three(ExecutionSpace const& space, In const& in, Out const& out, First const& first,
                        Second const& second, count_target<3> const* counts, call_options const& options) {
  auto const part_of = [&](auto const& from) { return make_part_of_three<In>(from, first, second); };
  return check_and_partition<3>(space, in, out, part_of, counts, options, "partition_three_way");
}

}  // namespace pack::detail

/// Puts the elements that a predicate holds for in front of the others, both in their order; returns how many each are:
/// with the even ones first, 3 8 4 7 2 becomes 8 4 2 3 7, and the counts are 3 and 2.
///
/// Pre: predicate(element) may be called by any thread, gives the same answer each time and does not throw; out has as
///   many elements as in, and other memory.
/// Cost: the predicate once per element. CUDA from sm_70 on and HIP, elements of at most 64 bytes that can be copied as
///   bytes: short inputs (16 MiB on an H200: all teams run at once) n reads, n writes, 1 launch; while other kernels
///   keep teams from running, or where a tile takes a millisecond, some elements are asked for again. Longer ones
///   n reads, n writes, and as many again as the smaller part has elements, which are stored backwards before they find
///   their place; from 16 Mi elements on a sample of 4096, which are asked again, finds out which one that is; 3
///   launches; workspace 128 bytes per tile of 20 to 72 KB (partition_copy and partition_rest_reversed need neither
///   sample nor second step). Else a pass of its own for the predicate, n reads; n/64 counts are scanned; n reads, n
///   writes. 2 launches and the scan's, none for short inputs of CPUs, as compact; workspace n/8 bytes of marks, n/8 of
///   counts, and the scan's.
/// Order: stable, the same in each run.
/// Sync: waits for the instance.
/// Aliasing: none; contiguous ranges that overlap are refused. The predicate reads nothing of out.
/// Throws: precondition_error (extents, overlap, workspace of another instance), out_of_memory_error.
/// Source: B. Merry, *Prefix sums on GPUs*: splitting, as in a radix sort's pass.
template <execution_space_argument ExecutionSpace, class In, class Out, functor_argument Predicate>
Kokkos::Array<std::size_t, 2> partition(ExecutionSpace const& space, In const& in, Out const& out,
                                        Predicate const& predicate, call_options const& options = {}) {
  return pack::detail::partition_in_two(space, in, out, predicate, nullptr, options, "partition");
}

/// The same with the two counts in a View of std::size_t on the device: asynchronous with a workspace.
template <execution_space_argument ExecutionSpace, class In, class Out, view_argument Counts,
          functor_argument Predicate>
void partition(ExecutionSpace const& space, In const& in, Out const& out, Counts const& counts,
               Predicate const& predicate, call_options const& options = {}) {
  auto const target = pack::detail::make_count_target<2, ExecutionSpace>(counts, "partition");
  pack::detail::partition_in_two(space, in, out, predicate, &target, options, "partition");
}

/// Both by flags, `flagged{view}`, a View of rank 1 of an integer type or bool with a flag per element: those that are
/// not 0 choose. 3 8 4 with the flags 0 1 1 becomes 8 4 3.
/// Cost: as above, and n reads of flags.
/// Aliasing: none; flags and in may share memory. Contiguous ranges that overlap with out are refused.
/// Throws: precondition_error, too, for flags that are not as many as the elements.
template <execution_space_argument ExecutionSpace, class In, class Flags, view_of_rank_1 Out>
Kokkos::Array<std::size_t, 2> partition(ExecutionSpace const& space, In const& in, flagged<Flags> const& flags,
                                        Out const& out, call_options const& options = {}) {
  return pack::detail::partition_in_two(space, in, out, flags.view, nullptr, options, "partition");
}
template <execution_space_argument ExecutionSpace, class In, class Flags, view_of_rank_1 Out, view_argument Counts>
void partition(ExecutionSpace const& space, In const& in, flagged<Flags> const& flags, Out const& out,
               Counts const& counts, call_options const& options = {}) {
  auto const target = pack::detail::make_count_target<2, ExecutionSpace>(counts, "partition");
  pack::detail::partition_in_two(space, in, out, flags.view, &target, options, "partition");
}

/// partition() by a predicate within the input: 3 8 4 7 2 becomes 8 4 2 3 7.
///
/// Pre: as above; elements can be copied as bytes.
/// Cost: where it is one pass, n reads, n writes, and a write and a read more for each of the others; 2 launches. Else
///   as above, and n writes and n reads more. The workspace has an element's bytes more for each of the n.
/// Order, Sync: as above.
/// Aliasing: the predicate reads nothing of in_out but its argument.
/// Throws: precondition_error (workspace of another instance), out_of_memory_error.
template <execution_space_argument ExecutionSpace, class InOut, functor_argument Predicate>
Kokkos::Array<std::size_t, 2> partition_in_place(ExecutionSpace const& space, InOut const& in_out,
                                                 Predicate const& predicate, call_options const& options = {}) {
  return pack::detail::check_and_partition_in_place(space, in_out, predicate, nullptr, options);
}
template <execution_space_argument ExecutionSpace, class InOut, view_argument Counts, functor_argument Predicate>
void partition_in_place(ExecutionSpace const& space, InOut const& in_out, Counts const& counts,
                        Predicate const& predicate, call_options const& options = {}) {
  auto const target = pack::detail::make_count_target<2, ExecutionSpace>(counts, "partition_in_place");
  pack::detail::check_and_partition_in_place(space, in_out, predicate, &target, options);
}

/// As partition to an output, but with the others in reverse order: 3 8 4 7 2 becomes 8 4 2 7 3. This is for callers to
/// whom the order of the others does not matter: one pass is enough.
///
/// Cost: where partition has one pass and a second step, n reads and n writes in one launch, whatever the predicate
///   chooses; else as partition.
/// Pre, Order (not stable for the others), Sync, Aliasing, Throws, Source: as partition.
template <execution_space_argument ExecutionSpace, class In, class Out, functor_argument Predicate>
Kokkos::Array<std::size_t, 2> partition_rest_reversed(ExecutionSpace const& space, In const& in, Out const& out,
                                                      Predicate const& predicate, call_options const& options = {}) {
  return pack::detail::partition_in_two(space, in, out, predicate, nullptr, options, "partition_rest_reversed",
                                        pack::detail::make_reversing_output{});
}

/// The same with the two counts in a View of std::size_t on the device: asynchronous with a workspace.
template <execution_space_argument ExecutionSpace, class In, class Out, view_argument Counts,
          functor_argument Predicate>
void partition_rest_reversed(ExecutionSpace const& space, In const& in, Out const& out, Counts const& counts,
                             Predicate const& predicate, call_options const& options = {}) {
  auto const target = pack::detail::make_count_target<2, ExecutionSpace>(counts, "partition_rest_reversed");
  pack::detail::partition_in_two(space, in, out, predicate, &target, options, "partition_rest_reversed",
                                 pack::detail::make_reversing_output{});
}

/// Both by flags, as partition by flags; CUB's DevicePartition::Flagged gives the same.
template <execution_space_argument ExecutionSpace, class In, class Flags, view_of_rank_1 Out>
Kokkos::Array<std::size_t, 2> partition_rest_reversed(ExecutionSpace const& space, In const& in,
                                                      flagged<Flags> const& flags, Out const& out,
                                                      call_options const& options = {}) {
  return pack::detail::partition_in_two(space, in, out, flags.view, nullptr, options, "partition_rest_reversed",
                                        pack::detail::make_reversing_output{});
}
template <execution_space_argument ExecutionSpace, class In, class Flags, view_of_rank_1 Out, view_argument Counts>
void partition_rest_reversed(ExecutionSpace const& space, In const& in, flagged<Flags> const& flags, Out const& out,
                             Counts const& counts, call_options const& options = {}) {
  auto const target = pack::detail::make_count_target<2, ExecutionSpace>(counts, "partition_rest_reversed");
  pack::detail::partition_in_two(space, in, out, flags.view, &target, options, "partition_rest_reversed",
                                 pack::detail::make_reversing_output{});
}

/// Three parts: the elements that `first` holds for, then the others that `second` holds for, then the rest, each in
/// their order; returns how many each are. Around a pivot of 4, 3 8 4 7 2 4 becomes 3 2 4 4 8 7: 2, 2 and 2.
///
/// Cost: `first` once per element, `second` where `first` does not hold; of short inputs as partition. Where partition
///   is one pass: short inputs n reads, n writes, 1 launch; longer ones n reads to ask and count, n reads and n writes
///   to move; 2 launches; workspace 2 to 4 bits per element of up to 8 bytes, 4 bytes per element of 64 bytes, and what
///   partition_copy takes. (partition_copy with three outputs asks and moves in one.) Else a pass of its own for the
///   predicates, one scan of both counts, n reads, n writes: workspace n/2 bytes and the scan's.
/// Pre, Order, Sync, Aliasing, Throws: as partition.
template <execution_space_argument ExecutionSpace, class In, class Out, functor_argument First, functor_argument Second>
Kokkos::Array<std::size_t, 3> partition_three_way(ExecutionSpace const& space, In const& in, Out const& out,
                                                  First const& first, Second const& second,
                                                  call_options const& options = {}) {
  return pack::detail::partition_in_three(space, in, out, first, second, nullptr, options);
}

/// The same with the three counts in a View of std::size_t on the device: asynchronous with a workspace.
template <execution_space_argument ExecutionSpace, class In, class Out, view_argument Counts, functor_argument First,
          functor_argument Second>
void partition_three_way(ExecutionSpace const& space, In const& in, Out const& out, Counts const& counts,
                         First const& first, Second const& second, call_options const& options = {}) {
  auto const target = pack::detail::make_count_target<3, ExecutionSpace>(counts, "partition_three_way");
  pack::detail::partition_in_three(space, in, out, first, second, &target, options);
}

UPSWEEP_WITHOUT_SPACE(partition)
UPSWEEP_WITHOUT_SPACE(partition_in_place)
UPSWEEP_WITHOUT_SPACE(partition_rest_reversed)
UPSWEEP_WITHOUT_SPACE(partition_three_way)

}  // namespace upsweep
