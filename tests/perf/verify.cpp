// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The verification of upsweep-perf lets right results through, and no other ones.

#include "../../perf/groups/verify.hpp"
#include "../../perf/neighbors/verify.hpp"
#include "../../perf/pack/make_problem.hpp"
#include "../../perf/pack/std.hpp"
#include "../../perf/pack/verify.hpp"
#include "../../perf/scan/buffers.hpp"
#include "../../perf/scan/std.hpp"
#include "../../perf/scan/verify.hpp"

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace {

int wrong = 0;

void expect(bool holds, char const* operation, char const* what) {
  if (holds) return;
  ++wrong;
  std::fprintf(stderr, "%s: %s\n", operation, what);
}

namespace pack = perf::pack;

/// The right result passes, and none of the changes to it does, of which each is undone.
template <class T>
void check(pack::operation op, auto const&... changes) {
  auto const p = pack::make_problem<T>(op, 3000, 0.5);
  auto const work = pack::prepare_std(p);
  if (work.reset) work.reset();
  expect(!pack::verify(p, work.order).empty(), pack::name_of(op), "nothing passes for a result");
  work.call();
  if (work.finish) work.finish();
  expect(pack::verify(p, work.order).empty(), pack::name_of(op), "a right result does not pass");
  auto const each = [&](auto const& change) {
    change(p);
    expect(!pack::verify(p, work.order).empty(), pack::name_of(op), "a changed result passes");
    if (work.reset) work.reset();
    work.call();
    if (work.finish) work.finish();
    expect(pack::verify(p, work.order).empty(), pack::name_of(op), "the change was not undone");
  };
  (each(changes), ...);
  // As upsweep-perf does before its second check: nothing of an earlier call is left.
  each([](auto const& q) { pack::poison(q); });
}

/// Two records that differ change places: only where any order is right may that pass.
template <class T>
void check_order(pack::operation op) {
  auto const p = pack::make_problem<T>(op, 3000, 0.5);
  pack::prepare_std(p).call();
  if (op == pack::operation::pack_lists) p.counts(0) = p.offsets(p.n());
  std::swap(p.out(0), p.out(p.counts(0) - 1));
  expect(!pack::verify(p, pack::order::stable).empty(), pack::name_of(op), "two exchanged records pass");
  expect(pack::verify(p, pack::order::any).empty(), pack::name_of(op),
         "any order does not pass where none is asked for");
  ++p.out(7);
  expect(!pack::verify(p, pack::order::any).empty(), pack::name_of(op), "another record passes");
}

void check_packs() {
  using pack::operation;
  auto const element = [](auto const& p) { ++p.out(700); };
  auto const count = [](auto const& p) { --p.counts(0); };
  check<int>(operation::compact, element, count);
  check<int>(operation::unique, element, count);
  check<int>(operation::partition, element, count, [](auto const& p) { std::swap(p.out(2998), p.out(2999)); });
  check<int>(operation::compact_flagged, element, count);
  check<int>(operation::compact_indices, element, count);
  check<int>(operation::partition_copy, element, count, [](auto const& p) { std::swap(p.out(2998), p.out(2999)); });
  auto const second_count = [](auto const& p) { ++p.counts(1); };
  auto const second_part = [](auto const& p) { std::swap(p.out(p.counts(0)), p.out(p.counts(0) + 1)); };
  auto const border = [](auto const& p) { std::swap(p.out(p.counts(0) - 1), p.out(p.counts(0))); };
  auto const rest = [](auto const& p) { std::swap(p.out(2998), p.out(2999)); };
  check<int>(operation::partition_three_way, element, count, second_count, second_part, border, rest);
  check<int>(operation::partition_copy_three_way, element, count, second_count, second_part, border, rest);
  check<int>(
      operation::run_length, [](auto const& p) { ++p.out(7); }, count,
      [](auto const& p) { ++p.lengths(7), --p.lengths(8); }, [](auto const& p) { ++p.lengths(p.counts(0) - 1); },
      [](auto const& p) { p.lengths(0) = -p.lengths(0); });
  check<int>(
      operation::load_balance, element, [](auto const& p) { p.out(0) = -1; },
      [](auto const& p) { p.out(2999) = 1000; });
  check<int>(operation::histogram, [](auto const& p) { ++p.counts_of_bins(0), --p.counts_of_bins(255); });
  check<int>(
      operation::pack_lists, element, [](auto const& p) { ++p.offsets(5); }, [](auto const& p) { ++p.offsets(3000); });
  check<unsigned>(
      operation::sort, element, [](auto const& p) { p.out(0) = p.out(1); },
      [](auto const& p) { std::swap(p.out(8), p.out(9)); });
  check<unsigned>(
      operation::sort_by_key, element, [](auto const& p) { p.values(4) = p.values(5); },
      [](auto const& p) { std::swap(p.values(8), p.values(9)); });
  check<int>(operation::compact_in_place, element, count);
  check<int>(operation::unique_in_place, element, count);
  check<int>(operation::partition_in_place, element, count, [](auto const& p) { std::swap(p.out(2998), p.out(2999)); });
  check<int>(
      operation::pack_lists_fused, element, [](auto const& p) { ++p.offsets(5); },
      [](auto const& p) { ++p.offsets(3000); });
  check_order<int>(operation::compact);
  check_order<int>(operation::pack_lists);
}

namespace lists = perf::neighbors;

/// The list of all pairs in the form that the verification wants.
lists::rows all_pairs(lists::particles<double> const& p) {
  lists::squared_distance<double> const r2{p.x, p.box};
  Kokkos::View<std::size_t*, perf::memory> const offsets("offsets", p.n() + 1);
  std::vector<int> found;
  for (std::size_t i = 0; i < p.n(); ++i) {
    for (std::size_t j = 0; j < p.n(); ++j)
      if (j != i && r2(i, j) <= lists::cutoff * lists::cutoff) found.push_back(static_cast<int>(j));
    offsets(i + 1) = found.size();
  }
  Kokkos::View<int*, perf::memory> const neighbors("neighbors", found.size());
  for (std::size_t k = 0; k < found.size(); ++k) neighbors(k) = found[k];
  return {offsets, neighbors};
}

void check_lists(lists::workload const& w) {
  perf::space const instance;
  std::size_t const n = lists::particles_of(w, 500);
  auto const p = lists::make_particles<double>(instance, w, n);
  auto const right = all_pairs(p);
  auto const density = static_cast<double>(right.neighbors.extent(0)) / static_cast<double>(n);
  // An open box has fewer at its borders; the crystal has 78 where nothing moves.
  expect(density > (w.periodic ? 70 : 20) && density < 90, w.name, "the particles have another density");
  lists::known_list known;
  auto const verified = [&](lists::rows const& list, bool exact) {
    lists::prepared const made{{}, [&] { return list.neighbors.extent(0); }, {}, [&] { return list; }};
    return lists::verify(instance, p, made, exact, known).empty();
  };
  expect(verified(right, true) && verified(right, true) && verified(right, false), w.name,
         "a right list does not pass");
  auto const changed = [&](auto const& change) {
    Kokkos::View<int*, perf::memory> const neighbors("neighbors", right.neighbors.extent(0));
    Kokkos::deep_copy(neighbors, right.neighbors);
    // A row of the sample.
    std::size_t const row = n / 40 / 2, begin = right.offsets(row), end = right.offsets(row + 1);
    change(neighbors, row, begin, end);
    return lists::rows{right.offsets, neighbors};
  };
  auto const own =
      changed([](auto const& x, std::size_t row, std::size_t begin, std::size_t) { x(begin) = static_cast<int>(row); });
  auto const twice =
      changed([](auto const& x, std::size_t, std::size_t begin, std::size_t) { x(begin) = x(begin + 1); });
  auto const nobody =
      changed([&](auto const& x, std::size_t, std::size_t begin, std::size_t) { x(begin) = static_cast<int>(n); });
  auto const order =
      changed([](auto const& x, std::size_t, std::size_t begin, std::size_t end) { std::swap(x(begin), x(end - 1)); });
  for (bool const exact : {true, false}) {
    expect(!verified(own, exact), w.name, "a particle is its own neighbour");
    expect(!verified(twice, exact), w.name, "a neighbour that is there twice passes");
    expect(!verified(nobody, exact), w.name, "a neighbour that does not exist passes");
  }
  expect(!verified(order, true), w.name, "another order passes for ours");
  expect(verified(order, false), w.name, "another order does not pass for a peer's");
}

/// The same for scans and reductions, of lengths that are compared in a loop and step by step.
template <class T>
void check_scans() {
  using perf::operation;
  // Of whole rows.
  constexpr std::size_t longest = perf::largest_serial + (std::size_t(1) << 16);
  perf::buffers<T> const data(longest);
  for (auto const& impl : perf::scans<T>::by_std({}))
    for (auto const op : impl.operations)
      for (std::size_t n : {std::size_t(3000), std::size_t(1) << 17, perf::largest_serial + 5000, longest}) {
        if (!perf::takes(op, n)) continue;
        auto const p = data.first(n);
        auto const scan = impl.prepare(op, p);
        auto const passes = [&] { return perf::verify<T>(op, p, p.total.data()) == perf::all_right; };
        data.poison(p);
        expect(!passes(), perf::name_of(op), "nothing passes for a result");
        scan.call();
        expect(passes(), perf::name_of(op), "a right result does not pass");
        auto& changed = op == operation::reduce      ? p.total()
                        : perf::reduces_segments(op) ? p.out(perf::segments_of(n) - 1)
                                                     : p.out(n - 7);
        T const before = changed;
        changed = perf::element<T>::poison();
        expect(!passes(), perf::name_of(op), "a changed result passes");
        changed = before;
        expect(passes(), perf::name_of(op), "the change was not undone");
        if (op == operation::reduce_by_key) {
          ++p.run_keys(1);
          expect(!passes(), perf::name_of(op), "a changed key passes");
          --p.run_keys(1), --p.runs();
          expect(!passes(), perf::name_of(op), "a changed number of runs passes");
          ++p.runs();
        }
        for (auto const other : impl.operations) {
          bool const same = perf::restart_length(other) == perf::restart_length(op) &&
                            perf::is_inclusive(other) == perf::is_inclusive(op) &&
                            perf::reduces_segments(other) == perf::reduces_segments(op);
          if (same || op == operation::reduce || other == operation::reduce || !perf::takes(other, n)) continue;
          impl.prepare(other, p).call();
          expect(!passes(), perf::name_of(op), (std::string("the result passes of ") + perf::name_of(other)).c_str());
        }
      }
}

/// Points 0 to 3 are neighbours of each other, 5 to 8 as well, 4 of 3 and 5, and 9 of none. With cores of four points 4
/// may be in both groups.
void check_groups() {
  using labels = std::vector<std::int64_t>;
  perf::groups::host_rows const rows{
      {0, 3, 6, 9, 13, 15, 19, 22, 25, 28, 28},
      {1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2, 4, 3, 5, 4, 6, 7, 8, 5, 7, 8, 5, 6, 8, 5, 6, 7}};
  auto const dbscan = perf::groups::groups_of(rows, 4), friends = perf::groups::groups_of(rows, 0);
  auto const check_one = [](char const* name, bool passes, auto const& known, labels const& found, bool exact) {
    expect(perf::groups::verify(known, found, exact).empty() == passes, name,
           passes ? "a right result does not pass" : "a wrong result passes");
  };
  labels const all{0, 0, 0, 0, 0, 0, 0, 0, 0, 9}, two{0, 0, 0, 0, 0, 5, 5, 5, 5, -1};
  for (bool const exact : {true, false}) {
    check_one("friends", true, friends, all, exact);
    check_one("friends", false, friends, two, exact);
    check_one("friends", false, friends, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, exact);
    check_one("friends", false, friends, {0, 0, 0, 0, 0, 0, 0, 0, -1, 9}, exact);
    check_one("friends", false, friends, {0, 0, 0}, exact);
    check_one("dbscan", true, dbscan, two, exact);
    check_one("dbscan", false, dbscan, all, exact);
    check_one("dbscan", false, dbscan, {0, 0, 0, 0, -1, 5, 5, 5, 5, -1}, exact);
    check_one("dbscan", false, dbscan, {0, 0, 0, 0, 4, 5, 5, 5, 5, -1}, exact);
    check_one("dbscan", false, dbscan, {0, 0, 0, 0, 0, 5, 5, 5, 5, 5}, exact);
    check_one("dbscan", false, dbscan, {0, 0, 0, 0, 0, 5, 5, 5, 5, 9}, exact);
    // Other names, nobody beside a friend alone, the other group of the point between.
    check_one("friends", !exact, friends, {7, 7, 7, 7, 7, 7, 7, 7, 7, -1}, exact);
    check_one("dbscan", !exact, dbscan, {8, 8, 8, 8, 2, 2, 2, 2, 2, -1}, exact);
  }
}

}  // namespace

int main() {
  Kokkos::ScopeGuard const guard;
  check_packs();
  check_groups();
  check_scans<double>();
  check_scans<perf::matrix2x2>();
  for (auto const& w : lists::workloads) check_lists(w);
  return wrong == 0 ? 0 : 1;
}
