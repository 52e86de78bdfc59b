// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Reductions, and counts that become offsets with a total.

#include "../oracle/monoids.hpp"
#include "operations.hpp"
#include "scan_case.hpp"

#include <upsweep/pack/load_balance.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/reduce.hpp>

#include <numeric>

namespace differential {
namespace {

template <class Monoid, class T>
void reduced(trial& t, Monoid const& op, std::vector<T> const& values) {
  auto const options = t.default_options();
  auto state = op.identity();
  for (auto const& x : values) state = op(state, lifted(op, x));
  auto in = array_maker{t, false}(values);
  auto const found = upsweep::reduce<typename Monoid::value_type>(t.space(), in.contiguous(), op, options);
  if (!(found == state)) throw mismatch("the reduction is wrong");
  in.expect(values, "the input");
}

void reduce_sum(trial& t) {
  auto const n = t.size();
  reduced(t, upsweep::plus<std::int64_t>{},
          oracle::random_values<int>(n, -2000000000, 2000000000, static_cast<unsigned>(t.random()())));
}
void reduce_runs(trial& t) {
  std::vector<oracle::run> values(t.size(std::size_t(1) << 19));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = {std::int64_t(i), std::int64_t(i) + 1};
  reduced(t, oracle::adjacent_only{}, values);
}

template <class Offset>
void offsets_of(trial& t) {
  auto const n = t.size(std::size_t(1) << 20);
  auto const counts = oracle::random_values<int>(n, 0, t.one_in(2) ? 3 : 2000, static_cast<unsigned>(t.random()()));
  auto const choice = t.scan();
  std::vector<Offset> expected{0};
  for (int const c : counts) expected.push_back(static_cast<Offset>(expected.back() + static_cast<Offset>(c)));
  array_maker const make{t, false};
  auto in = make(counts);
  auto out = make(std::vector<Offset>(n + 1));
  std::size_t total = 0;
  bool const wanted = t.one_in(2);
  t.note("total", wanted);
  choice.with_options([&](auto const& options) {
    if (wanted) upsweep::counts_to_offsets(t.space(), in.contiguous(), out.contiguous(), upsweep::into{total}, options);
    else upsweep::counts_to_offsets(t.space(), in.contiguous(), out.contiguous(), options);
  });
  t.space().fence();
  if (choice.workspace != nullptr) choice.workspace->check(t.space());
  out.expect(expected, "the offsets");
  if (wanted) t.expect_equal(total, static_cast<std::uint64_t>(expected.back()), "the total");
}

void rows_of_items(trial& t) {
  auto const m = t.size(std::size_t(1) << 17);
  auto const lengths =
      oracle::random_values<int>(m, t.between(-20, 0), t.between(1, 12), static_cast<unsigned>(t.random()()));
  std::vector<std::uint32_t> offsets{0};
  std::vector<int> expected;
  for (std::size_t r = 0; r < m; ++r) {
    for (int k = 0; k < lengths[r]; ++k) expected.push_back(static_cast<int>(r));
    offsets.push_back(static_cast<std::uint32_t>(expected.size()));
  }
  auto const options = t.default_options();
  array_maker const make{t, false};
  auto in = make(offsets);
  auto out = make(std::vector<int>(expected.size()));
  upsweep::load_balance(t.space(), in.contiguous(), out.contiguous(), options);
  t.space().fence();
  if (options.workspace != nullptr) options.workspace->check(t.space());
  out.expect(expected, "the rows");
}

}  // namespace

std::vector<operation> reductions() {
  return {{"reduce_sum", reduce_sum},
          {"reduce_runs", reduce_runs},
          {"offsets_32", offsets_of<std::uint32_t>},
          {"offsets_64", offsets_of<std::size_t>},
          {"load_balance", rows_of_items}};
}

}  // namespace differential
