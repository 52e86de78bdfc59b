// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/pack/detail/lists/pack_arguments.hpp>
#include <upsweep/pack/detail/moving/choice.hpp>
#include <upsweep/pack/detail/moving/copy_back.hpp>
#include <upsweep/pack/detail/moving/finish_count.hpp>
#include <upsweep/pack/detail/moving/marks.hpp>
#include <upsweep/pack/detail/moving/outputs.hpp>
#include <upsweep/pack/flagged.hpp>
#include <upsweep/scan/internal/selection.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep {

namespace pack::detail {

/// Part 0 are the indices that a predicate holds for.
template <class Predicate>
struct part_by_index {
  Predicate predicate;
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return predicate(i) ? 0 : 1; }
  template <class Index>
  KOKKOS_FUNCTION bool operator()(Index const&, std::size_t i) const {
    return predicate(i);
  }
};

/// The index of an element as the element itself.
template <class Index>
struct index_sequence {
  using value_type = Index;
  KOKKOS_FORCEINLINE_FUNCTION Index load(std::size_t i) const { return static_cast<Index>(i); }
};
/// Threads of a CPU make some of them in memory, and move those.
template <class Index>
inline constexpr bool has_move_kernels<index_sequence<Index>, internal::contiguous_sequence<Index>> =
    sizeof(Index) == 4 || sizeof(Index) == 8;

/// Stores the elements of part 0, as many as there is room for.
template <class In, class Out>
struct compact_sink {
  static constexpr bool first_only = true;
  In in;
  limited_output<Out> out;
  std::uint64_t* count;

  KOKKOS_FUNCTION void operator()(std::size_t i, int, std::uint64_t place) const { out.store(place, in.load(i)); }
  KOKKOS_FUNCTION void finish(element_marks<2> const& marks) const { *count = marks.count(0); }
  auto plain(element_marks<2> const& marks) const
    requires has_move_kernels<In, Out>
  {
    auto move = make_plain_move(in, out.to);
    move.is_possible = marks.count(0) <= out.room;
    return move;
  }
};

/// The same for a selection in one pass.
template <class Out>
struct compact_places : placed_output<Out> {
  static constexpr bool wants_rest = false;
  std::uint64_t room;
  std::uint64_t* count;

  KOKKOS_FUNCTION void finish(std::uint64_t found) const { *count = found; }
};

/// Both forms of both calls. count: where it goes on the device; null: to the host, which is waited for.
template <class ExecutionSpace, class In, class PartOf, class Out>
std::uint64_t compact_call(ExecutionSpace const& space, std::size_t n, In const& in, PartOf const& part_of,
                           Out const& out, std::uint64_t* count, call_options const& options, char const* function) {
  internal::temporary_memory memory(space, options.workspace);
  internal::mailbox<ExecutionSpace> mail(space);
  auto const to = internal::make_output_sequence(out);
  using to_type = std::remove_const_t<decltype(to)>;
  std::uint64_t* counts = nullptr;
  if constexpr (internal::can_select_in_one_pass<ExecutionSpace, typename In::value_type>) {
    counts = count == nullptr ? mail.template place<std::uint64_t>() : count;
    internal::select_in_one_pass(space, in, n, part_of, compact_places<to_type>{{to}, out.extent(0), counts},
                                 memory.get(), function, options.label);
  } else {
    marks_memory<ExecutionSpace, 2> const held(space, memory.get(), n);
    counts = count == nullptr ? held.counts : count;
    mark_and_move(space, part_of, compact_sink<In, to_type>{in, {to, out.extent(0)}, counts}, held.marks,
                  goes_in_order(space) && out.extent(0) >= n, memory.get(), options, function);
  }
  return finish_count(space, mail, counts, count == nullptr, out.extent(0), memory, function);
}

/// The same within the input. Chosen elements go to the front in order, so that none is overwritten before it has
/// been read, where one thread moves them or no tile stores before those up to it are loaded; else they meet in
/// temporary memory.
template <class ExecutionSpace, class InOut, class In, class PartOf>
std::size_t compact_in_place(ExecutionSpace const& space, InOut const& in_out, In const& in, PartOf const& part_of,
                             std::uint64_t* count, call_options const& options, char const* function) {
  using T = typename InOut::non_const_value_type;
  std::size_t const n = in_out.extent(0);
  internal::temporary_memory memory(space, options.workspace);
  internal::mailbox<ExecutionSpace> mail(space);
  auto const to = internal::make_output_sequence(in_out);
  using to_type = std::remove_const_t<decltype(to)>;
  std::uint64_t* counts = nullptr;
  if constexpr (internal::can_select_in_one_pass<ExecutionSpace, T>) {
    counts = count == nullptr ? mail.template place<std::uint64_t>() : count;
    internal::select_in_one_pass(space, in, n, part_of, compact_places<to_type>{{to}, n, counts}, memory.get(),
                                 function, options.label, {}, true);
  } else {
    marks_memory<ExecutionSpace, 2> const held(space, memory.get(), n, false, goes_in_order(space) ? 0 : n * sizeof(T));
    counts = count == nullptr ? held.counts : count;
    if (moves_in_order(space, n * sizeof(T))) {
      mark_and_move(space, part_of, compact_sink<In, to_type>{in, {to, n}, counts}, held.marks, true, memory.get(),
                    options, function);
    } else {
      auto* const elements = reinterpret_cast<T*>(held.elements);
      mark_and_move(space, part_of, compact_sink<In, internal::contiguous_sequence<T>>{in, {{elements}, n}, counts},
                    held.marks, false, memory.get(), options, function);
      copy_back(space, elements, to, n, {counts, false}, function, options.label);
    }
  }
  return finish_count(space, mail, counts, count == nullptr, n, memory, function);
}

/// choice: a predicate, or flags.
template <class ExecutionSpace, class In, class Out, class Choice>
std::uint64_t check_and_compact(ExecutionSpace const& space, In const& in, Out const& out, Choice const& choice,
                                std::uint64_t* count, call_options const& options) {
  static constexpr char const* function = "compact";
  require_input<ExecutionSpace, In>();
  require_output<ExecutionSpace, Out, typename In::non_const_value_type>();
  internal::require_apart(in, out, function, "input", "output");
  require_choice_apart(choice, out, function, "output");
  auto const from = internal::make_sequence(in);
  return compact_call(space, in.extent(0), from, make_choice<ExecutionSpace>(in, from, choice, function), out, count,
                      options, function);
}

template <class ExecutionSpace, class InOut, class Predicate>
std::uint64_t check_and_compact_in_place(ExecutionSpace const& space, InOut const& in_out, Predicate const& predicate,
                                         std::uint64_t* count, call_options const& options) {
  static constexpr char const* function = "compact_in_place";
  require_in_out<ExecutionSpace, InOut>();
  auto const from = internal::make_sequence(in_out);
  return compact_in_place(space, in_out, from, make_choice<ExecutionSpace>(in_out, from, predicate, function), count,
                          options, function);
}

template <class ExecutionSpace, class Predicate, class Out>
std::uint64_t check_and_compact_indices(ExecutionSpace const& space, std::size_t n, Predicate const& predicate,
                                        Out const& out, std::uint64_t* count, call_options const& options) {
  static constexpr char const* function = "compact_indices";
  using Index = typename Out::non_const_value_type;
  require_output<ExecutionSpace, Out, Index>();
  static_assert(std::is_integral_v<Index> && !std::is_same_v<Index, bool>,
                "upsweep::compact_indices: indices are of an integer type.");
  static_assert(std::is_invocable_r_v<bool, Predicate const&, std::size_t>,
                "upsweep::compact_indices: the predicate is called with an index, std::size_t, and returns bool.");
  internal::checked_size(n, function);
  if (n > 0) internal::narrow<Index>(n - 1, function, "the largest index");
  return compact_call(space, n, index_sequence<Index>{}, part_by_index<Predicate>{predicate}, out, count, options,
                      function);
}

}  // namespace pack::detail

/// Copies the elements that a predicate holds for, in their order; returns how many: the even ones of 3 8
/// 4 7 2 are 8 4 2.
///
/// Pre: predicate(element) may be called by any thread and does not throw; out's memory is not in's.
/// Cost: the predicate once per element. CUDA from sm_70 on and HIP, elements of at most 64 bytes that can be copied as
///   bytes and made without arguments: n reads, one write per chosen element; 1 launch; workspace 128 bytes per tile of
///   20 to 72 KB. Else a pass of its own for the predicate, n reads; n/64 counts are scanned; the chosen elements are
///   read again and written. 2 launches and the scan's, none where the calling thread of a CPU is done before others
///   would begin; workspace n/8 bytes of marks, n/8 of counts, and the scan's.
/// Order: stable, the same in each run.
/// Sync: waits for the instance.
/// Aliasing: none; contiguous ranges that overlap are refused. The predicate reads nothing of out.
/// Throws: precondition_error (overlap, workspace of another instance), overflow_error where out is too short: nothing
///   is written behind its end; out_of_memory_error.
/// Source: B. Merry, *Prefix sums on GPUs*: filtering.
template <execution_space_argument ExecutionSpace, class In, class Out, functor_argument Predicate>
std::size_t compact(ExecutionSpace const& space, In const& in, Out const& out, Predicate const& predicate,
                    call_options const& options = {}) {
  return pack::detail::check_and_compact(space, in, out, predicate, nullptr, options);
}

/// The same with the number of chosen elements in `count`, a View of rank 0 of std::size_t, on the device.
/// Sync: asynchronous with a workspace; without one it waits.
/// Throws: nothing for an output that is too short: it has the first elements then, and count is larger
///   than its extent.
template <execution_space_argument ExecutionSpace, class In, class Out, view_argument Count, functor_argument Predicate>
void compact(ExecutionSpace const& space, In const& in, Out const& out, Count const& count, Predicate const& predicate,
             call_options const& options = {}) {
  pack::detail::check_and_compact(space, in, out, predicate, pack::detail::data_of_counts<ExecutionSpace, 0>(count),
                                  options);
}

/// The elements whose flags are not 0; returns how many: 3 8 4 with the flags 1 0 1 gives 3 4.
/// flags: `flagged{view}`, a View of rank 1 of an integer type or bool, with a flag per element.
///
/// Cost: as compact by a predicate, and n reads of flags.
/// Aliasing: none; flags and in may share memory. Contiguous ranges that overlap with out are refused.
/// Throws: precondition_error, too, for flags that are not as many as the elements.
/// Source: the call is modelled on CUB's DeviceSelect::Flagged.
/// Everything else as above.
template <execution_space_argument ExecutionSpace, class In, class Flags, view_of_rank_1 Out>
std::size_t compact(ExecutionSpace const& space, In const& in, flagged<Flags> const& flags, Out const& out,
                    call_options const& options = {}) {
  return pack::detail::check_and_compact(space, in, out, flags.view, nullptr, options);
}

/// The same with the number in `count` on the device: asynchronous with a workspace.
template <execution_space_argument ExecutionSpace, class In, class Flags, view_of_rank_1 Out, view_argument Count>
void compact(ExecutionSpace const& space, In const& in, flagged<Flags> const& flags, Out const& out, Count const& count,
             call_options const& options = {}) {
  pack::detail::check_and_compact(space, in, out, flags.view, pack::detail::data_of_counts<ExecutionSpace, 0>(count),
                                  options);
}

/// Moves the elements of in_out that a predicate holds for to its front, in their order; returns how many: 3 8 4 7 2
/// becomes 8 4 2 and two elements that are not defined, and the count is 3.
///
/// Pre: as above; elements can be copied as bytes.
/// Cost: in one pass, as above. Else as above, too, but chosen elements are written and read once more, and the
///   workspace has an element's bytes more for each of the n. One thread of a CPU moves them in order
///   and needs neither.
/// Order, Sync: as above.
/// Aliasing: the predicate reads nothing of in_out but its argument.
/// Throws: precondition_error (workspace of another instance), out_of_memory_error.
template <execution_space_argument ExecutionSpace, class InOut, functor_argument Predicate>
std::size_t compact_in_place(ExecutionSpace const& space, InOut const& in_out, Predicate const& predicate,
                             call_options const& options = {}) {
  return pack::detail::check_and_compact_in_place(space, in_out, predicate, nullptr, options);
}

/// The same with the number in `count` on the device: asynchronous with a workspace.
template <execution_space_argument ExecutionSpace, class InOut, view_argument Count, functor_argument Predicate>
void compact_in_place(ExecutionSpace const& space, InOut const& in_out, Count const& count, Predicate const& predicate,
                      call_options const& options = {}) {
  pack::detail::check_and_compact_in_place(space, in_out, predicate,
                                           pack::detail::data_of_counts<ExecutionSpace, 0>(count), options);
}

/// The indices from 0 to n - 1 that a predicate of the index holds for, ascending; returns how many: the multiples of 3
/// below 8 are 0 3 6. Everything else as compact; out is of an integer type that holds n - 1, else overflow_error;
/// precondition_error for n < 0.
template <execution_space_argument ExecutionSpace, view_of_rank_1 Out, functor_argument Predicate>
std::size_t compact_indices(ExecutionSpace const& space, std::size_t n, Out const& out, Predicate const& predicate,
                            call_options const& options = {}) {
  return pack::detail::check_and_compact_indices(space, n, predicate, out, nullptr, options);
}

/// The same with the number in `count` on the device: asynchronous with a workspace.
template <execution_space_argument ExecutionSpace, view_of_rank_1 Out, view_argument Count, functor_argument Predicate>
void compact_indices(ExecutionSpace const& space, std::size_t n, Out const& out, Count const& count,
                     Predicate const& predicate, call_options const& options = {}) {
  pack::detail::check_and_compact_indices(space, n, predicate, out,
                                          pack::detail::data_of_counts<ExecutionSpace, 0>(count), options);
}

namespace pack::detail {

template <class In>
std::size_t refuse_compact() {
  static_assert(!view_argument<In>,
                "upsweep::compact: a predicate behind the output, or flagged{flags} before it, says what is chosen.");
  return 0;
}

}  // namespace pack::detail

/// For callers who forgot the predicate, or gave flags as they are: one sentence, and no list of all forms.
template <execution_space_argument ExecutionSpace, view_argument In, view_argument Out>
std::size_t compact(ExecutionSpace const&, In const&, Out const&, call_options const& = {}) {
  return pack::detail::refuse_compact<In>();
}
/// With a count, or flags.
template <execution_space_argument ExecutionSpace, view_argument In, view_argument Second, view_argument Third>
std::size_t compact(ExecutionSpace const&, In const&, Second const&, Third const&, call_options const& = {}) {
  return pack::detail::refuse_compact<In>();
}
/// With both.
template <execution_space_argument ExecutionSpace, view_argument In, view_argument Flags, view_argument Out,
          view_argument Count>
std::size_t compact(ExecutionSpace const&, In const&, Flags const&, Out const&, Count const&,
                    call_options const& = {}) {
  return pack::detail::refuse_compact<In>();
}

UPSWEEP_WITHOUT_SPACE(compact)
UPSWEEP_WITHOUT_SPACE(compact_in_place)
UPSWEEP_WITHOUT_SPACE(compact_indices)

}  // namespace upsweep
