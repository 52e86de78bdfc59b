// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/masks/cpu/candidates.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// The rules that go by ids, half lists and exclusions, as operations on the masks of a group: ids of candidates are
/// gathered side by side, as coordinates are, and compared in vectors.
template <class Real>
class id_rules {
 public:
  id_rules(pair_rules<Real> const& rules, cpu_hit_kernels<Real> const& kernels)
      : rules_(rules), kernels_(kernels), used_(rules.half || rules.excluded_offsets != nullptr) {}

  bool any() const { return used_; }

  /// The particles at places from `first` to `end` are the group.
  void start(int first, int end) {
    if (!used_) return;
    group_high_ = split_id::of(rules_.id(first)).high;
    group_differs_ = 0;
    for (int k = first; k < end; ++k) group_differs_ |= split_id::of(rules_.id(k)).high ^ group_high_;
    clear();
  }
  /// Forgets the candidates.
  void clear() { differs_ = group_differs_; }

  /// The n particles at places from k on become candidates, behind `fill` others.
  void add(int k, int n, int fill) {
    if (!used_) return;
    if (rules_.ids == nullptr) {
      for (int c = 0; c < n; ++c) low_[fill + c] = split_id::flipped(static_cast<std::uint32_t>(rules_.order[k + c]));
      return;
    }
    for (int c = 0; c < n; ++c) {
      split_id const id = split_id::of(rules_.ids[k + c]);
      low_[fill + c] = id.low;
      high_[fill + c] = id.high;
      differs_ |= id.high ^ group_high_;
    }
  }

  /// Behind the last of n candidates no bit is set, and any id does.
  void pad(int n) {
    if (!used_) return;
    std::fill(low_ + n, low_ + 32 * words_for(n), 0);
    std::fill(high_ + n, high_ + 32 * words_for(n), 0);
  }

  /// Leaves the bits of candidates that these rules allow in the row of the particle at `place`. Returns whether some
  /// of a half list are the particle's own images: the caller looks at those, which are rare.
  bool keep(int place, int n, std::uint32_t* words) const {
    split_ids const ids{low_, differs_ == 0 ? nullptr : high_};
    int const whole = 32 * words_for(n);
    bool own_images = false;
    if (rules_.half) own_images = kernels_.keep_half(ids, whole, split_id::of(rules_.id(place)), words);
    if (rules_.excluded_offsets == nullptr) return own_images;
    int const row = rules_.order[place];
    for (std::size_t e = rules_.excluded_offsets[row]; e < rules_.excluded_offsets[row + 1]; ++e) {
      split_id const id = split_id::of(rules_.excluded[e]);
      if (ids.high != nullptr || id.high == group_high_) kernels_.remove(ids, whole, id, words);
    }
    return own_images;
  }

 private:
  pair_rules<Real> const& rules_;
  cpu_hit_kernels<Real> const& kernels_;
  bool used_;
  int group_high_ = 0,
      group_differs_ = 0;  ///< higher halves of the group's ids: one, and the bits in which others differ
  int differs_ = 0;        ///< the same bits, of candidates too
  int low_[cpu_padded_chunk], high_[cpu_padded_chunk];
};

}  // namespace upsweep::neighbors::detail
