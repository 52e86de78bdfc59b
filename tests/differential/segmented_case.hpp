// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "operations.hpp"
#include "scan_case.hpp"

#include <upsweep/scan/scan_by_key.hpp>
#include <upsweep/scan/segmented_scan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace differential {

/// Lengths of segments whose sum is n; some are 0.
inline std::vector<std::size_t> segment_lengths(trial& t, std::size_t n) {
  std::size_t const longest = std::size_t(1) << t.below(18);
  t.note("longest", longest);
  std::vector<std::size_t> lengths;
  for (std::size_t left = n; left > 0; left -= lengths.back()) lengths.push_back(std::min(left, t.below(longest + 1)));
  while (t.one_in(2)) lengths.push_back(0);
  return lengths;
}

template <class T, class Monoid>
std::vector<T> serial_by_segment(Monoid const& op, std::vector<T> const& values,
                                 std::vector<std::size_t> const& lengths, bool inclusive) {
  std::vector<T> out;
  auto at = values.begin();
  for (std::size_t const length : lengths) {
    std::vector<T> const segment(at, at + static_cast<std::ptrdiff_t>(length));
    auto state = op.identity();
    auto const scanned = serial_scan<T>(op, segment, state, inclusive);
    out.insert(out.end(), scanned.begin(), scanned.end());
    at += static_cast<std::ptrdiff_t>(length);
  }
  return out;
}

/// One scan of segments: by flags, by offsets or by keys.
template <class T, class Monoid>
void segmented(trial& t, Monoid const& op, std::vector<T> const& values) {
  auto const lengths = segment_lengths(t, values.size());
  bool const inclusive = t.one_in(2);
  auto const how = t.below(3);
  t.note("inclusive", inclusive);
  t.note("by", how);
  auto const choice = t.scan();
  auto const expected = serial_by_segment(op, values, lengths, inclusive);
  std::vector<std::uint8_t> flags;
  std::vector<std::int64_t> offsets{0};
  std::vector<int> keys;
  for (std::size_t const length : lengths) {
    for (std::size_t k = 0; k < length; ++k) flags.push_back(k == 0 ? 1 + t.below(200) : 0);
    // Adjacent segments differ; segments further apart may have the same key.
    keys.insert(keys.end(), length, keys.empty() || keys.back() > 2 ? 0 : keys.back() + 1);
    offsets.push_back(offsets.back() + static_cast<std::int64_t>(length));
  }
  array_maker const make{t, false};
  auto in = make(values);
  bool const in_place = t.one_in(3);
  t.note("in_place", in_place);
  auto other = make(std::vector<T>(values.size()));
  auto& out = in_place ? in : other;
  auto const from = in.contiguous();
  auto const to = out.contiguous();
  auto const& space = t.space();
  choice.with_options([&](auto const& options) {
    if (how == 0) {
      auto const heads = oracle::to_device(flags);
      if (inclusive) upsweep::segmented_inclusive_scan(space, from, upsweep::head_flags{heads}, to, op, options);
      else upsweep::segmented_exclusive_scan(space, from, upsweep::head_flags{heads}, to, op, options);
    } else if (how == 1) {
      upsweep::segment_offsets const starts{oracle::to_device(offsets)};
      if (inclusive) upsweep::segmented_inclusive_scan(space, from, starts, to, op, options);
      else upsweep::segmented_exclusive_scan(space, from, starts, to, op, options);
    } else {
      auto const names = oracle::to_device(keys);
      if (inclusive) upsweep::inclusive_scan_by_key(space, names, from, to, op, options);
      else upsweep::exclusive_scan_by_key(space, names, from, to, op, options);
    }
  });
  space.fence();
  out.expect(expected, "the segments");
}

}  // namespace differential
