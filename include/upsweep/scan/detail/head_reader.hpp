// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/cpu_offset_heads.hpp>
#include <upsweep/scan/detail/cpu_segment_kernels.hpp>
#include <upsweep/scan/detail/segmented_sequences.hpp>

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

/// Makes bits of heads, on the host. read(begin, end, words) is called for ranges one behind the other.
/// Pre: begin < end.
template <class Heads>
class head_reader {
 public:
  head_reader(Heads const& heads, std::size_t, internal::instruction_set) : heads_(heads) {}

  void read(std::size_t begin, std::size_t end, std::uint64_t* words) {
    for (std::size_t i = begin, next = 0; i < end; i = next, ++words) {
      next = std::min(i + 64, end);
      std::uint64_t word = heads_.at(i);
      for (std::size_t k = 1; k < next - i; ++k) word |= std::uint64_t(heads_.starts(i + k)) << k;
      *words = word;
    }
  }

 private:
  Heads heads_;
};

template <class Mark>
  requires(!std::is_void_v<mark_word<Mark>>)
class head_reader<flag_heads<internal::contiguous_sequence<Mark const>>> {
  using heads_type = flag_heads<internal::contiguous_sequence<Mark const>>;
  using word = mark_word<Mark>;

 public:
  head_reader(heads_type const& heads, std::size_t, internal::instruction_set which)
      : flags_(reinterpret_cast<word const*>(heads.flags.data)), kernels_(head_kernels_for<word>(which)) {}

  /// Pre: the instruction set has kernels.
  void read(std::size_t begin, std::size_t end, std::uint64_t* words) {
    kernels_->of_flags(flags_ + begin, end - begin, words);
    if (begin == 0) words[0] |= 1;
  }

 private:
  word const* flags_;
  head_kernels<word> const* kernels_;
};

template <class Key>
  requires(!std::is_void_v<mark_word<Key>> && sizeof(Key) >= 4)
class head_reader<key_heads<internal::contiguous_sequence<Key const>, equal_keys>> {
  using heads_type = key_heads<internal::contiguous_sequence<Key const>, equal_keys>;
  using word = mark_word<Key>;

 public:
  head_reader(heads_type const& heads, std::size_t, internal::instruction_set which)
      : keys_(reinterpret_cast<word const*>(heads.keys.data)), kernels_(head_kernels_for<word>(which)) {}

  /// Pre: the instruction set has kernels.
  void read(std::size_t begin, std::size_t end, std::uint64_t* words) {
    word const before = begin == 0 ? static_cast<word>(~keys_[0]) : keys_[begin - 1];
    kernels_->of_keys(keys_ + begin, end - begin, before, words);
  }

 private:
  word const* keys_;
  head_kernels<word> const* kernels_;
};

/// Offsets become flags first, by stores that do not wait for each other.
/// The whole scan of 2^14 int32 with segments of mean length 1 / 4 / 37:
/// 13.7 / 7.4 / 3.5 us; with bits that are set in a register 18.2 / 9.2 / 3.5 us.
template <class Offsets>
class head_reader<cpu_offset_heads<Offsets>> {
 public:
  head_reader(cpu_offset_heads<Offsets> const& heads, std::size_t begin, internal::instruction_set which)
      : heads_(heads), next_(heads.first_from(begin)), kernels_(head_kernels_for<std::uint8_t>(which)) {}

  /// Not inlined: with the flags in the frame of the caller, loops there were up to three times as slow (g++ 16).
  [[gnu::noinline]] void read(std::size_t begin, std::size_t end, std::uint64_t* words) {
    constexpr std::size_t piece = 4096;
    std::uint8_t flags[piece];
    for (; begin < end; begin += piece, words += piece / 64) {
      std::size_t const n = std::min(piece, end - begin);
      std::fill_n(flags, (n + 63) / 64 * 64, std::uint8_t(0));
      flags[0] = begin == 0;
      for (; next_ <= heads_.segments; ++next_) {
        std::size_t const at = heads_.offset(next_) - begin;  // a wrong offset may be anywhere
        if (at >= n) break;
        flags[at] = 1;
      }
      if (kernels_ != nullptr) kernels_->of_flags(flags, n, words);
      else
        for (std::size_t i = 0; i < n; ++i) {
          if (i % 64 == 0) words[i / 64] = 0;
          words[i / 64] |= std::uint64_t(flags[i]) << (i % 64);
        }
    }
  }

 private:
  cpu_offset_heads<Offsets> heads_;
  std::size_t next_;
  head_kernels<std::uint8_t> const* kernels_;
};

}  // namespace upsweep::scan::detail
