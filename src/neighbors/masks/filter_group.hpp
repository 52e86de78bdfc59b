// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "candidates.hpp"

#include <upsweep/neighbors/detail/masks/distance_filter.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace upsweep::neighbors::detail {

/// A group's particles and a chunk of their candidates, side by side in single precision, relative to the
/// first particle.
template <class Real, class Systems>
class filter_group {
 public:
  filter_group(neighbor_search<Real, Systems> const& search, cpu_hit_kernels<Real> const& kernels)
      : p_(search.particles), rules_(search.rules), kernels_(kernels) {}

  /// The particles at places from `first` to `end`, all of one system, that have rows.
  void start(typename Systems::name system, int first, int end) {
    system_ = system;
    group_.count = 0;
    if (std::none_of(p_.order + first, p_.order + end, [&](int i) { return i < p_.rows; })) return;  // ghosts
    for (int d = 0; d < 3; ++d) origin_[d] = (d == 0 ? p_.x : d == 1 ? p_.y : p_.z)[first];
    Real const unshifted[3] = {0, 0, 0};
    filter_candidates const all{x_, y_, z_, squared_};
    kernels_.relate({p_.x + first, p_.y + first, p_.z + first, p_.places - first}, end - first, origin_, unshifted,
                    all);
    int n = 0;
    float most = 0;
    largest_own_radius_ = 0;
    for (int k = first; k < end; ++k) {
      if (p_.order[k] >= p_.rows) continue;
      index_[n] = p_.order[k];
      place_[n] = k;
      group_.x[n] = -2 * all.x[k - first];
      group_.y[n] = -2 * all.y[k - first];
      group_.z[n] = -2 * all.z[k - first];
      own_squared_[n] = all.squared[k - first];
      if (rules_.half) group_.half_number[n] = half_number(split_id::of(rules_.id(k)));
      if (rules_.types != nullptr) own_type_[n] = rules_.types[k];
      if (rules_.radii != nullptr) {
        group_.radius[n] = -2 * limited_radius(k);
        largest_own_radius_ = std::max(largest_own_radius_, rules_.radii[k]);
      }
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
    largest_radius_ = 0;
  }

  /// n particles of a run become candidates, behind `fill` others.
  void add(candidate_run const& run, int k, int n, int fill) {
    if (rules_.types != nullptr) std::copy(rules_.types + k, rules_.types + k + n, type_ + fill);
    for (int c = 0; rules_.radii != nullptr && c < n; ++c) {
      radius_[fill + c] = limited_radius(k + c);
      largest_radius_ = std::max(largest_radius_, rules_.radii[k + c]);
    }
    if (p_.images == nullptr) return add(run.shift, k, n, fill);
    auto const* const images = p_.images + k;
    // Mostly all are in one image: then each equals the next.
    if (std::memcmp(images, images + 1, sizeof(image) * static_cast<std::size_t>(n - 1)) == 0)
      return add(images[0], k, n, fill);
    for (int c = 0, next; c < n; c = next) {
      for (next = c + 1; next < n && images[next] == images[c];) ++next;
      add(images[c], k + c, next - c, fill + c);
    }
  }

  /// Tests the n candidates: words of certain hits and of those that may be some, as cpu_hit_kernels::test has them.
  /// Returns the particles with pairs that are left open; only theirs are written to `possible`. half_numbers: of the
  /// candidates, where pairs are halved (id_rules.hpp), else null.
  std::uint64_t test(int n, int const* half_numbers, std::uint32_t* words, std::uint32_t* possible, int* hits) {
    half_numbers_ = half_numbers;
    int const whole = 32 * words_for(n);
    for (int c = n; c < whole; ++c) x_[c] = y_[c] = z_[c] = squared_[c] = 0;
    double const cutoff = p_.cutoff_squared, most = kernels_.largest(squared_, whole);
    filter_extent extent{1.000001 * (reach_ + std::sqrt(most)), most_shift_, cutoff};
    if (rules_.types != nullptr) extent.limits = cutoff;
    if (rules_.radii != nullptr) {
      // Of radii above the cutoff it counts alone. Zero would mean that there are no limits.
      double const limit = most_limit();
      extent.limits = std::max({extent.limits, std::min(4.0001 * cutoff, 1.0001 * limit), 1e-29});
      if (rules_.types == nullptr && radii_decide_alone()) extent.cutoff_squared = std::max(limit, 1e-29);
    }
    if (!fits_in_floats(extent)) return leave_undecided(n, words, possible, hits);
    double const error_bound = distance_error_bound<Real>(extent);
    for (int c = n; c < whole; ++c) squared_[c] = std::numeric_limits<float>::infinity();
    if (rules_.limits_distances()) return test_limits(n, error_bound, words, possible, hits);
    for (int i = 0; i < group_.count; ++i) set_threshold(group_, i, cutoff - own_squared_[i], error_bound);
    return kernels_.test({x_, y_, z_, squared_, nullptr, half_numbers_}, whole, group_, words, possible, hits);
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
      auto const by = p_.box_of(system_).shift(shift);
      for (int d = 0; d < 3; ++d) now.by[d] = by[d];
      most_shift_ = std::max(most_shift_, std::hypot(double(by[0]), double(by[1]), double(by[2])));
    }
    kernels_.relate({p_.x + k, p_.y + k, p_.z + k, p_.places - k}, n, origin_, now.by,
                    {x_ + fill, y_ + fill, z_ + fill, squared_ + fill});
  }

  static void set_threshold(filter_particles& group, int i, double most, double error_bound) {
    group.certain[i] = static_cast<float>(most - error_bound);
    group.possible[i] = static_cast<float>(most + error_bound);
  }

  /// No pair of the group and the candidates is limited to a larger square by its radii.
  Real most_limit() const {
    Real const most = largest_own_radius_ + largest_radius_;
    return most * most;
  }
  bool radii_decide_alone() const { return most_limit() <= p_.cutoff_squared; }

  /// A radius above the cutoff allows all pairs within it, and so does the cutoff as a radius.
  float limited_radius(int place) const {
    float const most = 1.000001f * static_cast<float>(std::sqrt(double(p_.cutoff_squared)));
    return std::min(static_cast<float>(rules_.radii[place]), most);
  }

  /// test() where the types or the radii of a pair limit its distance: a hit is one by all tests that apply.
  std::uint64_t test_limits(int n, double error_bound, std::uint32_t* words, std::uint32_t* possible, int* hits) {
    std::uint64_t undecided;
    if (rules_.types != nullptr) {
      undecided = test_types(n, error_bound, words, possible, hits);
      if (rules_.radii == nullptr) return undecided;
    } else {
      if (radii_decide_alone()) return test_radii(n, error_bound, words, possible, hits);
      for (int i = 0; i < group_.count; ++i) set_threshold(group_, i, p_.cutoff_squared - own_squared_[i], error_bound);
      undecided = kernels_.test({x_, y_, z_, squared_, nullptr, half_numbers_}, 32 * words_for(n), group_, words,
                                possible, hits);
    }
    std::uint32_t near_words[cpu_mask_words], near_possible[cpu_mask_words];
    std::uint64_t const near_undecided = test_radii(n, error_bound, near_words, near_possible, hits);
    int const each = words_for(n);
    for (int i = 0; i < group_.count; ++i) {
      std::uint32_t *const own = words + i * each, *const near = near_words + i * each;
      // Where a test decides all pairs, its possible hits are the certain ones.
      if ((undecided | near_undecided) >> i & 1) {
        auto const* const by_type = undecided >> i & 1 ? possible + i * each : own;
        auto const* const by_radius = near_undecided >> i & 1 ? near_possible + i * each : near;
        for (int w = 0; w < each; ++w) possible[i * each + w] = by_type[w] & by_radius[w];
      }
      for (int w = 0; w < each; ++w) own[w] &= near[w];
      hits[i] = kernels_.count(own, each);
    }
    return undecided | near_undecided;
  }

  std::uint64_t test_radii(int n, double error_bound, std::uint32_t* words, std::uint32_t* possible, int* hits) {
    int const whole = 32 * words_for(n);
    for (int c = 0; c < n; ++c) limited_[c] = squared_[c] - radius_[c] * radius_[c];
    for (int c = n; c < whole; ++c) limited_[c] = squared_[c], radius_[c] = 0;
    for (int i = 0; i < group_.count; ++i) {
      double const radius = group_.radius[i] / 2;
      set_threshold(group_, i, radius * radius - own_squared_[i], error_bound);
    }
    return kernels_.test({x_, y_, z_, limited_, radius_, half_numbers_}, whole, group_, words, possible, hits);
  }

  float lack_of(int a, int b) const { return static_cast<float>(p_.cutoff_squared - rules_.type_cutoff_squared(a, b)); }

  /// The particles of one type at a time: with what their cutoffs lack added to the squares, all have one threshold.
  std::uint64_t test_types(int n, double error_bound, std::uint32_t* words, std::uint32_t* possible, int* hits) {
    int const each = words_for(n);
    std::uint64_t undecided = 0;
    std::uint64_t left = group_.count == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << group_.count) - 1;
    while (left != 0) {
      int const type = own_type_[std::countr_zero(left)];
      filter_particles some;
      some.count = 0;
      int member[cpu_group];
      for (std::uint64_t others = left; others != 0; others &= others - 1) {
        int const i = std::countr_zero(others);
        if (own_type_[i] != type) continue;
        left &= ~(std::uint64_t(1) << i);
        int const m = some.count++;
        member[m] = i;
        some.x[m] = group_.x[i];
        some.y[m] = group_.y[i];
        some.z[m] = group_.z[i];
        if (half_numbers_ != nullptr) some.half_number[m] = group_.half_number[i];
        set_threshold(some, m, p_.cutoff_squared - own_squared_[i], error_bound);
      }
      constexpr int listed = 64;
      float lack[listed];
      for (int t = 0; t < rules_.type_count && t < listed; ++t) lack[t] = lack_of(type, t);
      if (rules_.type_count <= listed)
        for (int c = 0; c < n; ++c) limited_[c] = squared_[c] + lack[type_[c]];
      else
        for (int c = 0; c < n; ++c) limited_[c] = squared_[c] + lack_of(type, type_[c]);
      std::copy(squared_ + n, squared_ + 32 * each, limited_ + n);
      std::uint32_t some_words[cpu_mask_words], some_possible[cpu_mask_words];
      int some_hits[cpu_group];
      std::uint64_t const open = kernels_.test({x_, y_, z_, limited_, nullptr, half_numbers_}, 32 * each, some,
                                               some_words, some_possible, some_hits);
      for (int m = 0; m < some.count; ++m) {
        int const i = member[m];
        std::copy_n(some_words + m * each, each, words + i * each);
        hits[i] = some_hits[m];
        if ((open >> m & 1) == 0) continue;
        std::copy_n(some_possible + m * each, each, possible + i * each);
        undecided |= std::uint64_t(1) << i;
      }
    }
    return undecided;
  }

  std::uint64_t leave_undecided(int n, std::uint32_t* words, std::uint32_t* possible, int* hits) const {
    int const each = words_for(n);
    std::fill_n(hits, group_.count, 0);
    std::fill_n(words, group_.count * each, 0u);
    std::fill_n(possible, group_.count * each, ~0u);
    for (int i = 0; n % 32 != 0 && i < group_.count; ++i)
      possible[(i + 1) * each - 1] = (std::uint32_t(1) << n % 32) - 1;
    for (int i = 0; half_numbers_ != nullptr && i < group_.count; ++i)
      for (int c = 0; c < n; ++c)
        if (static_cast<std::uint32_t>(group_.half_number[i]) - static_cast<std::uint32_t>(half_numbers_[c]) < 1u << 31)
          possible[i * each + c / 32] &= ~(std::uint32_t(1) << c % 32);
    return ~std::uint64_t(0);
  }

  binned_particles<Real, Systems> const& p_;
  pair_rules<Real> const& rules_;
  cpu_hit_kernels<Real> const& kernels_;
  typename Systems::name system_;
  int index_[cpu_group], place_[cpu_group];
  float own_squared_[cpu_group];  ///< distances from the origin
  filter_particles group_;
  Real origin_[3];
  double reach_;                              ///< the longest of the group's distances from the origin
  double most_shift_;                         ///< of the candidates
  Real largest_own_radius_, largest_radius_;  ///< of the group, of the candidates
  alignas(64) float x_[cpu_padded_chunk], y_[cpu_padded_chunk], z_[cpu_padded_chunk], squared_[cpu_padded_chunk];
  int const* half_numbers_;
  int pieces_;
  piece piece_[cpu_chunk];
  int own_type_[cpu_group], type_[cpu_padded_chunk];
  alignas(64) float radius_[cpu_padded_chunk], limited_[cpu_padded_chunk];
};

}  // namespace upsweep::neighbors::detail
