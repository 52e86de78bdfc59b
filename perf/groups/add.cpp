// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../../apps/support/groups/random_points.hpp"
#include "../measure.hpp"
#include "../names.hpp"
#include "implementation.hpp"
#include "verify.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>

namespace perf::groups {
namespace {

constexpr char const* type = "double";

std::vector<implementation> all_implementations() {
  auto all = by_upsweep();
#if defined(PERF_HAS_ARBORX)
  append(all, by_arborx());
#endif
  return all;
}

struct wrap_point {
  upsweep::box<double> box;
  clusters::vectors x;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const wrapped = box.wrap({x(i, 0), x(i, 1), x(i, 2)});
    for (int d = 0; d < 3; ++d) x(i, d) = wrapped[d];
  }
};

struct set_number {
  clusters::numbers number;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { number(i) = i; }
};

/// One point a unit of volume. Clumps that reach out of the box come in at the other side, where no link follows them:
/// the box is open, because ArborX knows no other.
clusters::point_set make_points(space const& instance, bool clustered, std::size_t n) {
  double const length = std::cbrt(static_cast<double>(n));
  auto const x = clusters::make<clusters::vectors>(instance, "positions", n);
  auto const number = clusters::make<clusters::numbers>(instance, "numbers", n);
  auto const range = clusters::points_range(instance, n);
  clusters::fill_random_points(instance, x, 0, length, clustered, 1);
  Kokkos::parallel_for("upsweep::perf::wrap_point", range, wrap_point{{{0, 0, 0}, {length, length, length}}, x});
  Kokkos::parallel_for("upsweep::perf::set_number", range, set_number{number});
  return {
      {{0, 0, 0}, {length, length, length}, {false, false, false}}, x, number, number, static_cast<std::int64_t>(n)};
}

/// The points that are being measured, and what is right for them.
struct current_workload {
  std::string key;
  std::optional<clusters::point_set> points;
  known_groups known;

  void make(space const& instance, workload const& w, std::size_t n) {
    auto const wanted = std::string(w.name) + "/" + std::to_string(n);
    if (wanted == key) return;
    *this = {};
    auto const& p = points.emplace(make_points(instance, w.clustered, n));
    upsweep::neighbor_list<space, double> const list(instance, p.positions, p.box, link_length);
    known = groups_of({upsweep::to_host(instance, list.offsets()), upsweep::to_host(instance, list.neighbors())},
                      w.min_points);
    key = wanted;
  }
};

void run(benchmark::State& state, implementation const& impl, workload const& w, std::size_t n, int measurements,
         current_workload& current) {
  space const instance;
  try {
    current.make(instance, w, n);
    auto const made = impl.prepare(instance, *current.points, w);
    auto const wrong = [&] {
      auto const what = verify(current.known, made.labels(), impl.exact);
      if (!what.empty()) state.SkipWithError(what.c_str());
      return !what.empty();
    };
    made.search();
    if (wrong()) return;
    time_for_a_while(state, instance, {measurements, 15, 0.7}, 1, [] {}, made.search);
    if (wrong()) return;
    state.counters["pairs"] = static_cast<double>(current.known.rows.neighbors.size());
    state.counters["bytes"] = static_cast<double>(n * sizeof(std::int64_t));
  } catch (std::exception const& e) {
    state.SkipWithError(e.what());
  }
}

/// About what a point takes: its place twice, numbers, cells, a hierarchy, and a list where points are in clumps.
constexpr double bytes_of_point = 400;

std::vector<std::size_t> usual_sizes() {
  std::vector<std::size_t> sizes{std::size_t(1) << 18, std::size_t(1) << 21};
  if (!on_host) sizes.push_back(std::size_t(1) << 24);
  return sizes;
}

}  // namespace

std::vector<std::string> group_types() { return {type}; }

std::vector<std::string> group_impls() {
  std::vector<std::string> names;
  for (auto const& impl : all_implementations()) names.push_back(impl.name);
  return names;
}

std::vector<std::string> group_workloads() {
  std::vector<std::string> names;
  for (auto const& w : workloads) names.push_back(w.name);
  return names;
}

void add_groups(neighbors::list_selection const& selection) {
  if (!chosen(selection.types, type)) return;
  auto const current = std::make_shared<current_workload>();
  for (std::size_t const n : selection.sizes.empty() ? usual_sizes() : selection.sizes) {
    if (n > 1u << 30 || bytes_of_point * static_cast<double>(n) > 0.9 * static_cast<double>(free_memory())) {
      fmt::print(stderr, "upsweep-perf: groups of {} points do not fit into the free memory; left out\n", n);
      continue;
    }
    for (auto const& w : workloads)
      for (auto const& impl : all_implementations())
        if (chosen(selection.workloads, w.name) && chosen(selection.impls, impl.name))
          add(key("groups", impl.name, w.name, type, n), 1,
              [=](benchmark::State& state) { run(state, impl, w, n, selection.measurements, *current); });
  }
}

}  // namespace perf::groups
