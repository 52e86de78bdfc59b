// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/index_policy.hpp>
#include <upsweep/base/internal/require.hpp>
#include <upsweep/mpi/detail/positions.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/mpi/redistribute.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace upsweep::mpi {

namespace detail {

struct no_crossings {};

/// The rank that owns a particle once it is wrapped.
template <class Positions, class Real, class Destinations>
struct find_owner {
  Positions positions;
  domain<Real> parts;
  Destinations destinations;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    Real x[3];
    for (int d = 0; d < 3; ++d) x[d] = parts.box().wrap(positions(i, d), d);
    destinations(i) = parts.owner(x[0], x[1], x[2]);
  }
};

/// Wraps one particle and counts the box lengths that this takes away. A second time it changes nothing.
template <class Positions, class Crossings, class Real>
struct wrap_and_count {
  Positions positions;
  Crossings crossings;
  upsweep::box<Real> box;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    for (int d = 0; d < 3; ++d) {
      Real const before = positions(i, d);
      Real const after = box.wrap(before, d);
      positions(i, d) = after;
      if constexpr (!std::is_same_v<Crossings, no_crossings>)
        crossings(i, d) += static_cast<int>(Kokkos::round((before - after) / box.length(d)));
    }
  }
};

/// crossings: one of `views`, which travel, or no_crossings.
template <class ExecutionSpace, class Real, class Positions, class Crossings, class... Views>
void migrate_call(communicator const& comm, ExecutionSpace const& space, domain<Real> const& parts,
                  char const* function, Positions& positions, Crossings const& crossings, Views&... views) {
  static_assert(std::is_same_v<typename Positions::value_type, Real>,
                "upsweep::mpi::migrate: positions are a View of the domain's floating-point type that can be written.");
  std::size_t const n = positions.extent(0);
  internal::fingerprint arguments;
  arguments.text(function);
  parts.describe(arguments);
  using owners = Kokkos::View<int*, typename ExecutionSpace::memory_space>;
  owners destinations;
  all_or_none_checked(comm, arguments, function, "the domain", [&] {
    internal::require(parts.size() == comm.size(), function,
                      "the domain has " + std::to_string(parts.size()) + " bricks, the communicator " +
                          std::to_string(comm.size()) + " ranks");
    internal::require(positions.extent(1) == 3, function,
                      "positions has " + std::to_string(positions.extent(1)) + " columns");
    [[maybe_unused]] std::size_t which = 0;
    (require_rows(views, n, function, which++), ...);
    auto const bad = first_bad_row(space, n, has_no_place<Positions, Real>{positions, parts.box()}, "migrate");
    if (bad < n)
      throw precondition_error(std::string(function) + ": " + describe_position(space, positions, bad) +
                               " (index on this rank) " +
                               why_no_place(parts.box(), position_of(space, positions, bad)));
    if (comm.size() == 1) return;
    destinations = allocate<int>(space, n, "migrate", "destinations");
    Kokkos::parallel_for("upsweep::migrate::owner", upsweep::internal::index_policy(space, n),
                         find_owner<Positions, Real, owners>{positions, parts, destinations});
  });
  // Positions travel as they are and are wrapped on arrival, so that nothing is written before all has succeeded.
  if (comm.size() > 1) redistribute(comm, space, destinations, positions, views...);
  launch_without_memory("upsweep::migrate::wrap", upsweep::internal::index_policy(space, positions.extent(0)),
                        wrap_and_count<Positions, Crossings, Real>{positions, crossings, parts.box()});
  fence_without_memory(space, "upsweep::migrate");
}

}  // namespace detail

/// Every particle to the rank that owns its place: positions are wrapped into the box and travel with all further Views
/// to the owners; the Views become new ones: `migrate(comm, space, parts, positions, velocities, ids);`
///
/// Pre: all ranks call it; positions is a View (n, 3) of Real, further Views as in redistribute, with n rows.
/// Cost: three passes over positions and as redistribute. With one rank, two passes: the Views stay.
/// Order: by source rank, then in the source's order. Deterministic.
/// Sync: collective; waits for the instance.
/// Throws: on all ranks alike, with all Views untouched: precondition_error naming rank and particle for a position
/// with a box::fault(), or on the upper border of an open direction; as redistribute.
template <class ExecutionSpace, class Real, detail::view_of_positions Positions, detail::view_of_rows... Views>
void migrate(communicator const& comm, ExecutionSpace const& space, domain<Real> const& parts, Positions& positions,
             Views&... views) {
  detail::migrate_call(comm, space, parts, "mpi::migrate", positions, detail::no_crossings{}, views...);
}

/// The same, where `crossings`, a View (n, 3) of int, counts for each particle the box lengths that wrapping took away:
/// unwrapped position = position + crossings * length, up to rounding. It travels along.
template <class ExecutionSpace, class Real, detail::view_of_positions Positions, detail::view_of_rows Crossings,
          detail::view_of_rows... Views>
void migrate_and_count(communicator const& comm, ExecutionSpace const& space, domain<Real> const& parts,
                       Positions& positions, Crossings& crossings, Views&... views) {
  static_assert(compat::rank<Crossings> == 2 && std::is_same_v<typename Crossings::value_type, int>,
                "upsweep::mpi::migrate_and_count: crossings is a View (n, 3) of int.");
  // By reference: redistribute makes `crossings` a new View, and its rows are counted on arrival.
  detail::migrate_call(comm, space, parts, "mpi::migrate_and_count", positions, crossings, crossings, views...);
}

}  // namespace upsweep::mpi
