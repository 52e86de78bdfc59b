// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/neighbors/detail/grid/binned_particles.hpp>
#include <upsweep/neighbors/detail/rules/neighbor_search.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// A lower bound of the pairs inside one dense cell, without their distances: counting n coincident particles takes n
/// * n of them, and a list that cannot fit in memory should be refused before that.
///
/// The range of the cell's particles is cut into 4 x 4 x 4 bins. Where even the far corners of two bins are within the
/// cutoff, so are all pairs between them. Pairs of images and pairs of two cells are left out. Holds for lists without
/// types, radii and exclusions. One thread per cell, which reads its particles twice; cells that are not dense cost
/// one comparison.
template <class Real, class Systems = one_system<Real>>
struct pair_lower_bound {
  binned_particles<Real, Systems> particles;
  bool half;
  std::size_t most_in_row = pair_rules<Real>::no_limit;

  static constexpr int dense_cell = 1024;  ///< cells of fewer particles are left out, so that the pass is cheap

  KOKKOS_FUNCTION void operator()(std::int64_t cell, std::uint64_t& sum) const {
    sum += of_cell(static_cast<int>(cell));
  }

 private:
  static constexpr int cuts = 4, bins = cuts * cuts * cuts;

  struct places {
    int first, end;
    KOKKOS_FUNCTION int size() const { return end - first; }
  };

  KOKKOS_FUNCTION std::uint64_t of_cell(int cell) const {
    places const own{particles.starts.place(cell), particles.starts.place(cell + 1)};
    places const others{particles.candidates.place(cell), particles.candidates.place(cell + 1)};
    bool const two_sets = particles.has_two_sets();
    if (own.size() + (two_sets ? others.size() : 0) < dense_cell) return 0;
    double lo[3], extent[3];
    if (!measure(own, others, lo, extent)) return 0;

    std::uint32_t rows[bins] = {}, candidates[bins] = {};
    for (int k = own.first; k < own.end; ++k)
      if (particles.order[k] < particles.rows && unshifted(k)) ++rows[bin_of(k, lo, extent)];
    for (int k = others.first; k < others.end; ++k)
      if (unshifted(k)) ++candidates[bin_of(k, lo, extent)];

    std::uint64_t pairs = 0;
    for (int a = 0; a < bins; ++a) {
      if (rows[a] == 0) continue;
      std::uint64_t of_row = 0;
      for (int b = 0; b < bins; ++b)
        if (near(a, b, extent)) of_row += half ? rows[b] : candidates[b];
      // The particle itself; a query is no candidate.
      if (!two_sets && near(a, a, extent)) --of_row;
      pairs += rows[a] * (of_row < most_in_row ? of_row : most_in_row);
    }
    return half ? pairs / 2 : pairs;
  }

  /// Ghosts in other images have the coordinates of their owners, which give no distances.
  KOKKOS_FUNCTION bool unshifted(int k) const {
    return particles.images == nullptr || particles.images[k] == image(0, 0, 0);
  }

  /// The range of the particles; false where it is not one of finite numbers.
  KOKKOS_FUNCTION bool measure(places const& own, places const& others, double (&lo)[3], double (&extent)[3]) const {
    Real const* const x[3] = {particles.x, particles.y, particles.z};
    bool good = true;
    for (int d = 0; d < 3; ++d) {
      double low = 0, high = 0;
      bool any = false;
      auto const measure_all = [&](places const& of) {
        for (int k = of.first; k < of.end; ++k) {
          if (!unshifted(k)) continue;
          double const value = static_cast<double>(x[d][k]);
          low = any && low < value ? low : value;
          high = any && high > value ? high : value;
          any = true;
        }
      };
      measure_all(own);
      if (particles.has_two_sets()) measure_all(others);
      lo[d] = low;
      extent[d] = high - low;
      good = good && any && Kokkos::isfinite(extent[d]);
    }
    return good;
  }

  KOKKOS_FUNCTION int bin_of(int k, double const (&lo)[3], double const (&extent)[3]) const {
    return (bin_of(particles.z[k], lo[2], extent[2]) * cuts + bin_of(particles.y[k], lo[1], extent[1])) * cuts +
           bin_of(particles.x[k], lo[0], extent[0]);
  }
  KOKKOS_FUNCTION static int bin_of(Real x, double lo, double extent) {
    if (!(extent > 0)) return 0;
    int const bin = static_cast<int>((static_cast<double>(x) - lo) / extent * cuts);
    return bin < cuts ? bin : cuts - 1;
  }

  /// Whether any point of one bin is within the cutoff of any point of the other. The margin is larger than what bins
  /// and distances are rounded by.
  KOKKOS_FUNCTION bool near(int a, int b, double const (&extent)[3]) const {
    double squared = 0;
    for (int d = 0; d < 3; ++d, a /= cuts, b /= cuts) {
      int const apart = a % cuts > b % cuts ? a % cuts - b % cuts : b % cuts - a % cuts;
      double const longest = (apart + 1) * (extent[d] / cuts);
      squared += longest * longest;
    }
    return squared * (1 + 1e-5) <= static_cast<double>(particles.cutoff_squared);
  }
};

/// The bound for a whole list of so many cells with rows; 0 where there are rules that it does not know of. Waits for
/// the instance.
template <class ExecutionSpace, class Real, class Systems>
std::uint64_t count_pairs_of_dense_cells(ExecutionSpace const& space, neighbor_search<Real, Systems> const& search,
                                         int cells) {
  auto const& rules = search.rules;
  if (rules.limits_distances() || rules.excluded_offsets != nullptr) return 0;
  std::uint64_t pairs = 0;
  Kokkos::parallel_reduce("upsweep::neighbor_list::pair_lower_bound",
                          internal::index_policy(space, static_cast<std::size_t>(cells)),
                          pair_lower_bound<Real, Systems>{search.particles, rules.half, rules.most_in_row}, pairs);
  return pairs;
}

}  // namespace upsweep::neighbors::detail
