// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/special/bond_rows.hpp>
#include <upsweep/pack/lists.hpp>
#include <upsweep/pack/pack_lists.hpp>
#include <upsweep/pack/pack_unique_rows.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep {

/// How many bonds there are between a particle and its special neighbours, by the shortest way. No workspace and no
/// label: bonds are those of a system, which become rows once.
struct special_options {
  int fewest = 1;
  int most = 3;
};

/// The special neighbours of each particle: those that one, two or three bonds join it to (1-2, 1-3 and 1-4
/// neighbours), as rows in ascending order. The bonds 0-1, 1-2, 2-3 give the rows 1 2 3, 0 2 3, 0 1 3 and 0 1 2.
/// A list of the particles of a file that leaves them out, as LAMMPS with `special_bonds lj/coul 0 0 0`:
///
///   Kokkos::View<std::int64_t const* [2], Kokkos::HostSpace> bonds(data.bonds.data(), data.bond_types.size());
///   auto const special = special_neighbors(space, data.size(), bonds);
///   neighbor_list nl(space, x, box, cutoff, {.exclusions = {special.offsets, special.values}});
///
/// Of several ways the shortest one counts, as in LAMMPS without `angle yes` and `dihedral yes`: options {3, 3} give
/// the 1-4 neighbours alone, {1, 2} what `special_bonds lj/coul 0 0 0.5` leaves out.
///
/// bonds: a View (bonds, 2) of integers, two particles from 0 to n - 1 each. A bond may be there twice.
/// Cost: two sorts of 2 bonds; a pack_unique_rows for each bond more than one.
/// Order: the result is one, on every backend, number of threads and run. Sync: waits for the instance.
/// Throws: precondition_error (n < 0; extent of bonds; the first bond of other particles, or of one with itself;
///   fewest < 1, most < fewest), out_of_memory_error.
template <class ExecutionSpace, class Bonds>
lists<std::int64_t, typename ExecutionSpace::memory_space> special_neighbors(ExecutionSpace const& space, std::size_t n,
                                                                             Bonds const& bonds,
                                                                             special_options const& options = {}) {
  static_assert(Kokkos::is_view_v<Bonds> && compat::rank<Bonds> == 2 && std::is_integral_v<typename Bonds::value_type>,
                "upsweep::special_neighbors: bonds is a View (bonds, 2) of integers.");
  static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename Bonds::memory_space>::accessible,
                "upsweep::special_neighbors: bonds cannot be reached by kernels of this execution space.");
  static constexpr char const* function = "special_neighbors";
  internal::checked_size(n, function);
  internal::require(bonds.extent(1) == 2, function,
                    [&] { return "bonds has " + std::to_string(bonds.extent(1)) + " columns; it needs 2"; });
  internal::require(options.fewest >= 1 && options.most >= options.fewest, function, [&] {
    return "from " + std::to_string(options.fewest) + " to " + std::to_string(options.most) +
           " bonds; it needs 1 or more, and no more than the second number";
  });
  auto const bonded = neighbors::detail::rows_of_bonds(space, n, bonds, function);
  using rows = std::remove_const_t<decltype(bonded)>;
  auto reached = bonded;
  rows nearer;
  for (int k = 2; k <= options.most; ++k) {
    if (k == options.fewest) nearer = reached;
    auto const farther =
        pack_unique_rows<std::int64_t>(space, n, neighbors::detail::emit_one_bond_more<rows>{bonded, reached});
    bool const nobody_new = farther.total() == reached.total();
    reached = farther;
    if (!nobody_new) continue;
    if (k < options.fewest) nearer = reached;
    break;
  }
  if (options.fewest == 1) return reached;
  return pack_lists<std::int64_t>(space, n, neighbors::detail::emit_others<rows>{reached, nearer});
}

}  // namespace upsweep
