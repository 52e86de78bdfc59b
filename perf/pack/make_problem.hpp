// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "implementation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace perf::pack {

template <class T>
struct fill_input {
  T* in;
  operation op;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { in[i] = element_of<T>(op, i); }
};

template <class T>
struct fill_flags {
  T const* in;
  keeps<T> keep;
  std::int8_t* flags;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { flags[i] = keep(in[i]) ? 1 : 0; }
};

struct fill_rows {
  std::size_t* offsets;
  std::size_t n;
  KOKKOS_FUNCTION void operator()(std::size_t r) const { offsets[r] = Kokkos::min(n, run_start(r)); }
};

/// Leaves nothing of a result. Offsets are one of lists only.
template <class T>
void poison(problem<T> const& p) {
  auto const poison = [&](auto const& results) {
    using view = std::remove_cvref_t<decltype(results)>;
    if (results.extent(0) != 0) Kokkos::deep_copy(p.instance, results, typename view::value_type(77));
  };
  poison(p.out);
  poison(p.values);
  poison(p.lengths);
  poison(p.counts_of_bins);
  poison(p.parts.second);
  poison(p.parts.rest);
  if (result_of(p.op) == operation::pack_lists || makes_unique_rows(p.op)) poison(p.offsets);
  // More than there are elements, so that nothing is done with so many.
  Kokkos::deep_copy(p.instance, p.counts, std::uint64_t(p.n()) + 77);
  p.instance.fence("upsweep::perf::poison");
}

/// A table of about n values, whose rows are to be sorted.
template <class T>
problem<T> make_rows_problem(operation op, std::size_t n) {
  auto const uninitialized = [](std::string const& label) {
    return Kokkos::view_alloc(Kokkos::WithoutInitializing, label);
  };
  problem<T> p{space(), op, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, row_table::of(op, n), {}, {}};
  p.starts = array<std::size_t>(uninitialized("upsweep::perf::starts"), p.table.rows + 1);
  p.offsets = array<std::size_t>(uninitialized("upsweep::perf::offsets"), p.table.rows + 1);
  p.counts = array<std::uint64_t>("upsweep::perf::counts", 1);
  Kokkos::parallel_scan("upsweep::perf::fill", range(p.instance, p.table.rows + 1),
                        scan_row_sizes{p.table, p.starts.data()});
  std::size_t values = 0;
  Kokkos::deep_copy(values, Kokkos::subview(p.starts, p.table.rows));
  array<T> const in(uninitialized("upsweep::perf::in"), values);
  p.in = in;
  p.out = array<T>(uninitialized("upsweep::perf::out"), values);
  Kokkos::parallel_for("upsweep::perf::fill", range(p.instance, p.table.rows),
                       fill_row_table<T>{p.table, p.starts.data(), in.data()});
  if (op == operation::mesh_graph) {
    p.elements = array<T>(uninitialized("upsweep::perf::elements"), 8 * p.table.mesh.elements());
    Kokkos::parallel_for("upsweep::perf::fill", range(p.instance, p.elements.extent(0)),
                         fill_elements<T>{p.table.mesh, p.elements.data()});
  }
  poison(p);
  return p;
}

/// An operation on n elements, of which it keeps a part; its results hold none of what is right yet.
template <class T>
problem<T> make_problem(operation op, std::size_t n, double keep) {
  if (makes_unique_rows(op)) return make_rows_problem<T>(op, n);
  auto const uninitialized = [](std::string const& label) {
    return Kokkos::view_alloc(Kokkos::WithoutInitializing, label);
  };
  array<T> const in(uninitialized("upsweep::perf::in"), n);
  problem<T> p{space(), op, in, {static_cast<std::uint32_t>(keep * 65536)}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  bool const lists = result_of(op) == operation::pack_lists;
  std::size_t const room = lists ? std::max(n, most_records(n)) : n;
  p.out = array<T>(uninitialized("upsweep::perf::out"), room);
  if (op == operation::sort_by_key || op == operation::partition_copy)
    p.values = array<T>(uninitialized("upsweep::perf::values"), n);
  if (lists) p.offsets = array<std::size_t>(uninitialized("upsweep::perf::offsets"), n + 1);
  if (op == operation::load_balance)
    p.offsets = array<std::size_t>(uninitialized("upsweep::perf::offsets"), runs_of(n) + 1);
  if (op == operation::compact_flagged) p.flags = array<std::int8_t>(uninitialized("upsweep::perf::flags"), n);
  if (op == operation::run_length) p.lengths = array<std::int32_t>(uninitialized("upsweep::perf::lengths"), n);
  p.counts_of_bins = array<std::uint32_t>("upsweep::perf::bins", bins);
  p.counts = array<std::uint64_t>("upsweep::perf::counts", has_three_parts(op) ? 3 : 2);
  if (has_three_parts(op))
    p.parts = {array<T>(uninitialized("upsweep::perf::second"), n), array<T>(uninitialized("upsweep::perf::rest"), n)};
  Kokkos::parallel_for("upsweep::perf::fill", range(p.instance, n), fill_input<T>{in.data(), op});
  Kokkos::parallel_for("upsweep::perf::fill", range(p.instance, p.flags.extent(0)),
                       fill_flags<T>{in.data(), p.keep, p.flags.data()});
  if (op == operation::load_balance)
    Kokkos::parallel_for("upsweep::perf::fill", range(p.instance, p.offsets.extent(0)), fill_rows{p.offsets.data(), n});
  poison(p);
  return p;
}

}  // namespace perf::pack
