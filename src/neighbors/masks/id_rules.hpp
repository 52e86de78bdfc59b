// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "candidates.hpp"

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
      : rules_(rules), kernels_(kernels), used_(rules.limits_ids()) {}

  /// The particles at places from `first` to `end` are the group.
  void start(int first, int end) {
    if (!used_) return;
    group_ = split_id::of(rules_.id(first));
    group_differs_ = {0, 0};
    for (int k = first; k < end; ++k) group_differs_ = differing(group_differs_, split_id::of(rules_.id(k)));
    clear();
  }
  /// Forgets the candidates.
  void clear() {
    differs_ = group_differs_;
    if (keeps_some_) std::fill_n(kept_, words_for(cpu_padded_chunk), 0);
  }

  /// The n particles at places from k on become candidates, behind `fill` others.
  void add(int k, int n, int fill) {
    if (!used_) return;
    for (int c = 0; keeps_some_ && c < n; ++c)
      kept_[(fill + c) / 32] |= std::uint32_t(rules_.keeps(k + c)) << (fill + c) % 32;
    if (rules_.ids == nullptr) {
      for (int c = 0; c < n; ++c) low_[fill + c] = split_id::flipped(static_cast<std::uint32_t>(rules_.order[k + c]));
      return;
    }
    split_id differs = differs_;
    for (int c = 0; c < n; ++c) {
      split_id const id = split_id::of(rules_.ids[k + c]);
      low_[fill + c] = id.low;
      high_[fill + c] = id.high;
      differs = differing(differs, id);
    }
    differs_ = differs;
  }

  /// All n candidates are there.
  void finish(int n) {
    if (!used_) return;
    // Bits behind the last candidate are not set, so that any id does.
    std::fill(low_ + n, low_ + 32 * words_for(n), 0);
    if (differs_.high != 0) std::fill(high_ + n, high_ + 32 * words_for(n), 0);
  }

  /// The numbers by which a test of distances finds those of a half list alone; null where they do not decide it. Pre:
  /// all candidates are there.
  int const* half_numbers(int n) {
    // Two ids with the same upper 33 bits differ by less than 2^31.
    if (!kernels_.halves || !rules_.half || keeps_some_ || differs_.high != 0 || differs_.low < 0) return nullptr;
    for (int c = 0; c < 32 * words_for(n); ++c) half_number_[c] = half_number({low_[c], 0});
    return half_number_;
  }

  /// Whether there is more to ask. halved: bits were found by half_numbers().
  bool limits(bool halved) const { return halved ? rules_.excluded_offsets != nullptr : used_; }
  /// Before keep(), where bits were not found by half_numbers().
  void prepare_half(int n) {
    if (rules_.half) kernels_.parities(low_, 32 * words_for(n), odd_);
  }
  /// Leaves the bits of candidates that these rules allow in the row of the particle at `place`, its own images not;
  /// returns their number.
  int keep(int place, int n, bool halved, std::uint32_t* words) const {
    split_ids const ids{low_, differs_.high == 0 ? nullptr : high_};
    int const whole = 32 * words_for(n);
    int left = 0;
    if (rules_.half && !halved) left = keep_half(place, ids, whole, words);
    if (rules_.excluded_offsets == nullptr) return left;
    int const row = rules_.excluded_row(place);
    for (std::size_t e = rules_.excluded_offsets[row]; e < rules_.excluded_offsets[row + 1]; ++e) {
      split_id const id = split_id::of(rules_.excluded[e]);
      if (ids.high != nullptr || id.high == group_.high) kernels_.remove(ids, whole, id, words);
    }
    return kernels_.count(words, words_for(n));
  }

  /// Prefetches where the exclusions of the particles at places from `first` to `end` are, of those that have rows, and
  /// the exclusions of others that come earlier.
  void prefetch(int rows, int first, int end, int earlier_first, int earlier_end) const {
    if (rules_.excluded_offsets == nullptr) return;
    for (int k = first; k < end; ++k)
      if (rules_.order[k] < rows) compat::prefetch_read(rules_.excluded_offsets + rules_.excluded_row(k));
    for (int k = earlier_first; k < earlier_end; ++k)
      if (rules_.order[k] < rows)
        compat::prefetch_read(rules_.excluded + rules_.excluded_offsets[rules_.excluded_row(k)]);
  }

  /// Whether some of n candidates whose bits are set have the id of the particle at `place`.
  bool has_own_id(int place, int n, std::uint32_t const* words) const {
    std::uint32_t others[words_for(cpu_padded_chunk)];
    std::copy_n(words, words_for(n), others);
    kernels_.remove({low_, differs_.high == 0 ? nullptr : high_}, 32 * words_for(n), split_id::of(rules_.id(place)),
                    others);
    return !std::equal(words, words + words_for(n), others);
  }

 private:
  split_id differing(split_id so_far, split_id id) const {
    return {so_far.low | (id.low ^ group_.low), so_far.high | (id.high ^ group_.high)};
  }

  int keep_half(int place, split_ids const& ids, int n, std::uint32_t* words) const {
    split_id const own = split_id::of(rules_.id(place));
    if (!keeps_some_) return kernels_.keep_half(ids, odd_, n, own, words);
    std::uint32_t kept[words_for(cpu_padded_chunk)];
    for (int w = 0; w < n / 32; ++w) kept[w] = words[w] & kept_[w];
    kernels_.keep_half(ids, odd_, n, own, words);
    for (int w = 0; w < n / 32; ++w) words[w] |= kept[w];
    return kernels_.count(words, n / 32);
  }

  pair_rules<Real> const& rules_;
  cpu_hit_kernels<Real> const& kernels_;
  bool used_;
  bool keeps_some_ = rules_.half && rules_.keeps_some();
  split_id group_;          ///< of the group's first particle
  split_id group_differs_;  ///< bits in which those of others of the group differ
  split_id differs_;        ///< bits in which those of candidates differ, too
  int low_[cpu_padded_chunk], high_[cpu_padded_chunk], half_number_[cpu_padded_chunk];
  std::uint32_t odd_[words_for(cpu_padded_chunk)];
  std::uint32_t kept_[words_for(cpu_padded_chunk)];  ///< which candidates half lists keep for all particles, if any
};

}  // namespace upsweep::neighbors::detail
