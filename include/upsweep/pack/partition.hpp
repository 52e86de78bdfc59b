// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/pack/detail/marks.hpp>
#include <upsweep/pack/detail/pack_arguments.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep {

namespace detail {

/// The part of an element: the first predicate that holds for it.
template <class In, class First>
struct part_of_two {
  In in;
  First first;
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return first(in.load(i)) ? 0 : 1; }
};
template <class In, class First, class Second>
struct part_of_three {
  In in;
  First first;
  Second second;
  KOKKOS_FUNCTION int operator()(std::size_t i) const {
    auto const x = in.load(i);
    return first(x) ? 0 : second(x) ? 1 : 2;
  }
};

/// Where counts of parts go.
template <int Parts>
struct count_target {
  std::uint64_t* data;
  std::ptrdiff_t stride;
  KOKKOS_FUNCTION void store(element_marks<Parts> const& marks) const {
    for (int p = 0; p < Parts; ++p) data[p * stride] = marks.count(p);
  }
};

/// Stores the parts one behind the other.
template <int Parts, class In, class Out>
struct partition_sink {
  static constexpr bool first_only = false;
  In in;
  Out out;
  part_marks part[Parts - 1];
  count_target<Parts> counts;

  KOKKOS_FUNCTION void operator()(std::size_t i, int mine, std::uint64_t place) const {
    for (int p = 0; p < mine; ++p) place += *part[p].total;
    out.store(place, static_cast<typename Out::value_type>(in.load(i)));
  }
  KOKKOS_FUNCTION void finish(element_marks<Parts> const& marks) const { counts.store(marks); }
};

template <int Parts, class ExecutionSpace, class In, class Out, class MakePartOf>
Kokkos::Array<std::uint64_t, Parts> partition_call(ExecutionSpace const& space, In const& in, Out const& out,
                                                   MakePartOf const& make_part_of, count_target<Parts> const* counts,
                                                   scan_options const& options, char const* function) {
  require_input<ExecutionSpace, In>();
  require_output<ExecutionSpace, Out, typename In::non_const_value_type>();
  std::size_t const n = in.extent(0);
  require(out.extent(0) == n, function,
          "input has " + std::to_string(n) + " elements, output has " + std::to_string(out.extent(0)));
  require_apart(in, out, function, "input", "output");
  temporary_memory<ExecutionSpace> memory(space, options.workspace);
  marks_memory<ExecutionSpace, Parts> const held(space, memory.get(), options.engine, n);
  auto const from = make_sequence(in);
  auto const to = make_sequence(out);
  make_marks(space, make_part_of(from), held.marks, memory.get(), options, function);
  using sink = partition_sink<Parts, std::remove_const_t<decltype(from)>, std::remove_const_t<decltype(to)>>;
  sink s{from, to, {}, counts == nullptr ? count_target<Parts>{held.counts, 1} : *counts};
  for (int p = 0; p < Parts - 1; ++p) s.part[p] = held.marks.part[p];
  move_marked(space, s, held.marks, options, function);
  Kokkos::Array<std::uint64_t, Parts> found{};
  if (counts == nullptr) fetch_words(space, held.counts, found.data(), Parts, function);
  else if (memory.owned()) space.fence(label(function, "fence"));
  return found;
}

template <int Parts, class ExecutionSpace, class Counts>
count_target<Parts> make_count_target(Counts const& counts, char const* function) {
  require_counts<ExecutionSpace, Counts, 1>();
  require(counts.extent(0) == Parts, function,
          "counts has " + std::to_string(counts.extent(0)) + " entries for " + std::to_string(Parts) + " parts");
  return {counts.data(), compat::stride(counts, 0)};
}

template <class In, class Predicate>
constexpr void require_predicate() {
  static_assert(std::is_invocable_r_v<bool, Predicate const&, typename In::non_const_value_type const&>,
                "upsweep::partition: a predicate is called with an element and returns bool.");
}

template <class ExecutionSpace, class In, class Out, class First>
auto partition_in_two(ExecutionSpace const& space, In const& in, Out const& out, First const& first, count_target<2> const* counts,
                      scan_options const& options) {
  require_predicate<In, First>();
  auto const part_of = [&](auto const& from) { return part_of_two<std::remove_cvref_t<decltype(from)>, First>{from, first}; };
  return partition_call<2>(space, in, out, part_of, counts, options, "partition");
}

template <class ExecutionSpace, class In, class Out, class First, class Second>
auto partition_in_three(ExecutionSpace const& space, In const& in, Out const& out, First const& first, Second const& second,
                        count_target<3> const* counts, scan_options const& options) {
  require_predicate<In, First>();
  require_predicate<In, Second>();
  auto const part_of = [&](auto const& from) {
    return part_of_three<std::remove_cvref_t<decltype(from)>, First, Second>{from, first, second};
  };
  return partition_call<3>(space, in, out, part_of, counts, options, "partition_three_way");
}

}  // namespace detail

/// Puts the elements that a predicate holds for in front of the others, both in their order; returns how many each are:
/// with the even ones first, 3 8 4 7 2 becomes 8 4 2 3 7, and the counts are 3 and 2.
///
/// Pre: predicate(element) may be called by any thread; out has as many elements as in, and other memory.
/// Cost: the predicate once an element, in its own pass: n reads; n/64 counts are scanned; n reads, n writes. 2 launches and
///   the scan's; workspace n/8 bytes of marks, n/8 of counts, and the scan's.
/// Order: stable, the same in each run.
/// Sync: waits for the instance.
/// Aliasing: none; contiguous ranges that overlap are refused.
/// Throws: precondition_error (extents, overlap, workspace of another instance), out_of_memory_error.
/// Source: B. Merry, *Prefix sums on GPUs*: splitting, as in a radix sort's pass.
template <class ExecutionSpace, class In, class Out, class Predicate>
Kokkos::Array<std::uint64_t, 2> partition(ExecutionSpace const& space, In const& in, Out const& out, Predicate const& predicate,
                                          scan_options const& options = {}) {
  return detail::partition_in_two(space, in, out, predicate, nullptr, options);
}

/// The same with the two counts in a View of std::uint64_t on the device: asynchronous with a workspace.
template <class ExecutionSpace, class In, class Out, class Predicate, class Counts>
  requires(Kokkos::is_view_v<Counts>)
void partition(ExecutionSpace const& space, In const& in, Out const& out, Predicate const& predicate, Counts const& counts,
               scan_options const& options = {}) {
  auto const target = detail::make_count_target<2, ExecutionSpace>(counts, "partition");
  detail::partition_in_two(space, in, out, predicate, &target, options);
}

/// Three parts: the elements that `first` holds for, then the others that `second` holds for, then the rest, each in their
/// order; returns how many each are. Around a pivot of 4, 3 8 4 7 2 4 becomes 3 2 4 4 8 7: 2, 2 and 2.
///
/// Cost: as partition, but two masks and two scans: workspace n/2 bytes. `second` is called where `first` does not hold.
/// Pre, Order, Sync, Aliasing, Throws: as partition.
template <class ExecutionSpace, class In, class Out, class First, class Second>
Kokkos::Array<std::uint64_t, 3> partition_three_way(ExecutionSpace const& space, In const& in, Out const& out, First const& first,
                                                    Second const& second, scan_options const& options = {}) {
  return detail::partition_in_three(space, in, out, first, second, nullptr, options);
}

/// The same with the three counts in a View of std::uint64_t on the device: asynchronous with a workspace.
template <class ExecutionSpace, class In, class Out, class First, class Second, class Counts>
  requires(Kokkos::is_view_v<Counts>)
void partition_three_way(ExecutionSpace const& space, In const& in, Out const& out, First const& first, Second const& second,
                         Counts const& counts, scan_options const& options = {}) {
  auto const target = detail::make_count_target<3, ExecutionSpace>(counts, "partition_three_way");
  detail::partition_in_three(space, in, out, first, second, &target, options);
}

}  // namespace upsweep
