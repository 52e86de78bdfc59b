// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "implementation.hpp"

#include <algorithm>
#include <string>

namespace perf::pack {

template <class T>
struct fill_problem {
  T *in, *out, *values;
  operation op;
  std::size_t n;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    if (i < n) in[i] = element_of<T>(op, i);
    out[i] = T(77);
    if (values != nullptr && i < n) values[i] = T(77);
  }
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

/// An operation on n elements, of which it keeps a part; its results hold none of what is right yet.
template <class T>
problem<T> make_problem(operation op, std::size_t n, double keep) {
  auto const uninitialized = [](std::string const& label) { return Kokkos::view_alloc(Kokkos::WithoutInitializing, label); };
  array<T> const in(uninitialized("upsweep::perf::in"), n);
  problem<T> p{space(), op, in, {static_cast<std::uint32_t>(keep * 65536)}, {}, {}, {}, {}, {}, {}, {}};
  bool const lists = result_of(op) == operation::pack_lists;
  std::size_t const room = lists ? std::max(n, most_records(n)) : n;
  p.out = array<T>(uninitialized("upsweep::perf::out"), room);
  if (op == operation::sort_by_key || op == operation::partition_copy) p.values = array<T>(uninitialized("upsweep::perf::values"), n);
  if (lists) p.offsets = array<std::size_t>(uninitialized("upsweep::perf::offsets"), n + 1);
  if (op == operation::load_balance) p.offsets = array<std::size_t>(uninitialized("upsweep::perf::offsets"), runs_of(n) + 1);
  if (op == operation::compact_flagged) p.flags = array<std::int8_t>(uninitialized("upsweep::perf::flags"), n);
  if (op == operation::run_length) p.lengths = array<std::int32_t>("upsweep::perf::lengths", n);
  p.counts_of_bins = array<std::uint32_t>("upsweep::perf::bins", bins);
  bool const three = op == operation::partition_three_way || op == operation::partition_copy_three_way;
  p.counts = array<std::uint64_t>("upsweep::perf::counts", three ? 3 : 2);
  Kokkos::parallel_for("upsweep::perf::fill", range(p.instance, room), fill_problem<T>{in.data(), p.out.data(), p.values.data(), op, n});
  Kokkos::parallel_for("upsweep::perf::fill", range(p.instance, p.flags.extent(0)), fill_flags<T>{in.data(), p.keep, p.flags.data()});
  if (op == operation::load_balance)
    Kokkos::parallel_for("upsweep::perf::fill", range(p.instance, p.offsets.extent(0)), fill_rows{p.offsets.data(), n});
  p.instance.fence("upsweep::perf::fill");
  return p;
}

}  // namespace perf::pack
