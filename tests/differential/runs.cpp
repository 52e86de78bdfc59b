// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Runs of equal neighbours, and how often bins occur.

#include "array.hpp"
#include "operations.hpp"

#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/run_length.hpp>
#include <upsweep/pack/unique.hpp>

#include <algorithm>

namespace differential {
namespace {

std::vector<int> runs_of(trial& t) {
  std::size_t const n = t.size(std::size_t(1) << 20), longest = std::size_t(1) << t.below(16);
  t.note("longest", longest);
  std::vector<int> values;
  while (values.size() < n) {
    std::size_t const length = std::min(n - values.size(), 1 + t.below(longest));
    values.insert(values.end(), length, t.between(0, 5));
  }
  return values;
}

void unique(trial& t) {
  auto const values = runs_of(t);
  auto const options = t.default_options();
  auto expected = values;
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  array_maker const make{t, false};
  auto in = make(values), out = make(std::vector<int>(expected.size() + t.below(10)));
  auto const found = upsweep::unique(t.space(), in.contiguous(), out.contiguous(), upsweep::equal_keys{}, options);
  t.expect_equal(found, static_cast<std::uint64_t>(expected.size()), "the count");
  out.expect(expected, "the first elements of runs");
}

void run_length(trial& t) {
  auto const values = runs_of(t);
  auto const options = t.default_options();
  std::vector<int> expected;
  std::vector<std::int64_t> expected_lengths;
  for (int const x : values) {
    if (expected.empty() || expected.back() != x) {
      expected.push_back(x);
      expected_lengths.push_back(0);
    }
    ++expected_lengths.back();
  }
  array_maker const make{t, false};
  std::size_t const room = expected.size() + t.below(10);
  auto in = make(values), firsts = make(std::vector<int>(room));
  auto lengths = make(std::vector<std::int64_t>(room));
  auto const found = upsweep::run_length(t.space(), in.contiguous(), firsts.contiguous(), lengths.contiguous(),
                                         upsweep::equal_keys{}, options);
  t.expect_equal(found, static_cast<std::uint64_t>(expected.size()), "the count");
  firsts.expect(expected, "the values of runs");
  lengths.expect(expected_lengths, "the lengths of runs");
}

/// The bin of an index: what a call without a View counts.
struct bin_of_value {
  Kokkos::View<int const*, oracle::memory, Kokkos::MemoryUnmanaged> values;
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return values(i); }
};

/// Counts alone, of bins that are loaded or computed; enough bins now and then that no team's scratch holds them.
template <class Count>
void histogram_counts(trial& t) {
  std::size_t const n = t.size(), bins = t.one_in(3) ? 8000 + t.below(400) : 1 + t.below(300);
  bool const computed = t.one_in(2);
  t.note("bins", bins);
  t.note("computed", computed);
  auto const values = oracle::random_values<int>(n, -3, static_cast<int>(t.one_in(4) ? 0 : bins + 3),
                                                 static_cast<unsigned>(t.random()()));
  std::vector<Count> counts(bins);
  for (int const x : values)
    if (x >= 0 && x < static_cast<int>(bins)) ++counts[static_cast<std::size_t>(x)];
  auto const options = t.default_options();
  array_maker const make{t, false};
  auto in = make(values);
  auto found = make(std::vector<Count>(bins, 7));
  if (computed) upsweep::histogram(t.space(), n, bin_of_value{in.contiguous()}, found.contiguous(), options);
  else upsweep::histogram(t.space(), in.contiguous(), found.contiguous(), options);
  t.space().fence();
  found.expect(counts, "the counts");
}

void histogram(trial& t) {
  std::size_t const n = t.size(), bins = t.one_in(3) ? 4000 + t.below(200) : 1 + t.below(300);
  t.note("bins", bins);
  // Some elements are outside of the bins.
  auto const values = oracle::random_values<int>(n, -3, static_cast<int>(t.one_in(4) ? 0 : bins + 3),
                                                 static_cast<unsigned>(t.random()()));
  std::vector<std::uint64_t> counts(bins), offsets{0};
  for (int const x : values)
    if (x >= 0 && x < static_cast<int>(bins)) ++counts[static_cast<std::size_t>(x)];
  for (auto const c : counts) offsets.push_back(offsets.back() + c);
  auto const options = t.default_options();
  array_maker const make{t, false};
  auto in = make(values);
  auto found = make(std::vector<std::uint64_t>(bins)), starts = make(std::vector<std::uint64_t>(bins + 1));
  upsweep::histogram(t.space(), in.contiguous(), found.contiguous(), starts.contiguous(), options);
  t.space().fence();
  found.expect(counts, "the counts");
  starts.expect(offsets, "the offsets");
}

}  // namespace

std::vector<operation> runs() {
  return {{"unique", unique},
          {"run_length", run_length},
          {"histogram", histogram},
          {"histogram_counts_32", histogram_counts<std::uint32_t>},
          {"histogram_counts_64", histogram_counts<std::int64_t>}};
}

}  // namespace differential
