// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Lennard-Jones forces from a list, by each of its loops.

#include "../measure.hpp"
#include "../scan/types.hpp"
#include "force.hpp"

#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace perf {
namespace {

/// Adds the force of one pair on i.
template <class Real>
struct add_force {
  using vector = Kokkos::Array<Real, 3>;
  Real const* x;
  Real cutoff_squared, length;

  KOKKOS_FORCEINLINE_FUNCTION Real nearest(Real d) const {
    return d > Real(0.5) * length ? d - length : d < Real(-0.5) * length ? d + length : d;
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::size_t i, int j, vector& sum) const {
    std::int64_t const k = j;
    Real const dx = nearest(x[3 * i] - x[3 * k]), dy = nearest(x[3 * i + 1] - x[3 * k + 1]),
               dz = nearest(x[3 * i + 2] - x[3 * k + 2]);
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
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::size_t i, Kokkos::Array<Real, 3> const& sum) const {
    for (int d = 0; d < 3; ++d) out[3 * i + d] = sum[d];
  }
};

/// One thread per row, one neighbour after the other: what one writes first.
template <class Real, class Rows>
struct force_by_thread {
  Rows rows;
  add_force<Real> add;
  store_force<Real> store;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    std::size_t const i = rows.row_at(static_cast<std::size_t>(place));
    Kokkos::Array<Real, 3> sum{};
    upsweep::for_each_neighbor(rows, i, [&](int j) { add(i, j, sum); });
    store(i, sum);
  }
};

/// One team per row.
template <class Real, class Rows>
struct force_by_team {
  Rows rows;
  add_force<Real> add;
  store_force<Real> store;
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    using vector = Kokkos::Array<Real, 3>;
    auto const i = static_cast<std::size_t>(member.league_rank());
    vector sum{};
    upsweep::reduce_neighbors(member, rows, i, [&](int j, vector& partial) { add(i, j, partial); }, sum);
    Kokkos::single(Kokkos::PerTeam(member), [&]() { store(i, sum); });
  }
};

using list_type = upsweep::neighbor_list<space, double>;

/// A liquid of n particles, its list, which is the same for both types, and forces; what the loops of one n
/// and type share.
template <class Real>
struct force_case {
  static constexpr double density = 0.8442, list_cutoff = 2.8, cutoff = 2.5;

  template <class T>
  using vectors = Kokkos::View<T* [3], Kokkos::LayoutRight, memory>;
  vectors<Real> x, forces, expected;
  double length = 0;
  std::unique_ptr<list_type> list;

  /// A shaken fcc crystal, particles cell by cell or shuffled.
  force_case(std::size_t n, bool shuffled) {
    auto const cells = static_cast<std::size_t>(std::cbrt(static_cast<double>(n) / 4) + 0.5);
    std::size_t const count = 4 * cells * cells * cells;
    length = std::cbrt(static_cast<double>(count) / density);
    x = decltype(x)("upsweep::perf::positions", count);
    forces = decltype(forces)("upsweep::perf::forces", count);
    expected = decltype(expected)("upsweep::perf::expected", count);
    vectors<double> const precise("upsweep::perf::precise", count);
    auto const host = Kokkos::create_mirror_view(precise);
    auto const host_x = Kokkos::create_mirror_view(x);
    std::vector<std::size_t> row(count);
    std::iota(row.begin(), row.end(), std::size_t(0));
    std::mt19937_64 engine(1);
    if (shuffled) std::shuffle(row.begin(), row.end(), engine);
    std::uniform_real_distribution<double> shake(-0.1, 0.1);
    double const a = length / static_cast<double>(cells);
    for (std::size_t k = 0; k < count; ++k) {
      std::size_t const cell = k / 4, at[3] = {cell % cells, cell / cells % cells, cell / cells / cells};
      for (std::size_t d = 0; d < 3; ++d) {
        double const site = static_cast<double>(at[d]) + (k % 4 != 0 && k % 4 != d + 1 ? 0.75 : 0.25);
        host(row[k], d) = a * site + shake(engine);
        host_x(row[k], d) = static_cast<Real>(host(row[k], d));
      }
    }
    Kokkos::deep_copy(precise, host);
    Kokkos::deep_copy(x, host_x);
    list = std::make_unique<list_type>(space(), precise, upsweep::box<double>({0, 0, 0}, {length, length, length}),
                                       list_cutoff);
    run_thread(space(), rows());
    Kokkos::deep_copy(expected, forces);
  }

  auto rows() const { return upsweep::make_neighbor_rows(list->offsets(), list->neighbors()); }
  add_force<Real> add() const { return {x.data(), static_cast<Real>(cutoff * cutoff), static_cast<Real>(length)}; }
  store_force<Real> store() const { return {forces.data()}; }

  template <class Rows>
  void run_thread(space const& instance, Rows const& r) const {
    Kokkos::parallel_for(
        "upsweep::perf::force_by_thread",
        Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(instance, 0, static_cast<std::int64_t>(r.rows)),
        force_by_thread<Real, Rows>{r, add(), store()});
  }
  template <class Rows>
  void run_team(space const& instance, Rows const& r) const {
    Kokkos::parallel_for("upsweep::perf::force_by_team",
                         Kokkos::TeamPolicy<space>(instance, static_cast<int>(r.rows), 1, on_host ? 1 : 32),
                         force_by_team<Real, Rows>{r, add(), store()});
  }
  template <class Rows>
  void run_reduce(space const& instance, Rows const& r) const {
    upsweep::reduce_rows<Kokkos::Array<Real, 3>>(instance, r, add(), store());
  }

  /// Whether forces are those of the first loop, except for rounding.
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

/// The system that the running benchmark reads: one at a time is kept, for it takes long to make and much memory.
template <class Real>
class current_system {
 public:
  force_case<Real> const& get(std::size_t n, bool shuffled) {
    if (!system_ || n != n_ || shuffled != shuffled_) {
      system_.reset();
      system_ = std::make_unique<force_case<Real>>(n, shuffled);
      n_ = n;
      shuffled_ = shuffled;
    }
    return *system_;
  }

 private:
  std::unique_ptr<force_case<Real>> system_;
  std::size_t n_ = 0;
  bool shuffled_ = false;
};

/// Registers the loops over one system.
template <class Real>
class force_benchmarks {
 public:
  using system = force_case<Real>;
  using loop = std::function<void(space const&, system const&)>;

  force_benchmarks(std::size_t n, bool shuffled, std::shared_ptr<current_system<Real>> const& current)
      : n_(n), shuffled_(shuffled), current_(current) {}

  /// One loop over the list's rows.
  void add_rows(std::string const& name, loop const& call) const {
    add_case(name, [call](benchmark::State& state, system const& s) {
      time_loop(state, s, [&](space const& i) { call(i, s); });
    });
  }

 private:
  template <class Body>
  void add_case(std::string const& name, Body const& body) const {
    auto const workload = "force_" + name + (shuffled_ ? "_shuffled" : "");
    add(key("force", "upsweep", workload, type_name<Real>(), n_), n_ <= 256000 ? 15 : 7,
        [*this, body](benchmark::State& state) {
          system const& s = current_->get(n_, shuffled_);
          body(state, s);
          state.counters["pairs"] = static_cast<double>(s.list->pairs());
        });
  }
  template <class Call>
  static void time_loop(benchmark::State& state, system const& s, Call const& call) {
    space const instance;
    Kokkos::deep_copy(s.forces, Real(0));
    call(instance);
    instance.fence("upsweep::perf::force");
    if (!s.right()) return state.SkipWithError("wrong result");
    time_throughput(state, instance, !on_host && s.x.extent(0) <= 256000 ? 10 : 1, [&] { call(instance); });
  }

  std::size_t n_;
  bool shuffled_;
  std::shared_ptr<current_system<Real>> current_;
};

template <class Real>
void add_forces_of(std::size_t n, bool shuffled, std::shared_ptr<current_system<Real>> const& current) {
  using system = force_case<Real>;
  force_benchmarks<Real> const of(n, shuffled, current);
  of.add_rows("rows_thread", [](space const& i, system const& s) { s.run_thread(i, s.rows()); });
  if (!on_host) of.add_rows("rows_team", [](space const& i, system const& s) { s.run_team(i, s.rows()); });
  of.add_rows("rows_reduce", [](space const& i, system const& s) { s.run_reduce(i, s.rows()); });
}

}  // namespace

void add_forces(std::vector<std::size_t> const& sizes) {
  auto const floats = std::make_shared<current_system<float>>();
  auto const doubles = std::make_shared<current_system<double>>();
  for (std::size_t const n : sizes.empty() ? std::vector<std::size_t>{32000, 256000, 1000000} : sizes)
    for (bool shuffled : {false, true}) {
      add_forces_of(n, shuffled, floats);
      add_forces_of(n, shuffled, doubles);
    }
}

}  // namespace perf
