// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Lennard-Jones forces from a list, over each layout. Instantiated for one type a file: it takes long to compile.

#include "../measure.hpp"
#include "../neighbors.hpp"
#include "../scan/types.hpp"

#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>
#include <upsweep/neighbors/sliced_list.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace perf {

/// Adds the force of one pair on i.
template <class Real>
struct add_force {
  using vector = Kokkos::Array<Real, 3>;
  Real const* x;
  Real cutoff_squared, length;

  KOKKOS_FORCEINLINE_FUNCTION Real nearest(Real d) const {
    return d > Real(0.5) * length ? d - length : d < Real(-0.5) * length ? d + length : d;
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t i, int j, vector& sum) const {
    std::int64_t const k = j;
    Real const dx = nearest(x[3 * i] - x[3 * k]), dy = nearest(x[3 * i + 1] - x[3 * k + 1]), dz = nearest(x[3 * i + 2] - x[3 * k + 2]);
    Real const r2 = dx * dx + dy * dy + dz * dz;
    Real const inverse = Real(1) / r2, inverse6 = inverse * inverse * inverse;
    Real const force = r2 <= cutoff_squared ? Real(48) * inverse6 * (inverse6 - Real(0.5)) * inverse : Real(0);
    sum[0] += dx * force;
    sum[1] += dy * force;
    sum[2] += dz * force;
  }
};

template <class Real>
struct store_force {
  Real* out;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t i, Kokkos::Array<Real, 3> const& sum) const {
    for (int d = 0; d < 3; ++d) out[3 * i + d] = sum[d];
  }
};

/// A thread a row, one neighbour after the other: what one writes without thinking of layouts.
template <class Real, class Rows>
struct force_by_thread {
  Rows rows;
  add_force<Real> add;
  store_force<Real> store;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    auto const i = static_cast<std::int64_t>(rows.row_at(static_cast<std::size_t>(place)));
    Kokkos::Array<Real, 3> sum{};
    upsweep::for_each_neighbor(rows, static_cast<std::size_t>(i), [&](int j) { add(i, j, sum); });
    store(i, sum);
  }
};

/// A team a row.
template <class Real, class Rows>
struct force_by_team {
  Rows rows;
  add_force<Real> add;
  store_force<Real> store;
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    using vector = Kokkos::Array<Real, 3>;
    auto const i = static_cast<std::int64_t>(member.league_rank());
    vector sum{};
    upsweep::reduce_neighbors(member, rows, static_cast<std::size_t>(i), [&](int j, vector& partial) { add(i, j, partial); }, sum);
    Kokkos::single(Kokkos::PerTeam(member), [&]() { store(i, sum); });
  }
};

/// A liquid of n particles and its lists; what the loops of one n and type share.
template <class Real>
struct force_case {
  using sliced = upsweep::sliced_list<space>;
  static constexpr double density = 0.8442, list_cutoff = 2.8, cutoff = 2.5;

  Kokkos::View<Real* [3], Kokkos::LayoutRight, memory> x, forces, expected;
  Real length = 0;
  std::unique_ptr<upsweep::neighbor_list<space, Real>> list;
  Kokkos::View<int*, memory> order;

  /// A shaken fcc crystal, particles cell by cell or shuffled; `order` is cell by cell then, too.
  force_case(std::size_t n, bool shuffled) {
    auto const cells = static_cast<std::size_t>(std::cbrt(static_cast<double>(n) / 4) + 0.5);
    std::size_t const count = 4 * cells * cells * cells;
    length = static_cast<Real>(std::cbrt(static_cast<double>(count) / density));
    x = decltype(x)("upsweep::perf::positions", count);
    forces = decltype(forces)("upsweep::perf::forces", count);
    expected = decltype(expected)("upsweep::perf::expected", count);
    order = decltype(order)("upsweep::perf::order", count);
    auto const host = Kokkos::create_mirror_view(x);
    auto const host_order = Kokkos::create_mirror_view(order);
    std::vector<std::size_t> row(count);
    std::iota(row.begin(), row.end(), std::size_t(0));
    std::mt19937_64 engine(1);
    if (shuffled) std::shuffle(row.begin(), row.end(), engine);
    std::uniform_real_distribution<double> shake(-0.1, 0.1);
    double const a = static_cast<double>(length) / static_cast<double>(cells);
    for (std::size_t k = 0; k < count; ++k) {
      std::size_t const cell = k / 4, at[3] = {cell % cells, cell / cells % cells, cell / cells / cells};
      for (std::size_t d = 0; d < 3; ++d) {
        double const site = static_cast<double>(at[d]) + (k % 4 != 0 && k % 4 != d + 1 ? 0.75 : 0.25);
        host(row[k], d) = static_cast<Real>(a * site + shake(engine));
      }
      host_order(k) = static_cast<int>(row[k]);
    }
    Kokkos::deep_copy(x, host);
    Kokkos::deep_copy(order, host_order);
    list = std::make_unique<upsweep::neighbor_list<space, Real>>(space(), x, upsweep::box<Real>({0, 0, 0}, {length, length, length}),
                                                                 static_cast<Real>(list_cutoff));
    run_thread(space(), rows());
    Kokkos::deep_copy(expected, forces);
  }

  auto rows() const { return upsweep::make_neighbor_rows(list->offsets(), list->neighbors()); }
  add_force<Real> add() const { return {x.data(), static_cast<Real>(cutoff * cutoff), length}; }
  store_force<Real> store() const { return {forces.data()}; }

  template <class Rows>
  void run_thread(space const& instance, Rows const& r) const {
    Kokkos::parallel_for("upsweep::perf::force_by_thread",
                         Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(instance, 0, static_cast<std::int64_t>(r.rows)),
                         force_by_thread<Real, Rows>{r, add(), store()});
  }
  template <class Rows>
  void run_team(space const& instance, Rows const& r) const {
    Kokkos::parallel_for("upsweep::perf::force_by_team", Kokkos::TeamPolicy<space>(instance, static_cast<int>(r.rows), 1, on_host ? 1 : 32),
                         force_by_team<Real, Rows>{r, add(), store()});
  }
  template <class Rows>
  void run_reduce(space const& instance, Rows const& r) const {
    upsweep::reduce_rows<Kokkos::Array<Real, 3>>(instance, r, add(), store());
  }

  /// Whether forces are those of the first loop, but for rounding.
  bool right() const {
    auto const a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), forces);
    auto const b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), expected);
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < a.extent(0); ++i)
      for (int d = 0; d < 3; ++d) {
        largest = std::max(largest, std::abs(static_cast<double>(b(i, d))));
        double const here = std::abs(static_cast<double>(a(i, d)) - static_cast<double>(b(i, d)));
        difference = here <= difference ? difference : here;  // keeps a NaN
      }
    return largest > 1 && difference <= largest * (sizeof(Real) == 8 ? 1e-12 : 1e-4);
  }
};

template <class Real>
void add_forces_of(std::size_t n) {
  using system = force_case<Real>;
  // Made by the first benchmark of the group, given back by the last.
  auto const shared = std::make_shared<std::unique_ptr<system>>();
  auto const add_loop = [=](bool shuffled, std::string const& layout, std::function<void(benchmark::State&, system const&)> const& body, bool last = false) {
    std::string const workload = "force_" + layout + (shuffled ? "_shuffled" : "");
    add(key("force", "upsweep", workload, type_name<Real>(), n), n <= 256000 ? 15 : 7, [=](benchmark::State& state) {
      if (!*shared) *shared = std::make_unique<system>(n, shuffled);
      body(state, **shared);
      state.counters["pairs"] = static_cast<double>((*shared)->list->pairs());
      if (last) shared->reset();
    });
  };
  auto const timed = [](benchmark::State& state, system const& s, auto const& loop) {
    space const instance;
    Kokkos::deep_copy(s.forces, Real(0));
    loop(instance);
    instance.fence();
    if (!s.right()) return state.SkipWithError("wrong result");
    time_throughput(state, instance, s.x.extent(0) <= 256000 && !on_host ? 10 : 1, [&] { loop(instance); });
  };
  auto const over_sliced = [=](bool by_order, std::size_t window, bool reduce) {
    return [=](benchmark::State& state, system const& s) {
      upsweep::sliced_options options{.sort_window = window};
      if (by_order) options.order = s.order;
      typename system::sliced const sliced(space(), *s.list, options);
      state.counters["bytes"] = static_cast<double>(sliced.last_plan().list_bytes);
      timed(state, s, [&](space const& instance) { reduce ? s.run_reduce(instance, sliced.view()) : s.run_thread(instance, sliced.view()); });
    };
  };
  for (bool shuffled : {false, true}) {
    add_loop(shuffled, "rows_thread", [=](auto& state, system const& s) { timed(state, s, [&](space const& i) { s.run_thread(i, s.rows()); }); });
    if (!on_host) add_loop(shuffled, "rows_team", [=](auto& state, system const& s) { timed(state, s, [&](space const& i) { s.run_team(i, s.rows()); }); });
    add_loop(shuffled, "rows_reduce", [=](auto& state, system const& s) { timed(state, s, [&](space const& i) { s.run_reduce(i, s.rows()); }); });
    add_loop(shuffled, "sliced_thread", over_sliced(shuffled, 0, false));
    add_loop(shuffled, "sliced_reduce", over_sliced(shuffled, 0, true));
    add_loop(shuffled, "sliced_sorted_reduce", over_sliced(shuffled, 256, true));
    for (std::size_t window : {std::size_t(0), std::size_t(256)})
      add_loop(shuffled, window == 0 ? "sliced_update" : "sliced_sorted_update", [=](benchmark::State& state, system const& s) {
        upsweep::sliced_options options{.sort_window = window};
        if (shuffled) options.order = s.order;
        typename system::sliced sliced(space(), *s.list, options);
        space const instance;
        time_latency(state, instance, [&] { sliced.update(space(), *s.list); });
        state.counters["bytes"] = static_cast<double>(sliced.last_plan().bytes());
      }, window != 0);
  }
}

}  // namespace perf
