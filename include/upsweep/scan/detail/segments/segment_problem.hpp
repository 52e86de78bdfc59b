// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/segments/segment_bits.hpp>

#include <cstddef>

namespace upsweep::scan::detail {

/// Elements [begin, end).
struct segment_range {
  std::size_t begin = 0, end = 0;
};

/// What reduces segments: canonical sequences, the resolved monoid, and how many segments and elements there are.
template <class In, class Offsets, class Out, class Monoid>
struct segment_problem {
  using state = typename Monoid::value_type;
  using monoid_type = Monoid;
  using input_type = In;

  In in;
  Offsets offsets;
  Out out;
  Monoid monoid;
  std::size_t segments, n;
  internal::error_word errors;

  KOKKOS_FORCEINLINE_FUNCTION std::size_t offset(std::size_t s) const {
    return static_cast<std::size_t>(offsets.load(s));
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(std::size_t s, state const& sum) const {
    out.store(s, internal::lower<typename Out::value_type>(monoid, sum));
  }
  /// Reports offset s, if it is wrong; returns whether it is.
  KOKKOS_FUNCTION bool report(std::size_t s) const {
    bool const wrong = is_wrong_offset(offsets, s, segments, n);
    if (wrong) errors.report(s, internal::data_error::bad_segment_offset);
    return wrong;
  }
  /// The elements of segment s, whose offsets are these. None, if one is wrong, which is reported: offset s is judged
  /// with the segment before, if there is one; a negative one is large.
  KOKKOS_FORCEINLINE_FUNCTION segment_range range(std::size_t s, std::size_t begin, std::size_t end) const {
    bool const starts_wrong = s == 0 && begin != 0,
               ends_wrong = end < begin || end > n || (s + 1 == segments && end != n);
    if (!starts_wrong && !ends_wrong) return {begin, end};
    if (starts_wrong) errors.report(0, internal::data_error::bad_segment_offset);
    if (ends_wrong) errors.report(s + 1, internal::data_error::bad_segment_offset);
    return {};
  }
};

}  // namespace upsweep::scan::detail
