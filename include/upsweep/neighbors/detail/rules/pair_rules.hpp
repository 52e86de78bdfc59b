// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// What decides, beside the cutoff, whether a pair is in a list. The plain builder asks all rules of a pair at once;
/// those with masks ask about distances while they compute them, and about ids afterwards. Particles are named by their
/// places, since candidates that stand side by side are looked at together.
template <class Real>
struct pair_rules {
  bool half = false;
  int first_kept = internal::largest_value<int>;  ///< half lists keep all pairs with particles from this one on: ghosts
  /// Coordinates at each place, where a half list may meet a particle's own ghosts in image (0, 0, 0): what ids and
  /// images do not decide. Else null.
  Real const *x = nullptr, *y = nullptr, *z = nullptr;
  int const* order = nullptr;                  ///< particle at each place
  std::int64_t const* ids = nullptr;           ///< at each place; null: the particle itself
  int const* types = nullptr;                  ///< at each place
  Real const* radii = nullptr;                 ///< at each place
  Real const* type_cutoffs_squared = nullptr;  ///< (type_count, type_count)
  int type_count = 0;
  bool include_cutoff = true;                     ///< of radii; the other cutoffs are largest_square()
  std::size_t const* excluded_offsets = nullptr;  ///< of each row
  std::int64_t const* excluded = nullptr;
  int const* excluded_rows = nullptr;  ///< of each particle, its row of exclusions; null: its own number
  std::size_t most_in_row = no_limit;  ///< of the neighbours that other rules allow, a row keeps so many: the nearest

  static constexpr std::size_t no_limit = ~std::size_t(0);

  /// Whether it matters which particles a pair has.
  KOKKOS_FUNCTION bool limits_ids() const { return half || excluded_offsets != nullptr; }
  /// Whether some pairs within the cutoff are too far apart.
  KOKKOS_FUNCTION bool limits_distances() const { return types != nullptr || radii != nullptr; }

  /// Whether some rows keep the nearest alone.
  KOKKOS_FUNCTION bool limits_rows() const { return most_in_row != no_limit; }

  /// What rules about distances know of a particle; what no rule asks for is 0.
  struct limits {
    Real radius;
    int type;
  };
  /// Which particles a row does not have: excluded[first] to excluded[end - 1].
  struct exclusions {
    std::size_t first, end;
  };

  KOKKOS_FUNCTION limits limits_of(int place) const {
    return {radii == nullptr ? Real(0) : radii[place], types == nullptr ? 0 : types[place]};
  }
  KOKKOS_FUNCTION exclusions excluded_of(int place) const {
    if (excluded_offsets == nullptr) return {0, 0};
    int const row = excluded_row(place);
    return {excluded_offsets[row], excluded_offsets[row + 1]};
  }
  KOKKOS_FUNCTION int excluded_row(int place) const {
    return excluded_rows == nullptr ? order[place] : excluded_rows[order[place]];
  }

  /// Whether the row of the particle at place i keeps the one at place j in image s, at squared distance r2 within the
  /// cutoff: all rules of pairs together, as the plain builder asks them.
  KOKKOS_FUNCTION bool operator()(int i, int j, image s, Real r2) const {
    if (limits_distances() && !allows_distance(limits_of(i), limits_of(j), r2)) return false;
    if (half && !keeps(j) && !half_has(id(i), id(j), s) && !half_has_own_ghost(i, j, s)) return false;
    exclusions const without = excluded_of(i);
    for (std::size_t k = without.first; k < without.end; ++k)
      if (excluded[k] == id(j)) return false;
    return true;
  }

  /// Without branches that threads side by side would take for each other.
  KOKKOS_FUNCTION bool allows_distance(limits const& i, limits const& j, Real r2) const {
    bool in = true;
    if (types != nullptr) in = r2 <= type_cutoff_squared(i.type, j.type);
    if (radii != nullptr) {
      Real const most = i.radius + j.radius, square = most * most;
      in = in & (include_cutoff ? r2 <= square : r2 < square);
    }
    return in;
  }
  KOKKOS_FUNCTION Real type_cutoff_squared(int a, int b) const { return type_cutoffs_squared[a * type_count + b]; }

  KOKKOS_FUNCTION std::int64_t id(int place) const { return ids == nullptr ? order[place] : ids[place]; }

  /// Whether half lists keep every pair with the particle at this place.
  KOKKOS_FUNCTION bool keeps(int place) const { return keeps_some() && order[place] >= first_kept; }
  KOKKOS_FUNCTION bool keeps_some() const { return first_kept != internal::largest_value<int>; }
  /// Whether a particle may meet its own ghosts in image (0, 0, 0).
  KOKKOS_FUNCTION bool has_own_ghosts() const { return x != nullptr; }
  KOKKOS_FUNCTION bool half_has_own_ghost(int i, int j, image s) const {
    return has_own_ghosts() && s == image(0, 0, 0) && id(i) == id(j) &&
           points_up(x[j] - x[i], y[j] - y[i], z[j] - z[i]);
  }
  /// Of two opposite displacements from a particle to its own ghosts, one: whose first component that is not 0 is
  /// positive. What rounding has left of a 0 counts as 0, since it may have the same sign in both.
  KOKKOS_FUNCTION static bool points_up(Real dx, Real dy, Real dz) {
    Real const least = Real(1e-4) * (Kokkos::fabs(dx) + Kokkos::fabs(dy) + Kokkos::fabs(dz));
    return Kokkos::fabs(dx) > least ? dx > 0 : Kokkos::fabs(dy) > least ? dy > 0 : dz > 0;
  }

  /// Whether the half list has the pair in the row of `i`: rows are balanced, since half of a particle's partners are
  /// even. Of a particle and its own images, one of two opposite ones.
  KOKKOS_FUNCTION static bool half_has(std::int64_t i, std::int64_t j, image s) {
    if (i == j) return s.x() != 0 ? s.x() > 0 : s.y() != 0 ? s.y() > 0 : s.z() > 0;
    bool const even = ((static_cast<std::uint64_t>(i) ^ static_cast<std::uint64_t>(j)) & 1) == 0;
    return (i < j) == even;
  }
  /// The same of ids that differ by less than 2^31, from numbers of 32 bits (masks/hits.hpp says why).
  KOKKOS_FORCEINLINE_FUNCTION static int half_number(std::int64_t id) {
    auto const low = static_cast<std::uint32_t>(id);
    return static_cast<int>(low + (low << 31));
  }
  /// Of two of them: negative where the row of i has the pair.
  KOKKOS_FORCEINLINE_FUNCTION static int half_difference(int i, int j) {
    return static_cast<int>(static_cast<std::uint32_t>(i) - static_cast<std::uint32_t>(j));
  }
};

}  // namespace upsweep::neighbors::detail
