// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/masks/hits.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// Elements, known by numbers from 0 on, in the order of their ids. Words that hold id and number are sorted.
template <class Real>
class id_order {
 public:
  static constexpr int most = most_sorted;
  static constexpr int room = most + 48;  ///< arrays of a power of two would meet in the same places of a cache

  /// Numbers that stand for no element.
  struct gap {
    int begin, end;
  };

  explicit id_order(cpu_hit_kernels<Real> const& kernels) : kernels_(kernels) {}

  /// Orders the numbers from 0 to n - 1 but those in gaps, which are in ascending order. id(k) is called for them, too,
  /// and is the id of another number. before(a, b) orders elements whose ids are equal. Pre: 0 < n <= most.
  template <class Id, class Before>
  void sort(int n, gap const* gaps, int gap_count, Id const& id, Before const& before) {
    auto least = id(0), largest = least;
    for (int k = 0; k < n; ++k) {
      least = std::min(least, id(k));
      largest = std::max(largest, id(k));
    }
    least_ = static_cast<std::uint64_t>(std::int64_t(least));
    size_ = n;
    for (int g = 0; g < gap_count; ++g) size_ -= gaps[g].end - gaps[g].begin;
    number_bits_ = std::bit_width(static_cast<unsigned>(n - 1));
    int const bits = std::bit_width(static_cast<std::uint64_t>(std::int64_t(largest)) - least_) + number_bits_;
    // One bit more is that of gaps alone.
    if (bits < 32) return sort_words(words_.narrow, other_.narrow, kernels_.sort, bits, n, gaps, gap_count, id, before);
    if (bits < 64)
      return sort_words(words_.wide, other_.wide, kernels_.sort_wide, bits, n, gaps, gap_count, id, before);
    // Ids so far apart that no word holds both.
    int r = 0, begin = 0;
    for (int g = 0; g < gap_count; begin = gaps[g++].end)
      for (int k = begin; k < gaps[g].begin; ++k) number_[r++] = k;
    for (int k = begin; k < n; ++k) number_[r++] = k;
    std::sort(number_, number_ + size_, [&](int a, int b) { return id(a) != id(b) ? id(a) < id(b) : before(a, b); });
  }

  /// How many were ordered, and their numbers in order: the caller may change them.
  int size() const { return size_; }
  int* numbers() { return number_; }
  int const* numbers() const { return number_; }
  /// Memory for `room` numbers each that is free behind sort().
  int* spare(int which) { return other_.spare[which]; }
  int const* spare(int which) const { return other_.spare[which]; }

  /// Ids in order, to which `add` is added. Pre: they are ints, and nothing was changed since sort().
  void ids(int add, int* out) const {
    int const first = static_cast<int>(static_cast<std::int64_t>(least_)) + add, n = size_, bits = number_bits_;
    if (is_narrow_)
      for (int r = 0; r < n; ++r) out[r] = static_cast<int>(words_.narrow[r] >> bits) + first;
    else
      for (int r = 0; r < n; ++r) out[r] = static_cast<int>(words_.wide[r] >> bits) + first;
  }

 private:
  template <class Word, class Sort, class Id, class Before>
  void sort_words(Word* of, Word* other, Sort const& sort, int bits, int n, gap const* gaps, int gap_count,
                  Id const& id, Before const& before) {
    Word const least = static_cast<Word>(least_);
    int const number_bits = number_bits_, size = size_;
    is_narrow_ = sizeof(Word) == 4;
    for (int k = 0; k < n; ++k)
      of[k] = static_cast<Word>(static_cast<Word>(id(k)) - least) << number_bits | static_cast<Word>(k);
    // More than any word, and as few bits as can be: each eight take a pass of portable code.
    Word const last = Word(1) << bits;
    for (int g = 0; g < gap_count; ++g) std::fill(of + gaps[g].begin, of + gaps[g].end, last);
    sort(of, n, number_bits, other);
    Word const mask = (Word(1) << number_bits) - 1;
    Word some_equal = 0;
    for (int r = 0; r < size; ++r) number_[r] = static_cast<int>(of[r] & mask);
    for (int r = 1; r < size; ++r) some_equal |= (of[r] ^ of[r - 1]) <= mask ? 1 : 0;
    if (some_equal == 0) return;
    for (int r = 0; r < size;) {
      int end = r + 1;
      while (end < size && (of[end] ^ of[r]) <= mask) ++end;
      if (end > r + 1) std::sort(number_ + r, number_ + end, before);
      r = end;
    }
  }

  cpu_hit_kernels<Real> const& kernels_;
  std::uint64_t least_ = 0;
  int size_ = 0, number_bits_ = 0;
  bool is_narrow_ = true;
  int number_[room];
  union {
    std::uint32_t narrow[room];
    std::uint64_t wide[room];
  } words_;
  union {
    std::uint32_t narrow[room];
    std::uint64_t wide[room];
    int spare[2][room];
  } other_;
};

}  // namespace upsweep::neighbors::detail
