// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "operation.hpp"
#include "row_table.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace perf::pack {

template <class T>
using array = Kokkos::View<T*, memory>;
inline auto range(space const& instance, std::size_t n) {
  return Kokkos::RangePolicy<space, Kokkos::IndexType<std::size_t>>(instance, 0, n);
}

/// The second and the third part of a three-way partition, where each has an array of its own.
template <class T>
struct other_parts {
  array<T> second, rest;
};

/// One operation to be done: where its input is and where its results go.
template <class T>
struct problem {
  space instance;
  operation op;
  Kokkos::View<T const*, memory> in;
  keeps<T> keep;
  /// The elements or records that result. Sorts that work in place find a fresh copy of `in` here.
  array<T> out;
  /// sort_by_key: the values, which are the numbers of the elements at first. partition_copy: the rest.
  array<T> values;
  /// pack_lists: n + 1 offsets into out. load_balance: where rows start, and n.
  array<std::size_t> offsets;
  /// compact_flagged: which elements stay.
  array<std::int8_t> flags;
  /// run_length: the lengths; the values are in out.
  array<std::int32_t> lengths;
  /// histogram: how often each bin occurs.
  array<std::uint32_t> counts_of_bins;
  /// compact, unique, run_length: how many elements result; partition: how many go to each part. Appended records.
  array<std::uint64_t> counts;
  /// Three parts: for those who store each in an array of its own.
  other_parts<T> parts;
  /// Rows that are sorted: where those of `in` start. Of the result, offsets and out.
  row_table table;
  array<std::size_t> starts;
  /// mesh_graph: the eight nodes of each element.
  array<T> elements;

  std::size_t n() const { return in.extent(0); }
};

/// The order of an implementation's results.
enum class order {
  stable,
  /// partition: those in the rear are in reverse order, as with CUB.
  reversed_rear,
  /// As threads came: any order is right.
  any
};

/// An operation with everything prepared that a user would keep between calls, such as temporary memory.
struct prepared {
  /// Does it once, asynchronously where the implementation can.
  std::function<void()> call;
  /// Puts back what a call destroys, before every call and outside of the timing. May be empty.
  std::function<void()> reset = {};
  pack::order order = pack::order::stable;
  /// Brings results to where the verification looks for them. May be empty.
  std::function<void()> finish = {};
};

/// One implementation of operations on T: ours, or a peer's. It is asked for its own operations only.
template <class T>
struct implementation {
  std::string name;
  std::vector<operation> operations;
  std::function<prepared(problem<T> const&)> prepare;
};

/// An implementation with both sorts where T is a type of sorts, and with `operations` of any other T.
template <class T>
implementation<T> one_implementation(std::string const& name, std::vector<operation> const& operations,
                                     prepared (*prepare)(problem<T> const&)) {
  if constexpr (sorted_type<T>) return {name, {operation::sort, operation::sort_by_key}, prepare};
  else return {name, operations, prepare};
}

/// What sorts in place need before each call: the input in `out` and, with values, their numbers.
template <class T>
struct fill_unsorted {
  T const* in;
  T *out, *values;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    out[i] = in[i];
    if (values != nullptr) values[i] = static_cast<T>(i);
  }
};
template <class T>
std::function<void()> unsorted(problem<T> const& p) {
  return [p] {
    Kokkos::parallel_for(
        "upsweep::perf::unsorted", range(p.instance, p.n()),
        fill_unsorted<T>{p.in.data(), p.out.data(), p.op == operation::sort_by_key ? p.values.data() : nullptr});
  };
}

/// Copies the first `count` elements of a part, which has an array of its own, behind the `before` elements in `out`.
template <class T>
void put_behind(problem<T> const& p, std::uint64_t before, array<T> const& part, std::uint64_t count) {
  Kokkos::deep_copy(p.instance, Kokkos::subview(p.out, Kokkos::make_pair(before, before + count)),
                    Kokkos::subview(part, Kokkos::make_pair(std::uint64_t(0), count)));
}

/// Rows of a result where the verification looks for them. Too many of them are cut, and found to be wrong.
template <class T, class Offsets, class Values>
void bring_rows(problem<T> const& p, Offsets const& offsets, Values const& values) {
  if (offsets.extent(0) != p.offsets.extent(0)) return;
  Kokkos::deep_copy(p.instance, p.offsets, offsets);
  auto const all =
      Kokkos::make_pair(std::size_t(0), values.extent(0) < p.out.extent(0) ? values.extent(0) : p.out.extent(0));
  Kokkos::deep_copy(p.instance, Kokkos::subview(p.out, all), Kokkos::subview(values, all));
}

/// partition_copy: the rest behind the chosen, where the verification looks for it.
template <class T>
void join_rest(problem<T> const& p) {
  std::uint64_t front = 0;
  Kokkos::deep_copy(front, Kokkos::subview(p.counts, 0));
  if (front <= p.n()) put_behind(p, front, p.values, p.n() - front);
}

/// The same with the other two of three parts.
template <class T>
void join_parts(problem<T> const& p) {
  auto const counts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), p.counts);
  if (counts(0) > p.n() || counts(1) > p.n() - counts(0)) return;
  put_behind(p, counts(0), p.parts.second, counts(1));
  put_behind(p, counts(0) + counts(1), p.parts.rest, p.n() - counts(0) - counts(1));
}

/// All of them, by who makes them. Each is in the header of its name, and instantiated in files of its own
/// (CMakeLists.txt), because they take long to compile.
template <class T>
struct packs {
  static std::vector<implementation<T>> by_copy(), by_upsweep(), by_append(), by_kokkos(), by_cub(), by_thrust(),
      by_std(), by_std_par(), by_kokkoskernels();
};

}  // namespace perf::pack
