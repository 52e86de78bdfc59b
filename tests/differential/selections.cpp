// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Calls that choose or divide elements by a predicate.

#include "operations.hpp"
#include "selection_case.hpp"

#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/pack/partition_copy.hpp>

#include <algorithm>

namespace differential {
namespace {

/// The room of an output: what is needed, more, or less, where `enough` becomes false.
std::size_t room(trial& t, std::size_t needed, bool& enough) {
  auto const r = t.one_in(6) && needed > 0 ? t.below(needed) : needed + (t.one_in(2) ? 0 : t.below(100));
  enough = r >= needed;
  t.note("room", r);
  return r;
}

/// Runs a call that throws overflow_error if and only if there is not enough room.
template <class Call>
void expect_overflow_unless(bool enough, Call const& call) {
  bool thrown = false;
  try {
    call();
  } catch (upsweep::overflow_error const&) {
    thrown = true;
  }
  if (thrown == enough)
    throw mismatch(enough ? "overflow_error although there is room" : "no overflow_error although there is no room");
}

template <class T>
void compact(trial& t) {
  keyed_case<T> const c(t);
  bool const strided = c.way == 0;
  auto const expected = c.chosen_values();
  array_maker const make{t, strided};
  auto in = make(c.values);
  bool enough = true;
  auto out = make(std::vector<T>(room(t, expected.size(), enough)));
  auto const call = [&](auto const&... count) {
    if (strided) return upsweep::compact(t.space(), in.strided(), out.strided(), count..., c.chosen, c.options);
    return upsweep::compact(t.space(), in.contiguous(), out.contiguous(), count..., c.chosen, c.options);
  };
  std::uint64_t found = expected.size();
  if (t.one_in(2)) {
    auto const count = device_count();
    call(count);
    t.space().fence();
    found = oracle::value_of(count);
  } else {
    expect_overflow_unless(enough, [&] { found = call(); });
  }
  t.expect_equal(found, static_cast<std::uint64_t>(expected.size()), "the count");
  in.expect(c.values, "the input");
  // Without enough room there are the first ones, or on an exception what was written before it.
  if (enough) out.expect(expected, "the chosen elements");
  else out.expect({}, "the output that is too short");
}

struct every_third {
  std::size_t rest;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return i % 3 == rest; }
};
void compact_indices(trial& t) {
  auto const n = t.size();
  every_third const chosen{t.below(4)};
  auto const options = t.default_options();
  std::vector<int> expected;
  for (std::size_t i = 0; i < n; ++i)
    if (chosen(i)) expected.push_back(static_cast<int>(i));
  auto out = array_maker{t, false}(std::vector<int>(expected.size()));
  auto const found = upsweep::compact_indices(t.space(), n, out.contiguous(), chosen, options);
  t.expect_equal(found, static_cast<std::uint64_t>(expected.size()), "the count");
  out.expect(expected, "the indices");
}

template <class T>
void partition(trial& t) {
  keyed_case<T> const c(t);
  std::vector<T> parts[3];
  moving::less<T> const second{c.chosen.bound + 200};
  for (auto const& x : c.values) parts[c.chosen(x) ? 0 : c.way != 2 || second(x) ? 1 : 2].push_back(x);
  array_maker const make{t, false};
  auto in = make(c.values);
  auto const expect_counts = [&](auto const& counts) {
    for (int k = 0; k < static_cast<int>(counts.size()); ++k)
      t.expect_equal(counts[static_cast<std::size_t>(k)], static_cast<std::uint64_t>(parts[k].size()), "a count");
  };
  if (c.way == 3) {
    auto front = make(std::vector<T>(parts[0].size())), back = make(std::vector<T>(parts[1].size()));
    expect_counts(upsweep::partition_copy(t.space(), in.contiguous(), front.contiguous(), back.contiguous(), c.chosen,
                                          c.options));
    front.expect(parts[0], "the chosen elements");
    back.expect(parts[1], "the other elements");
  } else {
    auto out = make(std::vector<T>(c.values.size()));
    auto const from = in.contiguous(), to = out.contiguous();
    if (c.way == 0) expect_counts(upsweep::partition(t.space(), from, to, c.chosen, c.options));
    if (c.way == 1) {
      expect_counts(upsweep::partition_rest_reversed(t.space(), from, to, c.chosen, c.options));
      std::reverse(parts[1].begin(), parts[1].end());
    }
    if (c.way == 2) expect_counts(upsweep::partition_three_way(t.space(), from, to, c.chosen, second, c.options));
    std::vector<T> expected;
    for (auto const& part : parts) expected.insert(expected.end(), part.begin(), part.end());
    out.expect(expected, "the parts");
  }
  in.expect(c.values, "the input");
}

}  // namespace

std::vector<operation> selections() {
  return {{"compact_int32", compact<int>},
          {"compact_16_bytes", compact<moving::tagged>},
          {"compact_indices", compact_indices},
          {"partition_int8", partition<std::int8_t>},
          {"partition_16_bytes", partition<moving::tagged>}};
}

}  // namespace differential
