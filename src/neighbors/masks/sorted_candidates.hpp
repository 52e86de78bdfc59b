// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "candidates.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>

namespace upsweep::neighbors::detail {

/// The candidates of a group in the order of sorted rows, by (id, image). They are sorted once for all particles of the
/// group; then a row is written in order where its bits are moved to the ranks of their candidates. Sorting the row's
/// neighbours instead takes three times as long.
template <class Real>
class sorted_candidates {
 public:
  static constexpr int most = 8192;  ///< candidates: what the second-level cache holds

  sorted_candidates(pair_rules<Real> const& rules, int first_candidate)
      : rules_(rules), first_candidate_(first_candidate) {}

  int size() const { return size_; }
  bool has_room_for(int n) const { return size_ + n <= most; }
  /// Whether one of them is in an image.
  bool shifted() const { return shifted_; }

  /// The n particles at places from k on become candidates, all in one image.
  void add(image shift, int k, int n) {
    shifted_ = shifted_ || !(shift == image(0, 0, 0));
    for (int c = 0; c < n; ++c) {
      place_[size_ + c] = k + c;
      shift_[size_ + c] = shift;
    }
    size_ += n;
  }

  void sort() {
    if (size_ == 0) return;
    find_range();
    int const bits = static_cast<int>(std::bit_width(range_));
    if (bits <= 64 - number_bits) sort_keys(bits);
    else sort_numbers();
    for (int r = 0; r < size_; ++r) {
      int const c = sorted_[r];
      rank_[c] = r;
      index_[r] = rules_.order[place_[c]] - first_candidate_;
      std::memcpy(sorted_shift_ + r, shift_ + c, sizeof(int));
      sorted_[r] = place_[c];  // which candidate has the rank is not asked again
    }
  }

  int const* ranks() const { return rank_; }
  /// By rank: what rows hold of a candidate, its index and the word that its image is.
  int const* indices() const { return index_; }
  int const* shifts() const { return sorted_shift_; }
  /// By rank: the place of a candidate.
  int const* places() const { return sorted_; }

 private:
  static constexpr int number_bits = std::bit_width(static_cast<unsigned>(most - 1));
  static_assert(sizeof(image) == sizeof(int));

  void find_range() {
    std::int64_t least = rules_.id(place_[0]), largest = least;
    for (int c = 1; c < size_; ++c) {
      std::int64_t const id = rules_.id(place_[c]);
      least = std::min(least, id);
      largest = std::max(largest, id);
    }
    least_ = static_cast<std::uint64_t>(least);
    range_ = static_cast<std::uint64_t>(largest) - least_;
  }
  std::uint64_t key(int c) const { return static_cast<std::uint64_t>(rules_.id(place_[c])) - least_; }

  /// Radix sort of words that hold the key above the number of the candidate.
  void sort_keys(int bits) {
    constexpr int widest = 10;
    int const passes = (bits + widest - 1) / widest, width = passes == 0 ? 0 : (bits + passes - 1) / passes;
    std::uint64_t* from = words_;
    std::uint64_t* to = other_words_;
    for (int c = 0; c < size_; ++c) from[c] = key(c) << number_bits | static_cast<std::uint64_t>(c);
    for (int pass = 0; pass < passes; ++pass, std::swap(from, to)) {
      int const low = number_bits + pass * width;
      std::uint64_t const mask = (std::uint64_t(1) << width) - 1;
      int begin[(1 << widest) + 1];
      std::fill_n(begin, (std::size_t(1) << width) + 1, 0);
      for (int c = 0; c < size_; ++c) ++begin[(from[c] >> low & mask) + 1];
      std::partial_sum(begin, begin + (1 << width), begin);
      for (int c = 0; c < size_; ++c) to[begin[from[c] >> low & mask]++] = from[c];
    }
    for (int r = 0; r < size_; ++r) sorted_[r] = static_cast<int>(from[r] & (most - 1));
    // Images of one particle stand side by side now, and ghosts of one owner.
    for (int r = 0; r < size_;) {
      int end = r + 1;
      while (end < size_ && (from[end] ^ from[r]) >> number_bits == 0) ++end;
      if (end > r + 1) std::sort(sorted_ + r, sorted_ + end, before());
      r = end;
    }
  }

  /// For ids so far apart that no word holds both.
  void sort_numbers() {
    std::iota(sorted_, sorted_ + size_, 0);
    std::sort(sorted_, sorted_ + size_, before());
  }

  auto before() const {
    return [this](int a, int b) {
      if (key(a) != key(b)) return key(a) < key(b);
      if (!(shift_[a] == shift_[b])) return shift_[a] < shift_[b];
      return rules_.order[place_[a]] < rules_.order[place_[b]];
    };
  }

  pair_rules<Real> const& rules_;
  int first_candidate_;
  int size_ = 0;
  bool shifted_ = false;
  std::uint64_t least_ = 0, range_ = 0;
  int place_[most], sorted_[most], index_[most], sorted_shift_[most];
  int rank_[most + 32];  ///< whole vectors are read
  image shift_[most];
  std::uint64_t words_[most], other_words_[most];
};

}  // namespace upsweep::neighbors::detail
