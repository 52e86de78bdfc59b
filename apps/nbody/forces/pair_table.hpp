// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../neighbor_positions.hpp"
#include "../options.hpp"
#include "../types.hpp"
#include "own_pair.hpp"
#include "pair_laws.hpp"

#include <upsweep/neighbors/neighbor_lanes.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <type_traits>

namespace nbody {

enum class pair_law { lennard_jones, soft_sphere, own };

/// Pairs whose coefficients depend on the types of both particles, or that are not Lennard-Jones pairs.
struct pair_table {
  /// Rows of four, so that the force loop reads several pairs at once as it reads positions.
  using coefficients = Kokkos::View<double* [4], Kokkos::LayoutRight, memory_space>;

  pair_law law = pair_law::lennard_jones;
  int types = 1;
  coefficients of_forces;    ///< a row for each pair of types: squared cutoff, 1 / sigma^2, epsilon / sigma^2, unused
  coefficients of_energies;  ///< the same: squared cutoff, 1 / sigma^2, epsilon, energy at the cutoff (0: not shifted)

  /// No more types than this are few: then force loops of GPUs choose between the coefficients of a particle with each
  /// type, which stay in registers.
  static constexpr int few = 2;

  /// The row of particles i and j in both.
  template <class I, class J>
  KOKKOS_FORCEINLINE_FUNCTION int row(neighbor_positions const& positions, I i, J j) const {
    return positions.type(i) * types + positions.type(j);
  }
  /// The first three numbers of of_forces, of types a and b. Pre: there are few types.
  KOKKOS_FORCEINLINE_FUNCTION auto force_coefficients_of_few(std::int32_t a, std::int32_t b) const {
    auto const with_first = upsweep::gather_positions(of_forces, a * types);
    auto const with_last = upsweep::gather_positions(of_forces, a * types + types - 1);
    auto result = with_first;
    for (std::size_t k = 0; k < 3; ++k) result[k] = b == 0 ? with_first[k] : with_last[k];
    return result;
  }
  /// The first three numbers of of_forces, of i with one neighbour or with several at once.
  template <class J>
  KOKKOS_FORCEINLINE_FUNCTION auto force_coefficients(neighbor_positions const& positions, std::size_t i,
                                                      J const& j) const {
    if constexpr (std::is_integral_v<J>) {
      return upsweep::gather_positions(of_forces, row(positions, i, j));
    } else {
      J rows;
      for (std::size_t lane = 0; lane < std::size(j.index); ++lane) rows.index[lane] = row(positions, i, j.index[lane]);
      return upsweep::gather_positions(of_forces, rows);
    }
  }
};

/// The table that the options ask for. None where all particles have the plain Lennard-Jones pair, which has a faster
/// force loop. Local.
std::optional<pair_table> make_pair_table(space_type const& space, options const& o, std::int32_t types);

/// Calls f(law) with the law of the table.
template <class F>
auto with_law(pair_table const& table, F&& f) {
  switch (table.law) {
    case pair_law::soft_sphere: return f(soft_sphere_law{});
    case pair_law::own: return f(own_law{});
    case pair_law::lennard_jones: break;
  }
  return f(lennard_jones_law{});
}

}  // namespace nbody
