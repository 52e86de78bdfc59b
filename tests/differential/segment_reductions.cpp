// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Reductions of segments: by runs of equal keys, and by offsets.

#include "../oracle/values.hpp"
#include "operations.hpp"
#include "segmented_case.hpp"

#include <upsweep/pack/reduce_by_key.hpp>
#include <upsweep/scan/segmented_reduce.hpp>

namespace differential {
namespace {

std::vector<std::int64_t> offsets_of(std::vector<std::size_t> const& lengths) {
  std::vector<std::int64_t> offsets{0};
  for (std::size_t const length : lengths) offsets.push_back(offsets.back() + static_cast<std::int64_t>(length));
  return offsets;
}

template <class T, class Monoid>
void by_key(trial& t, Monoid const& op, std::vector<T> const& values) {
  auto lengths = segment_lengths(t, values.size());
  std::erase(lengths, std::size_t(0));
  std::vector<int> keys, expected_keys;
  for (std::size_t const length : lengths) {
    // Adjacent runs differ; runs further apart may have the same key.
    expected_keys.push_back(expected_keys.empty() || expected_keys.back() > 2 ? 0 : expected_keys.back() + 1);
    keys.insert(keys.end(), length, expected_keys.back());
  }
  auto const expected = oracle::segment_folds(op, values, offsets_of(lengths));
  auto const options = t.default_options();
  array_maker const make{t, false};
  auto names = make(keys);
  auto in = make(values);
  std::size_t const room = expected.size() + t.below(10);
  auto out_keys = make(std::vector<int>(room));
  auto out = make(std::vector<T>(room));
  auto found = static_cast<std::uint64_t>(expected.size());
  if (t.one_in(2)) {
    Kokkos::View<std::size_t, oracle::memory> const count("count");
    upsweep::reduce_by_key(t.space(), names.contiguous(), in.contiguous(), out_keys.contiguous(), out.contiguous(),
                           count, op, upsweep::equal_keys{}, options);
    t.space().fence();
    Kokkos::deep_copy(found, count);
  } else {
    found = upsweep::reduce_by_key(t.space(), names.contiguous(), in.contiguous(), out_keys.contiguous(),
                                   out.contiguous(), op, upsweep::equal_keys{}, options);
  }
  t.expect_equal(found, static_cast<std::uint64_t>(expected.size()), "the number of runs");
  out_keys.expect(expected_keys, "the keys of runs");
  out.expect(expected, "the reductions of runs");
  names.expect(keys, "the keys");
  in.expect(values, "the values");
}

template <class T, class Monoid>
void by_offsets(trial& t, Monoid const& op, std::vector<T> const& values) {
  auto const lengths = segment_lengths(t, values.size());
  auto const offsets = offsets_of(lengths);
  auto const expected = oracle::segment_folds(op, values, offsets);
  auto const options = t.default_options();
  array_maker const make{t, false};
  auto in = make(values);
  auto starts = make(offsets);
  auto out = make(std::vector<T>(expected.size()));
  upsweep::segmented_reduce(t.space(), in.contiguous(), upsweep::segment_offsets{starts.contiguous()}, out.contiguous(),
                            op, options);
  t.space().fence();
  if (options.workspace != nullptr) options.workspace->check(t.space());
  out.expect(expected, "the reductions of segments");
  in.expect(values, "the input");
}

std::vector<int> numbers(trial& t) {
  auto const n = t.size(std::size_t(1) << 20);
  return oracle::random_values<int>(n, -99, 99, static_cast<unsigned>(t.random()()));
}
/// Maps that may not change places.
std::vector<oracle::affine> maps(trial& t) {
  std::vector<oracle::affine> values(t.size(std::size_t(1) << 18));
  for (auto& m : values) m = {t.random()() | 1, t.random()()};
  return values;
}

}  // namespace

std::vector<operation> segment_reductions() {
  return {{"reduce_by_key_sum", [](trial& t) { by_key(t, upsweep::plus<int>{}, numbers(t)); }},
          {"reduce_by_key_maps", [](trial& t) { by_key(t, oracle::affine_maps{}, maps(t)); }},
          {"segmented_reduce_max", [](trial& t) { by_offsets(t, upsweep::max<int>{}, numbers(t)); }},
          {"segmented_reduce_maps", [](trial& t) { by_offsets(t, oracle::affine_maps{}, maps(t)); }}};
}

}  // namespace differential
