// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::pack::detail {

/// What can be a key: integers and floating-point numbers of up to 64 bits.
template <class Key>
concept radix_key = std::is_arithmetic_v<Key> && sizeof(Key) <= 8;

/// The unsigned integer as long as a key.
template <class Key>
using key_word =
    std::conditional_t<sizeof(Key) == 1, std::uint8_t,
                       std::conditional_t<sizeof(Key) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>>>;

/// Keys as unsigned integers in the order that is asked for: sign bits are flipped, negative floating-point numbers
/// complemented, and everything once more for descending order, which so is stable, too. What is the same for all keys
/// is apart from the rest: order(key) is raw(key) ^ mask().
template <class Key>
struct key_order {
  using word = key_word<Key>;
  word flip;  ///< 0, or all ones for descending order

  KOKKOS_FORCEINLINE_FUNCTION word operator()(Key const& key) const { return static_cast<word>(raw(key) ^ mask()); }

  /// The bits of a key; of a floating-point number those of the integer with the same order.
  KOKKOS_FORCEINLINE_FUNCTION static word raw(Key const& key) {
    if constexpr (std::is_floating_point_v<Key>) {
      word const bits = Kokkos::bit_cast<word>(key);
      return static_cast<word>(bits ^ (static_cast<word>(word(0) - (bits >> top)) | sign));
    } else {
      return static_cast<word>(key);
    }
  }
  /// The key of these bits.
  KOKKOS_FORCEINLINE_FUNCTION static Key key_of(word raw) {
    if constexpr (std::is_floating_point_v<Key>) {
      auto const negative = static_cast<word>((raw >> top) - word(1));  // all ones for a negative number
      return Kokkos::bit_cast<Key>(static_cast<word>(raw ^ (negative | sign)));
    } else {
      return static_cast<Key>(raw);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION word mask() const {
    return std::is_signed_v<Key> && std::is_integral_v<Key> ? static_cast<word>(flip ^ sign) : flip;
  }

 private:
  static constexpr int top = 8 * static_cast<int>(sizeof(Key)) - 1;
  static constexpr word sign = static_cast<word>(word(1) << top);
};

/// How bits [first, last) are cut into digits of about equal length, at most eight bits each.
struct digit_plan {
  int first, last;
  int passes;
  int bits;  ///< of a digit; the last one may have fewer

  static constexpr int largest_bits = 8;
  static constexpr int largest_radix = 1 << largest_bits;
  static constexpr int largest_passes = 64 / largest_bits;

  static digit_plan of(int first, int last) {
    int const passes = internal::divide_up(last - first, largest_bits);
    return {first, last, passes, passes == 0 ? 0 : internal::divide_up(last - first, passes)};
  }
  KOKKOS_FUNCTION int shift(int pass) const { return first + pass * bits; }
  KOKKOS_FUNCTION int width(int pass) const { return last - shift(pass) < bits ? last - shift(pass) : bits; }
  KOKKOS_FUNCTION unsigned mask(int pass) const { return (1u << width(pass)) - 1; }
};

/// The digit of one pass.
template <class Key>
struct key_digit {
  key_order<Key> order;
  int shift;
  unsigned mask;

  KOKKOS_FORCEINLINE_FUNCTION unsigned operator()(Key const& key) const {
    return static_cast<unsigned>(order(key) >> shift) & mask;
  }
};

/// Stands for the values of a sort without any.
struct no_value {};

/// Keys, and values beside them, in contiguous memory.
template <class Key, class Value>
struct sort_arrays {
  Key* keys;
  Value* values;  ///< null where Value is no_value
};

}  // namespace upsweep::pack::detail
