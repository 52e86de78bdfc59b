// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/pack/detail/sort/key_order.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// SSE2 belongs to every x86-64 processor.
#if defined(__SSE2__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#define UPSWEEP_HAS_STREAMED_LINES 1
#include <emmintrin.h>
#endif

namespace upsweep::pack::detail {

// Scattered stores of a host thread, a cache line at a time.
//
// A store to one of 256 places of a large array costs a miss of cache and TLB; so elements are gathered in a line of
// their digit, which stays in the L1 cache, and a full line is stored at once. A slot of a line is the address's place
// in its line in memory, so that lines of keys are stored aligned; the first and the last of a digit may be parts.

/// Elements of a line: a cache line of keys, or fewer where the lines of all values would not fit in the L2 cache.
template <class Key, class Value>
constexpr std::size_t line_elements() {
  std::size_t elements = 64 / sizeof(Key);
  if constexpr (!std::is_same_v<Value, no_value>)
    while (elements > 1 && elements * sizeof(Value) > 256) elements /= 2;
  return elements;
}

/// Stores a full line of known length.
template <std::size_t Bytes>
void store_line(std::byte* to, std::byte const* from, [[maybe_unused]] bool streamed) {
#if defined(UPSWEEP_HAS_STREAMED_LINES)
  if constexpr (Bytes % 16 == 0) {
    if (streamed && reinterpret_cast<std::uintptr_t>(to) % 16 == 0) {
      for (std::size_t b = 0; b < Bytes; b += 16)
        _mm_stream_si128(reinterpret_cast<__m128i*>(to + b),
                         _mm_load_si128(reinterpret_cast<__m128i const*>(from + b)));
      return;
    }
  }
#endif
  std::memcpy(to, from, Bytes);
}

/// Makes streamed stores visible before what follows.
inline void finish_lines() {
#if defined(UPSWEEP_HAS_STREAMED_LINES)
  _mm_sfence();
#endif
}

/// The lines of one array. Elements travel as bytes: their type needs no constructor.
template <class T, std::size_t Elements>
class digit_lines {
 public:
  void put(std::size_t slot, T const& value) { std::memcpy(lines_ + slot * sizeof(T), &value, sizeof(T)); }
  /// The line of a digit, whole.
  void store(std::size_t digit, T* to, bool streamed) const {
    store_line<Elements * sizeof(T)>(reinterpret_cast<std::byte*>(to), lines_ + digit * Elements * sizeof(T), streamed);
  }
  /// Slots [first, last) of the line.
  void store_part(std::size_t digit, std::size_t first, std::size_t last, T* to) const {
    std::memcpy(static_cast<void*>(to), lines_ + (digit * Elements + first) * sizeof(T), (last - first) * sizeof(T));
  }

 private:
  alignas(64) std::byte lines_[digit_plan::largest_radix * Elements * sizeof(T)];
};
template <std::size_t Elements>
class digit_lines<no_value, Elements> {};

/// Sends elements [begin, end) to next[digit]++ each; full lines go past the caches if `streamed`. Pre: no other thread
/// has these places.
template <class Key, class Value>
void scatter_by_lines(std::size_t begin, std::size_t end, sort_arrays<Key, Value> const from,
                      sort_arrays<Key, Value> const to, key_digit<Key> const digit, std::size_t const* next,
                      bool streamed) {
  constexpr bool has_values = !std::is_same_v<Value, no_value>;
  constexpr std::size_t elements = line_elements<Key, Value>();
  constexpr std::size_t radix = digit_plan::largest_radix;
  digit_lines<Key, elements> keys;
  [[maybe_unused]] digit_lines<Value, elements> values;
  // Places are counted from the beginning of the line in which the output begins.
  std::size_t const phase = reinterpret_cast<std::uintptr_t>(to.keys) / sizeof(Key) % elements;
  std::size_t first[radix], at[radix];
  for (std::size_t d = 0; d < radix; ++d) first[d] = at[d] = next[d] + phase;

  auto const store_part = [&](std::size_t d, std::size_t low, std::size_t high) {
    if (low >= high) return;
    std::size_t const slot = low % elements;
    keys.store_part(d, slot, slot + (high - low), to.keys + (low - phase));
    if constexpr (has_values) values.store_part(d, slot, slot + (high - low), to.values + (low - phase));
  };
  for (std::size_t i = begin; i < end; ++i) {
    Key const key = from.keys[i];
    std::size_t const d = digit(key);
    std::size_t const place = at[d]++;
    std::size_t const slot = d * elements + place % elements;
    keys.put(slot, key);
    if constexpr (has_values) values.put(slot, from.values[i]);
    if (place % elements != elements - 1) continue;
    std::size_t const line = place + 1 - elements;
    if (place + 1 < elements || line < first[d]) {
      store_part(d, first[d], place + 1);
    } else {
      keys.store(d, to.keys + (line - phase), streamed);
      if constexpr (has_values) values.store(d, to.values + (line - phase), streamed);
    }
  }
  for (std::size_t d = 0; d < radix; ++d) store_part(d, std::max(first[d], at[d] - at[d] % elements), at[d]);
  if (streamed) finish_lines();
}

}  // namespace upsweep::pack::detail
