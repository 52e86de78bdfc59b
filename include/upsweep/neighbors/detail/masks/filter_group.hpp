// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/masks/cpu/candidates.hpp>
#include <upsweep/neighbors/detail/masks/distance_filter.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace upsweep::neighbors::detail {

/// A group's particles and a chunk of their candidates, side by side in single precision, relative to the
/// first particle.
template <class Real>
class filter_group {
 public:
  filter_group(binned_particles<Real> const& p, cpu_hit_kernels<Real> const& kernels, int places)
      : p_(p), kernels_(kernels), places_(places) {}

  /// The particles at places from `first` to `end` that have rows.
  void start(int first, int end) {
    for (int d = 0; d < 3; ++d) origin_[d] = (d == 0 ? p_.x : d == 1 ? p_.y : p_.z)[first];
    Real const unshifted[3] = {0, 0, 0};
    filter_candidates const all{x_, y_, z_, squared_};
    kernels_.relate({p_.x + first, p_.y + first, p_.z + first, places_ - first}, end - first, origin_, unshifted, all);
    int n = 0;
    float most = 0;
    for (int k = first; k < end; ++k) {
      if (p_.order[k] >= p_.rows) continue;
      index_[n] = p_.order[k];
      place_[n] = k;
      group_.x[n] = -2 * all.x[k - first];
      group_.y[n] = -2 * all.y[k - first];
      group_.z[n] = -2 * all.z[k - first];
      own_squared_[n] = all.squared[k - first];
      most = std::max(most, own_squared_[n++]);
    }
    group_.count = n;
    reach_ = std::sqrt(double(most));
    clear();
  }

  int size() const { return group_.count; }
  int index(int i) const { return index_[i]; }
  int place(int i) const { return place_[i]; }

  /// Forgets the candidates.
  void clear() {
    pieces_ = 0;
    most_shift_ = 0;
  }

  /// n particles of a run become candidates, behind `fill` others.
  void add(candidate_run const& run, int k, int n, int fill) {
    if (p_.images == nullptr) return add(run.shift, k, n, fill);
    for (int c = 0, next; c < n; c = next) {
      for (next = c + 1; next < n && p_.images[k + next] == p_.images[k + c];) ++next;
      add(p_.images[k + c], k + c, next - c, fill + c);
    }
  }

  /// Tests the n candidates: words of certain hits and of those that may be some, as cpu_hit_kernels::test has them.
  /// Returns the particles with pairs that are left open.
  std::uint64_t test(int n, std::uint32_t* words, std::uint32_t* possible, int* hits) {
    int const whole = 32 * words_for(n);
    for (int c = n; c < whole; ++c) x_[c] = y_[c] = z_[c] = squared_[c] = 0;
    double const cutoff = p_.cutoff_squared, most = kernels_.largest(squared_, whole);
    filter_extent const extent{1.000001 * (reach_ + std::sqrt(most)), most_shift_, cutoff};
    if (!fits_in_floats(extent)) return leave_undecided(n, words, possible, hits);
    double const error_bound = distance_error_bound<Real>(extent);
    for (int i = 0; i < group_.count; ++i) {
      group_.certain[i] = static_cast<float>(cutoff - own_squared_[i] - error_bound);
      group_.possible[i] = static_cast<float>(cutoff - own_squared_[i] + error_bound);
    }
    for (int c = n; c < whole; ++c) squared_[c] = std::numeric_limits<float>::infinity();
    return kernels_.test({x_, y_, z_, squared_}, whole, group_, words, possible, hits);
  }

  /// visit(word, bit, place, image, squared distance) for the candidates of particle i whose bits `words(w)` has; the
  /// distance is that of the plain builder.
  template <class Words, class Visitor>
  void visit(int i, int n, Words const& words, Visitor const& visitor) const {
    Real const xi = p_.x[place_[i]], yi = p_.y[place_[i]], zi = p_.z[place_[i]];
    int of = 0;
    for (int w = 0; w < words_for(n); ++w)
      for (std::uint32_t bits = words(w); bits != 0; bits &= bits - 1) {
        int const c = 32 * w + std::countr_zero(bits);
        while (of + 1 < pieces_ && piece_[of + 1].first <= c) ++of;
        piece const& in = piece_[of];
        int const k = in.place + c - in.first;
        visitor(w, bits & -bits, k, in.shift,
                p_.length_squared((p_.x[k] - xi) + in.by[0], (p_.y[k] - yi) + in.by[1], (p_.z[k] - zi) + in.by[2]));
      }
  }

 private:
  /// Candidates of one run and image that stand side by side.
  struct piece {
    int first, place;
    image shift;
    Real by[3];  ///< the shift's displacement
  };

  void add(image shift, int k, int n, int fill) {
    piece& now = piece_[pieces_++];
    now = {fill, k, shift, {0, 0, 0}};
    if (!(shift == image(0, 0, 0))) {
      auto const by = p_.sim_box.shift(shift);
      for (int d = 0; d < 3; ++d) now.by[d] = by[d];
      most_shift_ = std::max(most_shift_, std::hypot(double(by[0]), double(by[1]), double(by[2])));
    }
    kernels_.relate({p_.x + k, p_.y + k, p_.z + k, places_ - k}, n, origin_, now.by,
                    {x_ + fill, y_ + fill, z_ + fill, squared_ + fill});
  }

  std::uint64_t leave_undecided(int n, std::uint32_t* words, std::uint32_t* possible, int* hits) const {
    int const each = words_for(n);
    std::fill_n(hits, group_.count, 0);
    std::fill_n(words, group_.count * each, 0u);
    std::fill_n(possible, group_.count * each, ~0u);
    for (int i = 0; n % 32 != 0 && i < group_.count; ++i)
      possible[(i + 1) * each - 1] = (std::uint32_t(1) << n % 32) - 1;
    return ~std::uint64_t(0);
  }

  binned_particles<Real> const& p_;
  cpu_hit_kernels<Real> const& kernels_;
  int places_;  ///< of all particles
  int index_[cpu_group], place_[cpu_group];
  float own_squared_[cpu_group];  ///< distances from the origin
  filter_particles group_;
  Real origin_[3];
  double reach_;       ///< the longest of the group's distances from the origin
  double most_shift_;  ///< of the candidates
  alignas(64) float x_[cpu_padded_chunk], y_[cpu_padded_chunk], z_[cpu_padded_chunk], squared_[cpu_padded_chunk];
  int pieces_;
  piece piece_[cpu_chunk];
};

}  // namespace upsweep::neighbors::detail
