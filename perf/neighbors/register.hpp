// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../measure.hpp"
#include "../names.hpp"
#include "choice.hpp"
#include "verify.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace perf::neighbors {

/// The particles of the workload that is being measured; those of the workload before are freed.
template <class Real>
struct current_workload {
  std::string key;
  std::shared_ptr<particles<Real> const> made;
  known_list known;

  void make(space const& instance, workload const& w, std::size_t n) {
    auto const wanted = std::string(w.name) + "/" + std::to_string(n);
    if (wanted == key) return;
    made.reset();
    made = std::make_shared<particles<Real> const>(make_particles<Real>(instance, w, n));
    known = {};
    key = wanted;
  }
};

/// Lists are built once and verified, timed, and verified again.
template <class Real>
void run(benchmark::State& state, implementation<Real> const& impl, workload const& w, std::size_t n,
         list_selection const& selection, current_workload<Real>& current) {
  space const instance;
  current.make(instance, w, n);
  auto const& p = *current.made;
  try {
    auto const made = impl.prepare(instance, p);
    auto const wrong = [&] {
      auto const what = impl.reference ? verify_same(instance, made, impl.reference(instance, p))
                                       : verify(instance, p, made, impl.exact, current.known);
      if (!what.empty()) state.SkipWithError(what.c_str());
      return !what.empty();
    };
    made.build();
    if (wrong()) return;
    time_for_a_while(state, instance, {selection.measurements, 15, 0.7}, 1, [] {}, made.build);
    if (wrong()) return;
    state.counters["pairs"] = static_cast<double>(made.pairs());
    state.counters["bytes"] = static_cast<double>(made.bytes());
  } catch (std::exception const& e) {
    // A peer that has too little memory, or counts with too few bits, ends its own benchmark only.
    state.SkipWithError(e.what());
  }
}

/// What moving a list costs at least: a copy of as many neighbours.
template <class Real>
void run_copy(benchmark::State& state, workload const& w, std::size_t n, list_selection const& selection,
              current_workload<Real>& current) {
  space const instance;
  current.make(instance, w, n);
  std::size_t const pairs = current.known.set ? current.known.pairs : static_cast<std::size_t>(expected_pairs(n));
  Kokkos::View<int*, memory> const in("upsweep::perf::in", pairs), out("upsweep::perf::out", pairs);
  time_for_a_while(
      state, instance, {selection.measurements, 15, 0.3}, 1, [] {},
      [&] { copy_bytes(instance, out.data(), in.data(), pairs * sizeof(int)); });
  state.counters["pairs"] = static_cast<double>(pairs);
  state.counters["bytes"] = static_cast<double>(2 * pairs * sizeof(int));
}

template <class Real>
void add_lists_of(list_selection const& selection, std::vector<std::size_t> const& sizes) {
  auto const current = std::make_shared<current_workload<Real>>();
  for (auto const& w : workloads) {
    if (!chosen(selection.workloads, w.name)) continue;
    for (std::size_t const size : sizes) {
      std::size_t const n = particles_of(w, size);
      auto const name = [&](std::string const& impl) { return key("neighbors", impl, w.name, type_name<Real>(), n); };
      for (auto const& impl : all_implementations<Real>()) {
        if (!chosen(selection.impls, impl.name) || (impl.open_only && w.periodic)) continue;
        if (impl.reference && !(w.shape == shape::uniform && w.periodic && !w.sorted)) continue;
        if (!impl.exact && 1.02 * expected_pairs(n) > 0x1p31)
          fmt::print(stderr, "upsweep-perf: {} counts pairs with 32 bits, too few for {} particles; left out\n",
                     impl.name, n);
        else
          add(name(impl.name), 1, [=](benchmark::State& state) { run<Real>(state, impl, w, n, selection, *current); });
      }
      add(name("copy"), 1, [=](benchmark::State& state) { run_copy<Real>(state, w, n, selection, *current); });
    }
  }
}

}  // namespace perf::neighbors
