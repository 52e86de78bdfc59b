// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error_word.hpp>
#include <upsweep/base/index.hpp>
#include <upsweep/base/sequence.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::detail {

// Offsets of segments (CRS) to one bit an element, set where a segment starts: a scan then knows each head from one bit
// instead of a search in the offsets.
//
// Work to threads: `clear`, one word of 32 elements each; `mark`, one offset each. Shared state: the words, through atomic_or,
// which several empty segments at one element may repeat without harm. Traffic: n/8 bytes written, n_segments reads and
// atomics. Offsets are checked on the way: the first wrong one is reported, and none leads outside the words.

template <class Offsets>
struct segment_bits {
  struct clear {};
  struct mark {};

  Offsets offsets;
  std::size_t segments;
  std::size_t n;
  contiguous_sequence<std::uint32_t> words;
  error_word errors;

  static std::size_t words_for(std::size_t n) { return divide_up<std::size_t>(n, 32); }

  KOKKOS_FUNCTION void operator()(clear, std::size_t word) const { words.store(word, 0); }

  KOKKOS_FUNCTION void operator()(mark, std::size_t s) const {
    auto const offset = offsets.load(s);
    bool wrong = s == segments && !equals(offset, n);
    if (s == 0) wrong = wrong || !equals(offset, 0);
    else wrong = wrong || offset < offsets.load(s - 1);
    auto const at = static_cast<std::size_t>(offset);  // a negative one is greater than any n
    if (wrong || at > n) {
      errors.report(s, data_error::bad_segment_offset);
      return;
    }
    if (s < segments && at < n) Kokkos::atomic_or(words.data + at / 32, std::uint32_t(1) << (at % 32));
  }

 private:
  template <class Integer>
  KOKKOS_FUNCTION static bool equals(Integer offset, std::size_t value) {
    if constexpr (std::is_signed_v<Integer>) {
      if (offset < 0) return false;
    }
    return static_cast<std::size_t>(offset) == value;
  }
};

/// Launches both kernels.
template <class ExecutionSpace, class Offsets>
void make_segment_bits(ExecutionSpace const& space, segment_bits<Offsets> const& kernel, char const* function) {
  using bits = segment_bits<Offsets>;
  using index = Kokkos::IndexType<std::size_t>;
  Kokkos::parallel_for(label(function, "clear_heads"),
                       Kokkos::RangePolicy<ExecutionSpace, typename bits::clear, index>(space, 0, bits::words_for(kernel.n)),
                       kernel);
  Kokkos::parallel_for(label(function, "mark_heads"),
                       Kokkos::RangePolicy<ExecutionSpace, typename bits::mark, index>(space, 0, kernel.segments + 1), kernel);
}

}  // namespace upsweep::detail
