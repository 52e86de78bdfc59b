// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "candidates.hpp"
#include "sorted_bits.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace upsweep::neighbors::detail {

/// The candidates of a group in the order of sorted rows, by (id, image). They are sorted once for all particles of the
/// group; then the bits of its rows are put into that order (sorted_bits.hpp), and rows are written as others are.
///
/// A candidate is known by the bit that it has in the group's words, where each chunk begins with a new word.
template <class Real>
class sorted_candidates {
 public:
  static constexpr int most = most_sorted;

  /// needs_places, needs_shifts: whether places() and shifts() will be asked for.
  sorted_candidates(pair_rules<Real> const& rules, cpu_hit_kernels<Real> const& kernels, int first_candidate,
                    bool needs_places, bool needs_shifts)
      : rules_(rules),
        kernels_(kernels),
        first_candidate_(first_candidate),
        needs_places_(needs_places),
        needs_shifts_(needs_shifts) {}

  int size() const { return size_; }
  bool has_room_for(int n) const { return bits_ + n <= most; }
  /// Whether one of them is in an image.
  bool shifted() const { return shifted_; }

  /// The n particles at places from k on become candidates, all in one image.
  void add(image shift, int k, int n) {
    shifted_ = shifted_ || !(shift == image(0, 0, 0));
    std::copy_n(rules_.order + k, n, particle_ + bits_);
    std::iota(place_ + bits_, place_ + bits_ + n, k);
    std::fill_n(shift_ + bits_, n, shift);
    size_ += n;
    bits_ += n;
  }
  /// Returns the number of words of all that were added. The next candidate begins a new one.
  int end_chunk() {
    int const end = 32 * words_for(bits_);
    if (bits_ < end) gap_[gaps_++] = {bits_, end};
    for (; bits_ < end; ++bits_) particle_[bits_] = particle_[bits_ - 1], place_[bits_] = place_[bits_ - 1];
    return end / 32;
  }

  /// Pre: there are some, and the last chunk has ended.
  void sort() {
    number_bits_ = std::bit_width(static_cast<unsigned>(bits_ - 1));
    find_range();
    int const bits = static_cast<int>(std::bit_width(range_)) + number_bits_;
    // The highest bit is that of gaps alone.
    if (bits < 32) sort_words(words_.narrow, other_.narrow, kernels_.sort);
    else if (bits < 64) sort_words(words_.wide, other_.wide, kernels_.sort_wide);
    else sort_numbers();
    name();
  }

  /// By rank: the column of a candidate's bits (sorted_bits.hpp), and enough others to fill a word.
  int const* columns() const { return column_; }
  /// By rank: what rows hold of a candidate, its index and the word that its image is.
  int const* indices() const { return index_; }
  int const* shifts() const { return other_.sorted.shift; }
  /// By rank: the place of a candidate.
  int const* places() const { return other_.sorted.place; }

 private:
  static_assert(sizeof(image) == sizeof(int));
  static constexpr int room = most + 48;  ///< arrays of a power of two would meet in the same places of a cache

  std::int64_t id(int b) const { return rules_.ids == nullptr ? particle_[b] : rules_.ids[place_[b]]; }
  std::uint64_t key(int b) const { return static_cast<std::uint64_t>(id(b)) - least_; }

  /// body(id), which is called for the id of the candidate of a bit.
  template <class Body>
  void with_ids(Body const& body) {
    if (rules_.ids == nullptr) body([of = particle_](int b) { return of[b]; });
    else body([of = rules_.ids, at = place_](int b) { return of[at[b]]; });
  }

  void find_range() {
    with_ids([this, bits = bits_](auto const& id) {
      auto least = id(0), largest = least;
      for (int b = 0; b < bits; ++b) {
        least = std::min(least, id(b));
        largest = std::max(largest, id(b));
      }
      least_ = static_cast<std::uint64_t>(std::int64_t(least));
      range_ = static_cast<std::uint64_t>(std::int64_t(largest)) - least_;
    });
  }

  /// By words that hold the key above the number of the bit.
  template <class Word, class Sort>
  void sort_words(Word* of, Word* other, Sort const& sort) {
    Word const least = static_cast<Word>(least_);
    int const number_bits = number_bits_, bits = bits_, n = size_;
    with_ids([=](auto const& id) {
      for (int b = 0; b < bits; ++b)
        of[b] = static_cast<Word>(static_cast<Word>(id(b)) - least) << number_bits | static_cast<Word>(b);
    });
    for (int g = 0; g < gaps_; ++g) std::fill(of + gap_[g].begin, of + gap_[g].end, static_cast<Word>(~Word(0)));
    sort(of, bits, number_bits, other);
    Word const mask = (Word(1) << number_bits) - 1;
    Word some_equal = 0;
    for (int r = 0; r < n; ++r) column_[r] = static_cast<int>(of[r] & mask);
    for (int r = 1; r < n; ++r) some_equal |= (of[r] ^ of[r - 1]) <= mask ? 1 : 0;
    if (rules_.ids == nullptr) {
      int const first = static_cast<int>(static_cast<std::int64_t>(least_)) - first_candidate_;
      for (int r = 0; r < n; ++r) index_[r] = static_cast<int>(of[r] >> number_bits) + first;
    }
    if (some_equal == 0) return;
    // Images of one particle stand side by side now, and ghosts of one owner.
    for (int r = 0; r < size_;) {
      int end = r + 1;
      while (end < size_ && (of[end] ^ of[r]) <= mask) ++end;
      if (end > r + 1) std::sort(column_ + r, column_ + end, before());
      r = end;
    }
  }

  /// For ids so far apart that no word holds both.
  void sort_numbers() {
    int r = 0, begin = 0;
    for (int g = 0; g < gaps_; begin = gap_[g++].end)
      for (int b = begin; b < gap_[g].begin; ++b) column_[r++] = b;
    for (int b = begin; b < bits_; ++b) column_[r++] = b;
    std::sort(column_, column_ + size_, before());
  }

  auto before() const {
    return [this](int a, int b) {
      if (key(a) != key(b)) return key(a) < key(b);
      if (!(shift_[a] == shift_[b])) return shift_[a] < shift_[b];
      return particle_[a] < particle_[b];
    };
  }

  /// From bits to what is known of candidates.
  void name() {
    int const n = size_;
    if (rules_.ids != nullptr)
      for (int r = 0; r < n; ++r) index_[r] = particle_[column_[r]] - first_candidate_;
    if (needs_places_)
      for (int r = 0; r < n; ++r) other_.sorted.place[r] = place_[column_[r]];
    if (needs_shifts_)
      for (int r = 0; r < n; ++r) std::memcpy(other_.sorted.shift + r, shift_ + column_[r], sizeof(int));
    for (int r = 0; r < n; ++r) column_[r] = sorted_bits<Real>::column(column_[r]);
    std::fill(column_ + n, column_ + 32 * words_for(n), 0);
  }

  /// Bits that stand for nobody. They are in no row, and come behind all others; the candidate before them is repeated
  /// where a loop is simpler for it.
  struct gap {
    int begin, end;
  };

  pair_rules<Real> const& rules_;
  cpu_hit_kernels<Real> const& kernels_;
  int first_candidate_;
  bool needs_places_, needs_shifts_;
  int size_ = 0, bits_ = 0, number_bits_ = 0, gaps_ = 0;
  bool shifted_ = false;
  std::uint64_t least_ = 0, range_ = 0;
  gap gap_[most / 32];
  int particle_[room], place_[room];  ///< by bit
  image shift_[room];
  int column_[room], index_[room];  ///< by rank; until name() a bit in place of its column
  union {
    std::uint32_t narrow[room];
    std::uint64_t wide[room];
  } words_;
  union {
    std::uint32_t narrow[room];
    std::uint64_t wide[room];
    struct {
      int place[room], shift[room];
    } sorted;
  } other_;  ///< what sorting needs, and after it what is known by rank
};

}  // namespace upsweep::neighbors::detail
