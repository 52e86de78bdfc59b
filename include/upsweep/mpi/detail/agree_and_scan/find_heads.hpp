// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/reduce.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace upsweep::mpi::detail {

/// The first head, and the place behind the last one: none is {largest, 0}.
struct head_range {
  std::size_t first = std::numeric_limits<std::size_t>::max();
  std::size_t behind_last = 0;
};
struct join_head_ranges {
  using value_type = head_range;
  KOKKOS_FUNCTION head_range identity() const { return {}; }
  KOKKOS_FUNCTION head_range operator()(head_range const& l, head_range const& r) const {
    return {l.first < r.first ? l.first : r.first, l.behind_last > r.behind_last ? l.behind_last : r.behind_last};
  }
};
template <class Marks>
struct head_at {
  Marks marks;
  std::size_t begin;
  KOKKOS_FUNCTION head_range operator()(std::size_t i) const {
    std::size_t const place = begin + i;
    return marks(place) ? head_range{place, place + 1} : head_range{};
  }
};

/// The first and the last of n elements for which marks(i) holds.
/// Cost: reads of the marks from the front to the first head and from the back to the last one, in reductions over
/// 65536, then eight times as many, and so on: where segments are short, two reductions, whatever n is.
/// Sync: waits for the instance.
template <class ExecutionSpace, class Marks>
head_range find_heads(ExecutionSpace const& space, std::size_t n, Marks const& marks, call_options const& options) {
  constexpr std::size_t first_window = 65536, growth = 8;
  auto const heads_between = [&](std::size_t begin, std::size_t end) {
    return upsweep::reduce<head_range>(space, end - begin, head_at<Marks>{marks, begin}, join_head_ranges{}, options);
  };
  head_range found;
  std::size_t seen = 0;
  for (std::size_t window = first_window; seen < n && found.behind_last == 0; window *= growth) {
    std::size_t const end = seen + std::min(window, n - seen);
    found = heads_between(seen, end);
    seen = end;
  }
  head_range last;
  for (std::size_t end = n, window = first_window; seen < end && last.behind_last == 0; window *= growth) {
    std::size_t const begin = std::max(seen, end - std::min(window, end));
    last = heads_between(begin, end);
    end = begin;
  }
  found.behind_last = std::max(found.behind_last, last.behind_last);
  return found;
}

}  // namespace upsweep::mpi::detail
