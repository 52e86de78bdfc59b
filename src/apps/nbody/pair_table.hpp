// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "options.hpp"
#include "own_pair.hpp"
#include "pair_laws.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace nbody {

enum class pair_law { lennard_jones, soft_sphere, own };

/// Pairs whose coefficients depend on the types of both particles, or that are not Lennard-Jones pairs. Positions have
/// the type, from 0, in their fourth column.
struct pair_table {
  /// One row for each pair of types: the squared cutoff, 1 / sigma^2, epsilon / sigma^2, epsilon, and the energy at the
  /// cutoff (0 where energies are not shifted).
  using coefficients = Kokkos::View<double* [5], Kokkos::LayoutRight, memory_space>;

  pair_law law = pair_law::lennard_jones;
  int types = 1;
  coefficients of;

  /// The coefficients of particles i and j.
  KOKKOS_FUNCTION double const* row(padded_vectors const& positions, std::size_t i, std::size_t j) const {
    return of.data() + 5 * (static_cast<int>(positions(i, 3)) * types + static_cast<int>(positions(j, 3)));
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
    default: return f(lennard_jones_law{});
  }
}

}  // namespace nbody
