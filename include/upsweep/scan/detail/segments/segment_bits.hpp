// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/internal/sequence.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace upsweep::scan::detail {

// Offsets of segments (CRS) to one bit per element, set where a segment starts: a scan then knows each head from one
// bit instead of a search in the offsets.
//
// Work to threads: `clear`, one word of 32 elements each; `mark`, one offset each. Shared state: the words,
//   through atomic_or.
// Traffic: n/8 bytes written, n_segments reads, and an atomic for each segment that is not empty. Offsets are checked
// on the way: the first wrong one is reported, and none leads outside the words.

/// `Count` bits that begin with bit `begin` of words. Pre: Count <= 32.
template <int Count>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bits_of_stretch(std::uint32_t const* words, int begin) {
  int const word = begin / 32, shift = begin % 32;
  std::uint32_t found = words[word] >> shift;
  if (shift + Count > 32) found |= words[word + 1] << (32 - shift);
  return found & (0xffffffffu >> (32 - Count));
}

/// Whether offset s is not what segments of n elements have: the first is 0, none is less than the one
/// before, the last is n.
template <class Offsets>
KOKKOS_FUNCTION bool is_wrong_offset(Offsets const& offsets, std::size_t s, std::size_t segments, std::size_t n) {
  auto const offset = offsets.load(s);
  if constexpr (std::is_signed_v<decltype(offsets.load(s))>) {
    if (offset < 0) return true;
  }
  auto const at = static_cast<std::size_t>(offset);
  if (at > n || (s == segments && at != n)) return true;
  return s == 0 ? at != 0 : offset < offsets.load(s - 1);
}

/// Whether offsets first ... last - 1 are all right, without a branch for each. On CPUs.
template <class Offsets>
bool are_right_offsets(Offsets const& offsets, std::size_t first, std::size_t last, std::size_t segments,
                       std::size_t n) {
  if (first >= last) return true;
  bool wrong = is_wrong_offset(offsets, first, segments, n) || is_wrong_offset(offsets, last - 1, segments, n);
  for (std::size_t s = first + 1; s < last; ++s) wrong |= offsets.load(s) < offsets.load(s - 1);
  return !wrong;
}

template <class Offsets>
struct segment_bits {
  struct clear {};
  struct mark {};

  Offsets offsets;
  std::size_t segments;
  std::size_t n;
  internal::contiguous_sequence<std::uint32_t> words;
  internal::error_word errors;

  static std::size_t words_for(std::size_t n) { return internal::divide_up<std::size_t>(n, 32); }

  KOKKOS_FUNCTION void operator()(clear, std::size_t word) const { words.store(word, 0); }

  KOKKOS_FUNCTION void operator()(mark, std::size_t s) const {
    if (is_wrong_offset(offsets, s, segments, n)) return errors.report(s, internal::data_error::bad_segment_offset);
    auto const at = static_cast<std::size_t>(offsets.load(s));
    // Of equal offsets the first one alone: a million empty segments at one place would be as many atomics on one word,
    // one after the other. H200, 2026-11-23, 2^20 elements: 700 us.
    bool const is_new = s == 0 || static_cast<std::size_t>(offsets.load(s - 1)) != at;
    if (is_new && s < segments && at < n) Kokkos::atomic_or(words.data + at / 32, std::uint32_t(1) << (at % 32));
  }
};

/// Runs both kernels.
template <class ExecutionSpace, class Offsets>
void make_segment_bits(ExecutionSpace const& space, segment_bits<Offsets> const& kernel, std::string_view function,
                       std::string_view caller) {
  using bits = segment_bits<Offsets>;
  auto const run = [&](auto const tag, char const* part, std::size_t count) {
    using tag_type = std::remove_const_t<decltype(tag)>;
    auto const name = [&] { return internal::label(function, part, caller); };
    if constexpr (compat::is_gpu<ExecutionSpace>) {
      using policy = Kokkos::RangePolicy<ExecutionSpace, tag_type, Kokkos::IndexType<std::size_t>>;
      Kokkos::parallel_for(name(), policy(space, 0, count), kernel);
    } else {
      internal::run_on_cpu(space, name, count,
                           [kernel](std::int64_t i) { kernel(tag_type{}, static_cast<std::size_t>(i)); });
    }
  };
  run(typename bits::clear{}, "clear_heads", bits::words_for(kernel.n));
  run(typename bits::mark{}, "mark_heads", kernel.segments + 1);
}

}  // namespace upsweep::scan::detail
