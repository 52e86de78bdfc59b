// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Rows of random lengths, packed by every strategy.

#include "../pack/ragged.hpp"
#include "array.hpp"
#include "operations.hpp"

#include <numeric>

namespace differential {
namespace {

std::vector<int> row_lengths(trial& t) {
  std::size_t const n = t.size(std::size_t(1) << 17);
  auto const shape = t.below(4);
  t.note("shape", shape);
  auto const seed = static_cast<unsigned>(t.random()());
  if (shape == 0) return oracle::random_values<int>(n, 0, 3, seed);
  if (shape == 1) return oracle::random_values<int>(n, 0, n > 10000 ? 20 : 300, seed);
  std::vector<int> lengths(n, 0);
  if (n > 0 && shape == 2) lengths[t.below(n)] = t.between(0, 200000);
  if (shape == 3)
    for (auto& l : lengths) l = t.one_in(20) ? t.between(0, 200) : t.between(0, 2);
  return lengths;
}

template <class T>
void pack(trial& t) {
  auto const lengths = row_lengths(t);
  std::size_t const total = std::accumulate(lengths.begin(), lengths.end(), std::size_t(0));
  upsweep::pack_options options{.workspace = t.workspace()};
  auto const strategy = t.below(3);
  t.note("strategy", strategy);
  options.strategy = static_cast<upsweep::pack_strategy>(strategy);
  if (options.strategy == upsweep::pack_strategy::fused || t.one_in(3))
    options.upper_bound = total + t.below(2 * total + 2);
  if (options.upper_bound) t.note("upper_bound", *options.upper_bound);
  ragged::expectation<T> const expected(lengths);
  auto const functor = ragged::of<T>(lengths);
  auto const rows = lengths.size();
  if (t.one_in(3)) {
    upsweep::plan_options const of_plan{.workspace = options.workspace};
    auto const plan = upsweep::count_lists<T>(t.space(), rows, functor, of_plan);
    t.expect_equal(plan.total, total, "the plan's total");
    std::size_t const cut = t.below(lengths.size() + 1);
    t.note("cut", cut);
    std::vector<T> found;
    for (auto const& [first, last] : {std::pair(std::size_t(0), cut), std::pair(cut, lengths.size())}) {
      Kokkos::View<T*, oracle::memory> const values("values", expected.offsets[last] - expected.offsets[first]);
      auto const count = upsweep::emit_lists_into(t.space(), plan, first, last, values, functor, of_plan);
      t.expect_equal(count, values.extent(0), "the records of a range of rows");
      auto const piece = oracle::to_host(values);
      found.insert(found.end(), piece.begin(), piece.end());
    }
    if (found != expected.values) throw mismatch("the records of two ranges of rows are wrong");
    return;
  }
  if (t.one_in(2)) {
    array_maker const make{t, false};
    auto offsets = make(std::vector<std::size_t>(lengths.size() + 1));
    // Not compared byte by byte: records have bytes that mean nothing.
    Kokkos::View<T*, oracle::memory> const values("values", total + t.below(10));
    auto const found = upsweep::pack_lists_into(t.space(), rows, offsets.contiguous(), values, functor, options);
    t.expect_equal(found, total, "the total");
    offsets.expect(expected.offsets, "the offsets");
    auto records = oracle::to_host(values);
    records.resize(total);
    if (records != expected.values) throw mismatch("the records are wrong");
    return;
  }
  auto const list = upsweep::pack_lists<T>(t.space(), rows, functor, options);
  if (oracle::to_host(list.offsets) != expected.offsets) throw mismatch("the offsets are wrong");
  if (oracle::to_host(list.values) != expected.values) throw mismatch("the records are wrong");
}

}  // namespace

std::vector<operation> packings() { return {{"pack_int32", pack<int>}, {"pack_24_bytes", pack<ragged::record>}}; }

}  // namespace differential
