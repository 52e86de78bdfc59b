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
  auto const values = keyed<T>(t, t.size(std::size_t(1) << 20));
  moving::less<T> const stays{bound(t)};
  auto const how = t.below(4);
  t.note("how", how);
  auto const options = t.options(values.size());
  std::vector<Flag> marks;
  std::vector<T> chosen, others;
  for (auto const& x : values) {
    // Any number that is not 0 chooses, negative ones too.
    marks.push_back(static_cast<Flag>(stays(x) ? (t.one_in(2) ? 1 : -1) : 0));
    (stays(x) ? chosen : others).push_back(x);
  }
  array_maker const make{t, false};
  auto in = make(values);
  auto flags = make(marks);
  auto const expect_counts = [&](auto const& counts) {
    t.expect_equal(counts[0], static_cast<std::uint64_t>(chosen.size()), "the first count");
    t.expect_equal(counts[1], static_cast<std::uint64_t>(others.size()), "the second count");
  };
  if (how == 0) {
    auto out = make(std::vector<T>(chosen.size() + t.below(10)));
    auto found = static_cast<std::uint64_t>(chosen.size());
    if (t.one_in(2)) {
      auto const count = device_count();
      upsweep::compact(t.space(), in.contiguous(), upsweep::flagged{flags.contiguous()}, out.contiguous(), count, options);
      t.space().fence();
      found = moving::fetch(count);
    } else {
      found = upsweep::compact(t.space(), in.contiguous(), upsweep::flagged{flags.contiguous()}, out.contiguous(), options);
    }
    t.expect_equal(found, static_cast<std::uint64_t>(chosen.size()), "the count");
    out.expect(chosen, "the chosen elements");
  } else if (how == 1) {
    auto front = make(std::vector<T>(chosen.size())), back = make(std::vector<T>(others.size()));
    expect_counts(upsweep::partition_copy(t.space(), in.contiguous(), upsweep::flagged{flags.contiguous()}, front.contiguous(), back.contiguous(), options));
    front.expect(chosen, "the chosen elements");
    back.expect(others, "the other elements");
  } else {
    auto out = make(std::vector<T>(values.size()));
    if (how == 2) {
      expect_counts(upsweep::partition(t.space(), in.contiguous(), upsweep::flagged{flags.contiguous()}, out.contiguous(), options));
    } else {
      expect_counts(upsweep::partition_rest_reversed(t.space(), in.contiguous(), upsweep::flagged{flags.contiguous()}, out.contiguous(), options));
      std::reverse(others.begin(), others.end());
    }
    auto expected = chosen;
    expected.insert(expected.end(), others.begin(), others.end());
    out.expect(expected, "the parts");
  }
  in.expect(values, "the input");
  flags.expect(marks, "the flags");
}

}  // namespace

std::vector<operation> flagged_selections() {
  return {{"flags_int8", by_flags<int, std::int8_t>}, {"flags_int32_16_bytes", by_flags<moving::tagged, std::int32_t>}};
}

}  // namespace differential
