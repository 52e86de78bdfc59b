// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "candidates.hpp"
#include "id_order.hpp"
#include "sorted_bits.hpp"

#include <algorithm>
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
  static constexpr int most = id_order<Real>::most;

  /// needs_places, needs_shifts: whether places() and shifts() will be asked for.
  sorted_candidates(pair_rules<Real> const& rules, cpu_hit_kernels<Real> const& kernels, int first_candidate,
                    bool needs_places, bool needs_shifts)
      : rules_(rules),
        first_candidate_(first_candidate),
        needs_places_(needs_places),
        needs_shifts_(needs_shifts),
        order_(kernels) {}

  int size() const { return order_.size(); }
  bool has_room_for(int n) const { return bits_ + n <= most; }
  /// Whether one of them is in an image.
  bool shifted() const { return shifted_; }

  /// The n particles at places from k on become candidates, all in one image.
  void add(image shift, int k, int n) {
    shifted_ = shifted_ || !(shift == image(0, 0, 0));
    std::copy_n(rules_.order + k, n, particle_ + bits_);
    std::iota(place_ + bits_, place_ + bits_ + n, k);
    std::fill_n(shift_ + bits_, n, shift);
    bits_ += n;
  }
  /// Returns the number of words of all that were added. The next candidate begins a new one.
  int end_chunk() {
    int const end = 32 * words_for(bits_);
    if (bits_ < end) gap_[gaps_++] = {bits_, end};
    // What nobody looks at, so that loops need not leave it out.
    for (; bits_ < end; ++bits_) particle_[bits_] = particle_[bits_ - 1], place_[bits_] = place_[bits_ - 1];
    return end / 32;
  }

  /// Pre: there are some, and the last chunk has ended.
  void sort() {
    // Images of one particle, and ghosts of one owner.
    auto const before = [this](int a, int b) {
      return shift_[a] == shift_[b] ? particle_[a] < particle_[b] : shift_[a] < shift_[b];
    };
    if (rules_.ids == nullptr) {
      order_.sort(bits_, gap_, gaps_, [of = particle_](int b) { return of[b]; }, before);
      order_.ids(-first_candidate_, index_);
    } else {
      order_.sort(bits_, gap_, gaps_, [of = rules_.ids, at = place_](int b) { return of[at[b]]; }, before);
      for (int r = 0; r < size(); ++r) index_[r] = particle_[order_.numbers()[r]] - first_candidate_;
    }
    int const n = size();
    int* const bit = order_.numbers();
    if (needs_places_)
      for (int r = 0; r < n; ++r) order_.spare(0)[r] = place_[bit[r]];
    if (needs_shifts_)
      for (int r = 0; r < n; ++r) std::memcpy(order_.spare(1) + r, shift_ + bit[r], sizeof(int));
    for (int r = 0; r < n; ++r) bit[r] = sorted_bits<Real>::column(bit[r]);
    std::fill(bit + n, bit + 32 * words_for(n), 0);
  }

  /// By rank: the column of a candidate's bits (sorted_bits.hpp), and enough others to fill a word.
  int const* columns() const { return order_.numbers(); }
  /// By rank: what rows hold of a candidate, its index and the word that its image is.
  int const* indices() const { return index_; }
  int const* shifts() const { return order_.spare(1); }
  /// By rank: the place of a candidate.
  int const* places() const { return order_.spare(0); }

 private:
  static_assert(sizeof(image) == sizeof(int));
  static constexpr int room = id_order<Real>::room;

  pair_rules<Real> const& rules_;
  int first_candidate_;
  bool needs_places_, needs_shifts_;
  int bits_ = 0, gaps_ = 0;
  bool shifted_ = false;
  typename id_order<Real>::gap gap_[most / 32];
  int particle_[room], place_[room];  ///< by bit
  image shift_[room];
  int index_[room];
  id_order<Real> order_;
};

}  // namespace upsweep::neighbors::detail
