// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../measure.hpp"
#include "choice.hpp"
#include "verify.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace perf {

/// Calls are worth a wall clock while they are short.
inline constexpr std::size_t largest_latency = std::size_t(1) << 18;

/// One benchmark: verified before it is timed, and once more afterwards, when its workspace has seen many calls.
template <class T>
void run_scan(benchmark::State& state, buffers<T> const& data, implementation<T> const& impl, operation op,
              bool by_wall_clock, std::size_t n) {
  auto const p = data.first(n);
  auto const scan = impl.prepare(op, p);
  auto const wrong = [&] {
    data.poison(p);
    scan.call();
    if (scan.finish) scan.finish();
    std::size_t const at = verify(op, p, scan.total != nullptr ? scan.total : p.total.data());
    if (at == all_right) return false;
    state.SkipWithError(("wrong from element " + std::to_string(at)).c_str());
    return true;
  };
  if (wrong()) return;
  if (by_wall_clock) time_latency(state, p.instance, scan.call);
  else time_throughput(state, p.instance, calls_per_measurement(n), scan.call);
  if (wrong()) return;
  state.counters["bytes"] = bytes_of<T>(op, n);
}

inline int measurements_of(scan_selection const& selection, std::size_t bytes, bool by_wall_clock) {
  if (selection.measurements > 0) return selection.measurements;
  return by_wall_clock ? 101 : bytes <= (std::size_t(1) << 26) ? 51 : 15;
}

template <class T>
void add_scans_of(scan_selection const& selection, std::vector<std::size_t> const& sizes, std::size_t named_size,
                  std::shared_ptr<current_buffers> const& shared) {
  std::size_t largest = named_size;
  for (std::size_t n : sizes) largest = std::max(largest, n);
  auto const all = all_implementations<T>(selection.engines);
  auto const add_one = [&](implementation<T> const& impl, operation op, bool by_wall_clock, std::size_t n) {
    bool const copy = op == operation::copy;
    std::string const name = by_wall_clock ? latency : name_of(op);
    if (!takes(op, n) || n > impl.most || (!chosen(selection.impls, impl.name) && !copy)) return;
    // A copy is what the others are compared with; nobody is when only latencies are wanted.
    bool const compared = copy && !by_wall_clock && selection.operations != std::vector<std::string>{latency};
    if (!chosen(selection.operations, name) && !compared) return;
    add(key("scan", impl.name, name + impl.variant, type_name<T>(), n),
        measurements_of(selection, n * sizeof(T), by_wall_clock),
        [=](benchmark::State& state) { run_scan<T>(state, shared->of<T>(largest), impl, op, by_wall_clock, n); });
  };
  for (std::size_t n : sizes)
    for (auto const& impl : all) {
      for (auto const op : impl.operations) add_one(impl, op, false, n);
      if (n <= largest_latency) add_one(impl, impl.operations.front(), true, n);
    }
  if (named_size != 0)
    for (auto const& impl : all)
      if (impl.operations.front() != operation::inclusive_scan)
        add_one(impl, impl.operations.front(), false, named_size);
}

}  // namespace perf
