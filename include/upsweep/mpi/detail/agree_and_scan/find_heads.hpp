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

/// The heads among elements [begin, end).
template <class ExecutionSpace, class Marks>
head_range heads_between(ExecutionSpace const& space, std::size_t begin, std::size_t end, Marks const& marks,
                         call_options const& options) {
  return upsweep::reduce<head_range>(space, end - begin, head_at<Marks>{marks, begin}, join_head_ranges{}, options);
}

// A search begins with so many elements, and goes on with so many times as many.
inline constexpr std::size_t first_window = 65536, window_growth = 8;

/// The heads among elements [0, end), of n, that have any; without heads end is n.
struct first_heads {
  head_range heads;
  std::size_t end;
};

/// The first of n elements for which marks(i) holds.
/// Cost: reads of the marks up to it, in reductions over 65536, then eight times as many, and so on.
/// Sync: waits for the instance.
template <class ExecutionSpace, class Marks>
first_heads find_first_heads(ExecutionSpace const& space, std::size_t n, Marks const& marks,
                             call_options const& options) {
  first_heads found{{}, 0};
  for (std::size_t window = first_window; found.end < n && found.heads.behind_last == 0; window *= window_growth) {
    std::size_t const begin = found.end;
    found.end += std::min(window, n - begin);
    found.heads = heads_between(space, begin, found.end, marks, options);
  }
  return found;
}

/// The first and the last of n elements for which marks(i) holds.
/// Cost: reads from both sides, as find_first_heads: where segments are short, two reductions, whatever n is.
/// Sync: waits for the instance.
template <class ExecutionSpace, class Marks>
head_range find_heads(ExecutionSpace const& space, std::size_t n, Marks const& marks, call_options const& options) {
  auto found = find_first_heads(space, n, marks, options);
  head_range last;
  for (std::size_t end = n, window = first_window; found.end < end && last.behind_last == 0; window *= window_growth) {
    std::size_t const begin = std::max(found.end, end - std::min(window, end));
    last = heads_between(space, begin, end, marks, options);
    end = begin;
  }
  found.heads.behind_last = std::max(found.heads.behind_last, last.behind_last);
  return found.heads;
}

}  // namespace upsweep::mpi::detail
