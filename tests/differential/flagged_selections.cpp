// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Calls that choose or divide elements by flags.

#include "operations.hpp"
#include "selection_case.hpp"

#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/pack/partition_copy.hpp>

#include <algorithm>

namespace differential {
namespace {

template <class T, class Flag>
void by_flags(trial& t) {
  keyed_case<T> const c(t);
  std::vector<Flag> marks;
  std::vector<T> chosen, others;
  for (auto const& x : c.values) {
    // Any number that is not 0 chooses, negative ones too.
    marks.push_back(static_cast<Flag>(c.chosen(x) ? (t.one_in(2) ? 1 : -1) : 0));
    (c.chosen(x) ? chosen : others).push_back(x);
  }
  array_maker const make{t, false};
  auto in = make(c.values);
  auto flags = make(marks);
  auto const expect_counts = [&](auto const& counts) {
    t.expect_equal(counts[0], static_cast<std::uint64_t>(chosen.size()), "the first count");
    t.expect_equal(counts[1], static_cast<std::uint64_t>(others.size()), "the second count");
  };
  if (c.way == 0) {
    auto out = make(std::vector<T>(chosen.size() + t.below(10)));
    auto found = static_cast<std::uint64_t>(chosen.size());
    if (t.one_in(2)) {
      auto const count = device_count();
      upsweep::compact(t.space(), in.contiguous(), upsweep::flagged{flags.contiguous()}, out.contiguous(), count,
                       c.options);
      t.space().fence();
      found = oracle::value_of(count);
    } else {
      found = upsweep::compact(t.space(), in.contiguous(), upsweep::flagged{flags.contiguous()}, out.contiguous(),
                               c.options);
    }
    t.expect_equal(found, static_cast<std::uint64_t>(chosen.size()), "the count");
    out.expect(chosen, "the chosen elements");
  } else if (c.way == 1) {
    auto front = make(std::vector<T>(chosen.size())), back = make(std::vector<T>(others.size()));
    expect_counts(upsweep::partition_copy(t.space(), in.contiguous(), upsweep::flagged{flags.contiguous()},
                                          front.contiguous(), back.contiguous(), c.options));
    front.expect(chosen, "the chosen elements");
    back.expect(others, "the other elements");
  } else {
    auto out = make(std::vector<T>(c.values.size()));
    if (c.way == 2) {
      expect_counts(upsweep::partition(t.space(), in.contiguous(), upsweep::flagged{flags.contiguous()},
                                       out.contiguous(), c.options));
    } else {
      expect_counts(upsweep::partition_rest_reversed(t.space(), in.contiguous(), upsweep::flagged{flags.contiguous()},
                                                     out.contiguous(), c.options));
      std::reverse(others.begin(), others.end());
    }
    auto expected = chosen;
    expected.insert(expected.end(), others.begin(), others.end());
    out.expect(expected, "the parts");
  }
  in.expect(c.values, "the input");
  flags.expect(marks, "the flags");
}

}  // namespace

std::vector<operation> flagged_selections() {
  return {{"flags_int8", by_flags<int, std::int8_t>}, {"flags_int32_16_bytes", by_flags<moving::tagged, std::int32_t>}};
}

}  // namespace differential
