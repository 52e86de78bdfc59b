// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../measure.hpp"
#include "../names.hpp"
#include "choice.hpp"
#include "make_problem.hpp"
#include "verify.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perf::pack {

/// What the operation has to move at least: every input read once, every result written once.
template <class T>
double least_bytes(problem<T> const& p, order o) {
  auto const n = static_cast<double>(p.n()), results = static_cast<double>(produced(p, o));
  switch (result_of(p.op)) {
    case operation::sort_by_key: return 4 * n * sizeof(T);
    case operation::histogram: return n * sizeof(T);
    case operation::compact_flagged: return (n + results) * sizeof(T) + n * sizeof(std::int8_t);
    case operation::run_length: return (n + results) * sizeof(T) + results * sizeof(std::int32_t);
    case operation::load_balance: return n * sizeof(T) + static_cast<double>(p.offsets.extent(0)) * sizeof(std::size_t);
    case operation::pack_lists: return (n + results) * sizeof(T) + (n + 1) * sizeof(std::size_t);
    default: return (n + results) * sizeof(T);
  }
}

/// One benchmark: verified before it is timed, and once more afterwards, when its workspace has seen many calls.
template <class T>
void run(benchmark::State& state, implementation<T> const& impl, operation op, std::size_t n,
         pack_selection const& selection) {
  auto const p = make_problem<T>(op, n, selection.keep);
  auto const work = impl.prepare(p);
  auto const reset = [&] {
    if (work.reset) work.reset();
  };
  auto const wrong = [&] {
    poison(p);
    reset();
    work.call();
    if (work.finish) work.finish();
    auto const what = verify(p, work.order);
    if (!what.empty()) state.SkipWithError(what.c_str());
    return !what.empty();
  };
  if (wrong()) return;
  // A call that destroys its input is measured alone.
  int const batch = work.reset ? 1 : calls_per_measurement(n);
  time_for_a_while(state, p.instance, {selection.measurements, 51, 0.3}, batch, reset, work.call);
  if (wrong()) return;
  state.counters["bytes"] = least_bytes(p, work.order);
}

template <class T>
void add_packs_of(pack_selection const& selection, std::vector<std::size_t> const& sizes) {
  for (std::size_t const n : sizes)
    for (auto const& impl : all_implementations<T>())
      for (auto const op : impl.operations) {
        // A copy is what the others are compared with.
        if (op != operation::copy && !(chosen(selection.impls, impl.name) && chosen(selection.operations, name_of(op))))
          continue;
        add(key("pack", impl.name, name_of(op), type_name<T>(), n), 1,
            [=](benchmark::State& state) { run<T>(state, impl, op, n, selection); });
      }
}

}  // namespace perf::pack
