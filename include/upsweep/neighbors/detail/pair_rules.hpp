// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// What decides, beside the cutoff, whether a pair is in a list: one predicate for all builders and passes.
template <class Real>
struct pair_rules {
  bool half = false;
  std::int64_t const* ids = nullptr;
  int const* types = nullptr;
  Real const* type_cutoffs_squared = nullptr;  ///< (type_count, type_count)
  int type_count = 0;
  double const* radii = nullptr;
  std::size_t const* excluded_offsets = nullptr;
  std::int64_t const* excluded = nullptr;

  /// Whether there are any.
  bool any() const { return half || types != nullptr || radii != nullptr || excluded_offsets != nullptr; }

  /// Whether row i keeps j in image s, at squared distance r2 within the cutoff.
  KOKKOS_FUNCTION bool operator()(int i, int j, image s, Real r2) const {
    if (half && !in_row_of(id(i), id(j), s)) return false;
    if (types != nullptr && r2 > type_cutoffs_squared[types[i] * type_count + types[j]]) return false;
    if (radii != nullptr) {
      Real const most = static_cast<Real>(radii[i]) + static_cast<Real>(radii[j]);
      if (r2 > most * most) return false;
    }
    return excluded_offsets == nullptr || !excludes(i, id(j));
  }

 private:
  KOKKOS_FUNCTION std::int64_t id(int i) const { return ids == nullptr ? i : ids[i]; }

  /// Whether the half list has the pair in the row of `i`: rows are balanced, since half of a particle's
  /// partners are even.
  KOKKOS_FUNCTION static bool in_row_of(std::int64_t i, std::int64_t j, image s) {
    if (i == j) return s.x() != 0 ? s.x() > 0 : s.y() != 0 ? s.y() > 0 : s.z() > 0;
    bool const even = ((static_cast<std::uint64_t>(i) ^ static_cast<std::uint64_t>(j)) & 1) == 0;
    return (i < j) == even;
  }

  KOKKOS_FUNCTION bool excludes(int i, std::int64_t j) const {
    for (std::size_t k = excluded_offsets[i]; k < excluded_offsets[i + 1]; ++k)
      if (excluded[k] == j) return true;
    return false;
  }
};

}  // namespace upsweep::neighbors::detail
