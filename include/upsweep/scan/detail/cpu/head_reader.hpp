// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/cpu/cpu_offset_heads.hpp>
#include <upsweep/scan/detail/cpu/cpu_segment_kernels.hpp>
#include <upsweep/scan/detail/segments/segmented_sequences.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep {
struct equal_keys;
}

namespace upsweep::scan::detail {

/// Heads as bits, for elements from `begin` on: bit k % 64 of words[k / 64] is that of element begin + k.
struct word_heads {
  std::uint64_t const* words;
  std::size_t begin;
  bool starts(std::size_t i) const { return (words[(i - begin) / 64] >> ((i - begin) % 64) & 1u) != 0; }
  bool at(std::size_t i) const { return starts(i); }
};

/// The type of flags or keys for which head_kernels exist; void for others.
template <class Mark>
using mark_word = std::conditional_t<
    !std::is_integral_v<Mark>, void,
    std::conditional_t<sizeof(Mark) == 1, std::uint8_t,
                       std::conditional_t<sizeof(Mark) == 4, std::uint32_t,
                                          std::conditional_t<sizeof(Mark) == 8, std::uint64_t, void>>>>;

/// Bits of heads, one after the other.
template <class Heads>
void read_each(Heads const& heads, std::size_t begin, std::size_t end, std::uint64_t* words) {
  for (std::size_t i = begin, next = 0; i < end; i = next, ++words) {
    next = std::min(i + 64, end);
    std::uint64_t word = heads.at(i);
    for (std::size_t k = 1; k < next - i; ++k) word |= std::uint64_t(heads.starts(i + k)) << k;
    *words = word;
  }
}

/// Makes bits of heads, on the host. read(begin, end, words) is called for ranges one behind the other.
/// Pre: begin < end.
template <class Heads>
class head_reader {
 public:
  head_reader(Heads const& heads, std::size_t, internal::instruction_set) : heads_(heads) {}

  void read(std::size_t begin, std::size_t end, std::uint64_t* words) { read_each(heads_, begin, end, words); }

 private:
  Heads heads_;
};

template <class Mark>
void read_words(flag_heads<internal::contiguous_sequence<Mark const>> const& heads,
                head_kernels<mark_word<Mark>> const& kernels, std::size_t begin, std::size_t end,
                std::uint64_t* words) {
  kernels.of_flags(reinterpret_cast<mark_word<Mark> const*>(heads.flags.data) + begin, end - begin, words);
  if (begin == 0) words[0] |= 1;
}
template <class Key, class Equal>
void read_words(key_heads<internal::contiguous_sequence<Key const>, Equal> const& heads,
                head_kernels<mark_word<Key>> const& kernels, std::size_t begin, std::size_t end, std::uint64_t* words) {
  using word = mark_word<Key>;
  auto const* const keys = reinterpret_cast<word const*>(heads.keys.data);
  word const before = begin == 0 ? static_cast<word>(~keys[0]) : keys[begin - 1];
  kernels.of_keys(keys + begin, end - begin, before, words);
}

/// By the kernels, where the instruction set has any.
template <class Heads, class Mark>
class compiled_head_reader {
 public:
  compiled_head_reader(Heads const& heads, std::size_t, internal::instruction_set which)
      : heads_(heads), kernels_(head_kernels_for<mark_word<Mark>>(which)) {}

  void read(std::size_t begin, std::size_t end, std::uint64_t* words) {
    if (kernels_ == nullptr) read_each(heads_, begin, end, words);
    else read_words(heads_, *kernels_, begin, end, words);
  }

 private:
  Heads heads_;
  head_kernels<mark_word<Mark>> const* kernels_;
};

template <class Mark>
  requires(!std::is_void_v<mark_word<Mark>>)
class head_reader<flag_heads<internal::contiguous_sequence<Mark const>>>
    : public compiled_head_reader<flag_heads<internal::contiguous_sequence<Mark const>>, Mark> {
  using head_reader::compiled_head_reader::compiled_head_reader;
};
template <class Key>
  requires(!std::is_void_v<mark_word<Key>> && sizeof(Key) >= 4)
class head_reader<key_heads<internal::contiguous_sequence<Key const>, equal_keys>>
    : public compiled_head_reader<key_heads<internal::contiguous_sequence<Key const>, equal_keys>, Key> {
  using head_reader::compiled_head_reader::compiled_head_reader;
};

/// Offsets become flags first, by stores that do not wait for each other; those of long segments set their bits
/// directly, since then few of them are in one word. 2^14 elements on an AMD EPYC 9004, segments of mean length
/// 1 / 4 / 8 / 16 / 37 / 100, us: flags 9.4 / 2.5 / 1.4 / 0.88 / 0.54 / 0.40, bits 12.3 / 5.5 / 1.7 / 0.79 / 0.31 /
/// 0.11.
template <class Offsets>
class head_reader<cpu_offset_heads<Offsets>> {
  static constexpr std::size_t long_segment = 16;

 public:
  head_reader(cpu_offset_heads<Offsets> const& heads, std::size_t begin, internal::instruction_set which)
      : heads_(heads), next_(heads.first_from(begin)), kernels_(head_kernels_for<std::uint8_t>(which)) {}

  void read(std::size_t begin, std::size_t end, std::uint64_t* words) {
    if (heads_.segments <= heads_.n / long_segment) read_bits(begin, end, words);
    else read_flags(begin, end, words);
  }

 private:
  /// Calls mark(k) for each segment that starts at begin + k, k < n.
  template <class Mark>
  void for_each_head(std::size_t begin, std::size_t n, Mark const& mark) {
    // Copies: what mark() stores may lie anywhere, but not in these.
    auto const heads = heads_;
    std::size_t next = next_;
    if (begin == 0) mark(0);
    for (; next <= heads.segments; ++next) {
      std::size_t const at = heads.offset(next) - begin;  // a wrong offset may be anywhere
      if (at >= n) break;
      mark(at);
    }
    next_ = next;
  }

  void read_bits(std::size_t begin, std::size_t end, std::uint64_t* words) {
    std::fill_n(words, (end - begin + 63) / 64, std::uint64_t(0));
    for_each_head(begin, end - begin, [=](std::size_t at) { words[at / 64] |= std::uint64_t(1) << (at % 64); });
  }

  /// Not inlined: with the flags in the frame of the caller, loops there were up to three times as slow (g++ 16).
  [[gnu::noinline]] void read_flags(std::size_t begin, std::size_t end, std::uint64_t* words) {
    constexpr std::size_t piece = 4096;
    std::uint8_t flags[piece];
    for (; begin < end; begin += piece, words += piece / 64) {
      std::size_t const n = std::min(piece, end - begin);
      std::fill_n(flags, (n + 63) / 64 * 64, std::uint8_t(0));
      for_each_head(begin, n, [&](std::size_t at) { flags[at] = 1; });
      if (kernels_ != nullptr) kernels_->of_flags(flags, n, words);
      else
        for (std::size_t i = 0; i < n; ++i) {
          if (i % 64 == 0) words[i / 64] = 0;
          words[i / 64] |= std::uint64_t(flags[i]) << (i % 64);
        }
    }
  }

  cpu_offset_heads<Offsets> heads_;
  std::size_t next_;
  head_kernels<std::uint8_t> const* kernels_;
};

}  // namespace upsweep::scan::detail
