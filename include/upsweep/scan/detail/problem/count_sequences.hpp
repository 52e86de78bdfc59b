// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/monoid.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

/// Counts as the scan sees them: 64 bits, one more than the caller gave (the total's place reads as 0), and a negative
/// one reported and read as 0.
template <class Counts>
struct count_sequence {
  using value_type = std::uint64_t;
  Counts counts;
  std::size_t n;
  internal::error_word errors;

  KOKKOS_FUNCTION value_type load(std::size_t i) const {
    if (i >= n) return 0;
    auto const count = counts.load(i);
    if constexpr (std::is_signed_v<typename Counts::value_type>) {
      if (count < 0) {
        errors.report(i, internal::data_error::negative_count);
        return 0;
      }
    }
    return static_cast<value_type>(count);
  }
};

/// Offsets as the scan writes them: what does not fit is reported and stored as the type's largest value. A sum that
/// has reached 2^64 - 1 has saturated, or is about to: it counts as not fitting in any type.
template <class Offsets>
struct offset_sequence {
  using value_type = std::uint64_t;
  using stored = typename Offsets::value_type;
  Offsets offsets;
  internal::error_word errors;

  KOKKOS_FUNCTION void store(std::size_t i, value_type sum) const {
    constexpr auto largest = static_cast<value_type>(internal::largest_value<stored>);
    bool const saturated = sum == internal::largest_value<value_type>;
    if (sum > largest || saturated) errors.report(i, internal::data_error::offset_overflow);
    offsets.store(i, static_cast<stored>(sum > largest ? largest : sum));
  }
};

template <class Counts>
count_sequence<Counts> make_count_sequence(Counts const& counts, std::size_t n, internal::error_word errors) {
  return {counts, n, errors};
}
template <class Offsets>
offset_sequence<Offsets> make_offset_sequence(Offsets const& offsets, internal::error_word errors) {
  return {offsets, errors};
}

}  // namespace upsweep::scan::detail
