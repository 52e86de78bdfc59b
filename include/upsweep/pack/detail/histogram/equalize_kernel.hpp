// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// round(part / whole * factor), halves up, without a product that could overflow: the factor's bits from the highest
/// on, with the remainder of the division so far. Pre: part <= whole, 0 < whole < 2^63.
KOKKOS_FUNCTION inline std::uint64_t scaled(std::uint64_t part, std::uint64_t whole, std::uint32_t factor) {
  std::uint64_t quotient = 0, rest = 0;  // of part * (the bits so far) / whole
  auto const carry = [&] {
    if (rest < whole) return;
    rest -= whole;
    ++quotient;
  };
  for (int bit = 31; bit >= 0; --bit) {
    quotient *= 2;
    rest *= 2;
    carry();
    if ((factor >> bit & 1u) == 0) continue;
    rest += part;
    carry();
  }
  return quotient + (rest >= whole - rest ? 1 : 0);
}

/// The same where the factor times the whole is below 2^51. All numbers are exact then, and a quotient that is rounded
/// up to the next integer would need more bits than a double has: so the division of doubles, of which vectors have
/// one, is that of integers.
KOKKOS_FUNCTION inline std::uint64_t scaled_in_double(std::uint64_t part, std::uint64_t whole, std::uint32_t factor) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(
      static_cast<double>(static_cast<std::int64_t>(2 * part * factor + whole)) / static_cast<double>(2 * whole)));
}

/// The level of a bin, one thread per bin.
template <class Offsets, class Levels>
struct equalize_kernel {
  Offsets offsets;
  Levels levels;
  std::size_t bins;
  std::uint32_t largest;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const b = static_cast<std::size_t>(k);
    std::uint64_t const first = first_count(), whole = up_to(bins) - first;
    store(b, whole == 0 ? 0 : is_exact_in_double(whole) ? level<true>(b, first, whole) : level<false>(b, first, whole));
  }
  /// Of bins begin ... end - 1.
  void run(std::size_t begin, std::size_t end) const {
    auto const self = *this;  // what is stored may lie anywhere, but not in this
    std::uint64_t const first = self.first_count(), whole = self.up_to(bins) - first;
    if (whole == 0)
      for (std::size_t b = begin; b < end; ++b) self.store(b, 0);
    else if (is_exact_in_double(whole))
      for (std::size_t b = begin; b < end; ++b) self.store(b, self.template level<true>(b, first, whole));
    else
      for (std::size_t b = begin; b < end; ++b) self.store(b, self.template level<false>(b, first, whole));
  }

 private:
  KOKKOS_FUNCTION std::uint64_t up_to(std::size_t end) const { return static_cast<std::uint64_t>(offsets.load(end)); }
  KOKKOS_FUNCTION void store(std::size_t b, std::uint64_t level) const {
    levels.store(b, static_cast<typename Levels::value_type>(level));
  }
  KOKKOS_FUNCTION bool is_exact_in_double(std::uint64_t whole) const {
    return whole <= (std::uint64_t(1) << 51) / Kokkos::max(largest, std::uint32_t(1));
  }

  template <bool InDouble>
  KOKKOS_FUNCTION std::uint64_t level(std::size_t b, std::uint64_t first, std::uint64_t whole) const {
    std::uint64_t const here = up_to(b + 1), part = here <= first ? 0 : here - first;
    if constexpr (InDouble) return scaled_in_double(part, whole, largest);
    else return scaled(part, whole, largest);
  }

  /// The first offset that is not 0, by bisection, or 0.
  KOKKOS_FUNCTION std::uint64_t first_count() const {
    std::size_t zero = 0, last = bins;
    while (last - zero > 1) {
      std::size_t const middle = zero + (last - zero) / 2;
      if (up_to(middle) == 0) zero = middle;
      else last = middle;
    }
    return up_to(last);
  }
};

}  // namespace upsweep::pack::detail
