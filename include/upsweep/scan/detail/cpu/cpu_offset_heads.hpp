// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/scan/detail/segments/segment_bits.hpp>

#include <algorithm>
#include <cstddef>

namespace upsweep::scan::detail {

/// Heads from offsets, for CPU threads: each finds the segments of its own tiles. Offsets are checked apart from that,
/// a share for each tile; wrong ones lead to other segments, and to no memory of others.
template <class Offsets>
struct cpu_offset_heads {
  Offsets offsets;
  std::size_t segments, n;
  internal::error_word errors;

  std::size_t offset(std::size_t s) const { return static_cast<std::size_t>(offsets.load(s)); }

  /// The first offset that is not less than i; segments + 1 if there is none.
  std::size_t first_from(std::size_t i) const {
    std::size_t low = 0, count = segments + 1;
    while (count > 0) {
      std::size_t const half = count / 2;
      bool const less = offset(low + half) < i;
      low = less ? low + half + 1 : low;
      count = less ? count - half - 1 : half;
    }
    return low;
  }

  /// The last head in [begin, end); `end` if there is none.
  std::size_t last_head(std::size_t begin, std::size_t end) const {
    std::size_t const s = first_from(end);
    std::size_t const at = s > 0 ? offset(s - 1) : end;
    if (at >= begin && at < end) return at;
    return begin == 0 ? 0 : end;
  }

  /// Reports what is wrong with the offsets of share `part` of `parts`.
  void check(std::size_t part, std::size_t parts) const {
    std::size_t const share = (segments + parts) / parts, first = std::min(part * share, segments + 1);
    std::size_t const last = std::min(first + share, segments + 1);
    // Only where one is wrong is the first wrong one looked for.
    if (are_right_offsets(offsets, first, last, segments, n)) return;
    for (std::size_t s = first; s < last; ++s)
      if (is_wrong_offset(offsets, s, segments, n)) return errors.report(s, internal::data_error::bad_segment_offset);
  }
};

template <class Heads>
inline constexpr bool is_cpu_offset_heads = false;
template <class Offsets>
inline constexpr bool is_cpu_offset_heads<cpu_offset_heads<Offsets>> = true;

}  // namespace upsweep::scan::detail
