// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/pack/detail/lists/pack_arguments.hpp>
#include <upsweep/pack/detail/moving/choice.hpp>
#include <upsweep/pack/detail/moving/copy_back.hpp>
#include <upsweep/pack/detail/moving/finish_count.hpp>
#include <upsweep/pack/detail/moving/marks.hpp>
#include <upsweep/pack/detail/moving/outputs.hpp>
#include <upsweep/pack/detail/moving/part_sample.hpp>
#include <upsweep/scan/internal/part_bits.hpp>
#include <upsweep/scan/internal/selection.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep::pack::detail {

/// Where counts of parts go.
template <int Parts>
struct count_target {
  std::uint64_t* data;
  std::ptrdiff_t stride;
  KOKKOS_FUNCTION void store(int part, std::uint64_t count) const { data[part * stride] = count; }
};
template <int Parts, class ExecutionSpace, class Counts>
count_target<Parts> make_count_target(Counts const& counts, char const* function) {
  count_target<Parts> const target{data_of_counts<ExecutionSpace, 1>(counts), compat::stride(counts, 0)};
  internal::require(counts.extent(0) == Parts, function, [&] {
    return "counts has " + std::to_string(counts.extent(0)) + " entries for " + std::to_string(Parts) + " parts";
  });
  return target;
}

/// Stores the counts of two parts of n elements, of which the last one is not counted.
inline KOKKOS_FUNCTION void store_two_counts(count_target<2> const& to, std::uint64_t found, std::uint64_t n) {
  to.store(0, found);
  to.store(1, n - found);
}

/// One output for all parts, one behind the other.
template <class Out>
struct joined_output {
  /// Whether a call asks for parts, or for a sample of them, before it moves elements.
  static constexpr bool asks_ahead = true;
  Out out;

  template <int Parts, class T>
  KOKKOS_FUNCTION void store(element_marks<Parts> const& marks, int part, std::uint64_t place, T const& x) const {
    for (int p = 0; p < part; ++p) place += marks.count(p);
    out.store(place, static_cast<typename Out::value_type>(x));
  }
  template <class In>
    requires has_move_kernels<In, Out>
  auto plain(In const& in, element_marks<2> const& marks) const {
    auto move = make_plain_move(in, out);
    move.rest = move.chosen + marks.count(0);
    return move;
  }
  template <class In>
    requires has_move_kernels<In, Out>
  auto plain(In const& in, element_marks<3> const& marks) const {
    auto move = make_plain_move(in, out);
    move.second = move.chosen + marks.count(0);
    move.rest = move.second + marks.count(1);
    return move;
  }
};

/// One output: the first of two parts from the front, the other from the end backwards.
template <class Out>
struct reversing_output {
  static constexpr bool asks_ahead = false;
  Out out;
  std::size_t n;

  bool has_room_for(std::size_t) const { return true; }

  template <class T>
  KOKKOS_FUNCTION void store(element_marks<2> const&, int part, std::uint64_t place, T const& x) const {
    out.store(part == 0 ? place : n - 1 - place, static_cast<typename Out::value_type>(x));
  }
  template <class In>
    requires has_move_kernels<In, Out>
  auto plain(In const& in, element_marks<2> const&) const {
    auto move = make_plain_move(in, out);
    move.rest = move.chosen + n;
    move.rest_is_reversed = true;
    return move;
  }
};

/// An output for each of two parts; what there is no room for is left out.
template <class First, class Second>
struct separate_outputs {
  static constexpr bool asks_ahead = false;
  limited_output<First> first;
  limited_output<Second> second;

  bool has_room_for(std::size_t all) const { return first.room >= all && second.room >= all; }

  template <class T>
  KOKKOS_FUNCTION void store(element_marks<2> const&, int part, std::uint64_t place, T const& x) const {
    put(part, place, x);
  }
  template <class T>
  KOKKOS_FUNCTION void put(int part, std::uint64_t place, T const& x) const {
    if (part == 0) first.store(place, x);
    if (part == 1) second.store(place, x);
  }
  template <class In>
    requires has_move_kernels<In, First> && has_move_kernels<In, Second>
  auto plain(In const& in, element_marks<2> const& marks) const {
    auto move = make_plain_move(in, first.to);
    move.rest = words_of(second.to);
    move.is_possible = marks.count(0) <= first.room && marks.count(1) <= second.room;
    return move;
  }
};

/// Stores marked elements.
template <int Parts, class In, class To>
struct partition_sink {
  static constexpr bool first_only = false;
  In in;
  To to;
  element_marks<Parts> marks;
  count_target<Parts> counts;

  KOKKOS_FUNCTION void operator()(std::size_t i, int part, std::uint64_t place) const {
    to.store(marks, part, place, in.load(i));
  }
  KOKKOS_FUNCTION void finish(element_marks<Parts> const&) const {
    for (int p = 0; p < Parts; ++p) counts.store(p, marks.count(p));
  }
  auto plain(element_marks<Parts> const& all) const
    requires requires { to.plain(in, all); }
  {
    return to.plain(in, all);
  }
};

// In one pass into one output, the place of one part is not known before the end. Short inputs wait for it
// (select_joined). Taken from the first element on, chosen elements find their places and the rest is stored from the
// end of the output backwards, to be reversed; taken from the last element on, the rest finds its places, and chosen
// elements come in front backwards. So the smaller part is the one that is reversed: 2 n accesses and 2 for each of its
// elements, no more memory. Marks need 3 n and their own. H200, 2026-11-21, 2^28 elements, a tenth, half, nine tenths
// chosen, x CUB, which leaves the rest backwards: int32 1.40, 0.96, 1.38, int64 1.00, 0.73, 0.99; with the rest left
// backwards here, too: 1.59, 1.45, 1.56 and 1.21, 1.10, 1.20. With the sample of today (part_sample.hpp; 2026-11-23), a
// tenth and nine tenths chosen: 2^24 int32 1.11, 1.05, int64 1.02, 1.02; 2^26 1.24, 1.19 and 1.07, 1.07.

/// What stores elements as their parts become known: from the front, and from the end backwards.
template <class Out>
struct parts_from_both_ends : placed_output<Out> {
  static constexpr bool wants_rest = true;
  std::uint64_t room;  ///< all elements
  std::uint64_t* found;
  count_target<2> counts;

  template <class T>
  KOKKOS_FUNCTION void rest(std::uint64_t place, T const& x) const {
    this->chosen(room - 1 - place, x);
  }
  KOKKOS_FUNCTION void finish(std::uint64_t count) const {
    *found = count;
    store_two_counts(counts, count, room);
  }
};

/// What stores both parts one behind the other, where the first one's count is known before elements are stored.
template <class Out>
struct parts_in_a_row : placed_output<Out> {
  static constexpr bool wants_rest = true, wants_total = true;
  std::uint64_t room;  ///< all elements
  count_target<2> counts;

  template <class T>
  KOKKOS_FUNCTION void rest(std::uint64_t place, T const& x) const {
    this->chosen(place, x);
  }
  KOKKOS_FUNCTION void finish(std::uint64_t count) const { store_two_counts(counts, count, room); }
};

/// Reverses the part that was stored backwards: a thread exchanges four pairs, 32 places apart, as often as
/// there are more.
template <class Out>
struct reverse_kernel {
  static constexpr std::size_t pairs = 4, row = 32;
  Out out;
  std::size_t n;
  std::uint64_t const* found;
  part_sample order;
  std::size_t threads;  ///< a multiple of a row

  KOKKOS_FUNCTION void operator()(std::int64_t thread) const {
    auto const t = static_cast<std::size_t>(thread);
    bool const backwards = order.backwards();
    std::size_t const begin = backwards ? 0 : *found, end = backwards ? *found : n, half = (end - begin) / 2;
    for (std::size_t first = t / row * (row * pairs) + t % row; first < half; first += threads * pairs)
      exchange(begin, end, half, first);
  }

 private:
  KOKKOS_FUNCTION void exchange(std::size_t begin, std::size_t end, std::size_t half, std::size_t first) const {
    typename Out::value_type left[pairs], right[pairs];
    UPSWEEP_UNROLL
    for (std::size_t k = 0; k < pairs; ++k) {
      // the last pair again where there is none, for nothing
      std::size_t const i = Kokkos::min(first + k * row, half - 1);
      left[k] = out.load(begin + i);
      right[k] = out.load(end - 1 - i);
    }
    UPSWEEP_UNROLL
    for (std::size_t k = 0; k < pairs; ++k) {
      std::size_t const i = first + k * row;
      if (i >= half) return;
      out.store(begin + i, right[k]);
      out.store(end - 1 - i, left[k]);
    }
  }
};

template <class ExecutionSpace, class In, class PartOf, class Out>
void partition_in_one_pass(ExecutionSpace const& space, std::size_t n, In const& in, PartOf const& part_of,
                           joined_output<Out> const& to, std::uint64_t* found, count_target<2> const& counts,
                           workspace& memory, call_options const& options, char const* function) {
  if (internal::select_joined(space, in, n, part_of, parts_in_a_row<Out>{{to.out}, n, counts}, memory, function,
                              options.label))
    return;
  part_sample const order = take_part_sample(space, n, in, part_of, memory, options, function);
  internal::select_in_one_pass(space, in, n, part_of, parts_from_both_ends<Out>{{to.out}, n, found, counts}, memory,
                               function, options.label, order);
  if (n < 2) return;
  // How many there are is known on the device only: as many threads as run together, and each goes on.
  using kernel = reverse_kernel<Out>;
  std::size_t const rows = internal::divide_up<std::size_t>(n / 2, kernel::row * kernel::pairs);
  std::size_t const threads =
      kernel::row * std::min(rows, static_cast<std::size_t>(compat::multiprocessors(space)) * 64);
  Kokkos::parallel_for(internal::label(function, "reverse", options.label), internal::index_policy(space, threads),
                       kernel{to.out, n, found, order, threads});
}

/// The rest stays backwards.
template <class ExecutionSpace, class In, class PartOf, class Out>
void partition_in_one_pass(ExecutionSpace const& space, std::size_t n, In const& in, PartOf const& part_of,
                           reversing_output<Out> const& to, std::uint64_t* found, count_target<2> const& counts,
                           workspace& memory, call_options const& options, char const* function) {
  internal::select_in_one_pass(space, in, n, part_of, parts_from_both_ends<Out>{{to.out}, n, found, counts}, memory,
                               function, options.label);
}

/// Both parts as they come.
template <class First, class Second>
struct parts_side_by_side {
  static constexpr bool wants_rest = true;
  separate_outputs<First, Second> to;
  std::uint64_t room;  ///< of the first part
  std::uint64_t n;
  count_target<2> counts;

  template <class T>
  KOKKOS_FUNCTION void chosen(std::uint64_t place, T const& x) const {
    to.first.to.store(place, static_cast<typename First::value_type>(x));
  }
  template <class T>
  KOKKOS_FUNCTION void rest(std::uint64_t place, T const& x) const {
    to.second.store(place, x);
  }
  KOKKOS_FUNCTION void finish(std::uint64_t count) const { store_two_counts(counts, count, n); }
};

template <class ExecutionSpace, class In, class PartOf, class First, class Second>
void partition_in_one_pass(ExecutionSpace const& space, std::size_t n, In const& in, PartOf const& part_of,
                           separate_outputs<First, Second> const& to, std::uint64_t*, count_target<2> const& counts,
                           workspace& memory, call_options const& options, char const* function) {
  internal::select_in_one_pass(space, in, n, part_of, parts_side_by_side<First, Second>{to, to.first.room, n, counts},
                               memory, function, options.label);
}

/// All forms of all calls. counts: where they go on the device; null: to the host, which is waited for.
template <int Parts, class ExecutionSpace, class In, class PartOf, class To>
Kokkos::Array<std::uint64_t, Parts> partition_call(ExecutionSpace const& space, std::size_t n, In const& in,
                                                   PartOf const& part_of, To const& to,
                                                   count_target<Parts> const* counts, call_options const& options,
                                                   char const* function) {
  using T = typename In::value_type;
  internal::temporary_memory memory(space, options.workspace);
  internal::mailbox<ExecutionSpace> mail(space);
  count_target<Parts> target{nullptr, 1};
  if (counts != nullptr) target = *counts;
  if constexpr (internal::can_select_in_one_pass<ExecutionSpace, T>) {
    if constexpr (To::asks_ahead) {
      if constexpr (Parts == 2) internal::access::reserve(memory.get(), space, part_sample::bytes_for(n));
      else internal::access::reserve(memory.get(), space, internal::part_bits_of<ExecutionSpace, T>::bytes(n));
    }
    auto* const found = reinterpret_cast<std::uint64_t*>(internal::access::result_slot(memory.get(), space));
    if (counts == nullptr) target.data = mail.template place<std::uint64_t>();
    partition_in_one_pass(space, n, in, part_of, to, found, target, memory.get(), options, function);
  } else {
    marks_memory<ExecutionSpace, Parts> const held(space, memory.get(), n);
    if (counts == nullptr) target.data = held.counts;
    bool in_order = false;
    if constexpr (!To::asks_ahead) in_order = goes_in_order(space) && to.has_room_for(n);
    mark_and_move(space, part_of, partition_sink<Parts, In, To>{in, to, held.marks, target}, held.marks, in_order,
                  memory.get(), options, function);
  }
  return finish_counts<Parts>(space, mail, target.data, counts == nullptr, memory, function);
}

/// Two parts within the input. Where chosen elements find their places in it (compact.hpp), the rest comes to temporary
/// memory, and back behind them; else all do.
template <class ExecutionSpace, class InOut, class In, class PartOf>
Kokkos::Array<std::uint64_t, 2> partition_in_place(ExecutionSpace const& space, InOut const& in_out, In const& in,
                                                   PartOf const& part_of, count_target<2> const* counts,
                                                   call_options const& options, char const* function) {
  using T = typename InOut::non_const_value_type;
  using elements = internal::contiguous_sequence<T>;
  std::size_t const n = in_out.extent(0);
  internal::temporary_memory memory(space, options.workspace);
  internal::mailbox<ExecutionSpace> mail(space);
  auto const to = internal::make_output_sequence(in_out);
  using to_type = std::remove_const_t<decltype(to)>;
  count_target<2> target{nullptr, 1};
  if (counts != nullptr) target = *counts;
  if constexpr (internal::can_select_in_one_pass<ExecutionSpace, T>) {
    auto* const rest = reinterpret_cast<T*>(internal::access::reserve(memory.get(), space, n * sizeof(T)));
    if (counts == nullptr)
      target.data = reinterpret_cast<std::uint64_t*>(internal::access::result_slot(memory.get(), space));
    using outputs = parts_side_by_side<to_type, elements>;
    internal::select_in_one_pass(space, in, n, part_of, outputs{{{to, n}, {{rest}, n}}, n, n, target}, memory.get(),
                                 function, options.label, {}, true);
    auto* const mailed_counts = counts == nullptr && n != 0 ? mail.template place<std::uint64_t>() : nullptr;
    copy_back(space, rest, to, n, {target.data, true, mailed_counts}, function, options.label);
  } else {
    marks_memory<ExecutionSpace, 2> const held(space, memory.get(), n, false, n * sizeof(T));
    if (counts == nullptr) target.data = held.counts;
    auto* const parts = reinterpret_cast<T*>(held.elements);
    if (moves_in_order(space, n * sizeof(T))) {
      using outputs = separate_outputs<to_type, elements>;
      mark_and_move(space, part_of, partition_sink<2, In, outputs>{in, {{to, n}, {{parts}, n}}, held.marks, target},
                    held.marks, true, memory.get(), options, function);
      copy_back(space, parts, to, n, {target.data, true}, function, options.label);
    } else {
      using outputs = joined_output<elements>;
      mark_and_move(space, part_of, partition_sink<2, In, outputs>{in, {{parts}}, held.marks, target}, held.marks,
                    false, memory.get(), options, function);
      copy_back(space, parts, to, n, {nullptr, false}, function, options.label);
    }
  }
  return finish_counts<2>(space, mail, target.data, counts == nullptr, memory, function);
}

}  // namespace upsweep::pack::detail
