// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// What decides, beside the cutoff, whether a pair is in a list: one predicate for all builders and passes. Particles
/// are named by their places, since candidates that stand side by side are looked at together.
template <class Real>
struct pair_rules {
  bool half = false;
  int const* order = nullptr;                  ///< particle at each place
  std::int64_t const* ids = nullptr;           ///< at each place; null: the particle itself
  int const* types = nullptr;                  ///< at each place
  Real const* radii = nullptr;                 ///< at each place
  Real const* type_cutoffs_squared = nullptr;  ///< (type_count, type_count)
  int type_count = 0;
  bool include_cutoff = true;                     ///< of radii; the other cutoffs are largest_square()
  std::size_t const* excluded_offsets = nullptr;  ///< of each row
  std::int64_t const* excluded = nullptr;

  /// Whether there are any.
  bool any() const { return limits_distances() || half || excluded_offsets != nullptr; }
  /// Whether some pairs within the cutoff are too far apart.
  bool limits_distances() const { return types != nullptr || radii != nullptr; }

  /// Whether the row of the particle at place i keeps the one at place j in image s, at squared distance r2 within the
  /// cutoff.
  KOKKOS_FUNCTION bool operator()(int i, int j, image s, Real r2) const {
    return allows_distance(i, j, r2) && (!half || in_row_of(id(i), id(j), s)) &&
           (excluded_offsets == nullptr || !excludes(order[i], id(j)));
  }

  KOKKOS_FUNCTION bool allows_distance(int i, int j, Real r2) const {
    if (types != nullptr && r2 > type_cutoff_squared(types[i], types[j])) return false;
    if (radii == nullptr) return true;
    Real const most = radii[i] + radii[j];
    return include_cutoff ? !(r2 > most * most) : r2 < most * most;
  }
  KOKKOS_FUNCTION Real type_cutoff_squared(int a, int b) const { return type_cutoffs_squared[a * type_count + b]; }

  KOKKOS_FUNCTION std::int64_t id(int place) const { return ids == nullptr ? order[place] : ids[place]; }

  /// Whether the half list has the pair of a particle and its own image in this image: one of two opposite ones.
  KOKKOS_FUNCTION static bool is_positive(image s) {
    return s.x() != 0 ? s.x() > 0 : s.y() != 0 ? s.y() > 0 : s.z() > 0;
  }

 private:
  /// Whether the half list has the pair in the row of `i`: rows are balanced, since half of a particle's
  /// partners are even.
  KOKKOS_FUNCTION static bool in_row_of(std::int64_t i, std::int64_t j, image s) {
    if (i == j) return is_positive(s);
    bool const even = ((static_cast<std::uint64_t>(i) ^ static_cast<std::uint64_t>(j)) & 1) == 0;
    return (i < j) == even;
  }

  KOKKOS_FUNCTION bool excludes(int row, std::int64_t j) const {
    for (std::size_t k = excluded_offsets[row]; k < excluded_offsets[row + 1]; ++k)
      if (excluded[k] == j) return true;
    return false;
  }
};

}  // namespace upsweep::neighbors::detail
