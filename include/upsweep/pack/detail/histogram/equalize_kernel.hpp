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

/// The level of a bin, one thread per bin.
template <class Offsets, class Levels>
struct equalize_kernel {
  Offsets offsets;
  Levels levels;
  std::size_t bins;
  std::uint32_t largest;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const b = static_cast<std::size_t>(k);
    std::uint64_t const first = first_count(), whole = up_to(bins) - first, here = up_to(b + 1);
    std::uint64_t const level = whole == 0 || here <= first ? 0 : scaled(here - first, whole, largest);
    levels.store(b, static_cast<typename Levels::value_type>(level));
  }

 private:
  KOKKOS_FUNCTION std::uint64_t up_to(std::size_t end) const { return static_cast<std::uint64_t>(offsets.load(end)); }

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
