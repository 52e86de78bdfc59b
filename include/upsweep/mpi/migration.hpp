// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_memory.hpp>
#include <upsweep/mpi/detail/bricks/crossings.hpp>
#include <upsweep/mpi/detail/bricks/positions.hpp>
#include <upsweep/mpi/detail/rows/kept_rows.hpp>
#include <upsweep/mpi/detail/rows/listed_rows.hpp>
#include <upsweep/mpi/detail/rows/row_carrier.hpp>
#include <upsweep/mpi/detail/rows/rows.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/mpi/internal/fingerprint.hpp>
#include <upsweep/mpi/redistribution.hpp>
#include <upsweep/neighbors/internal/wrap_in_place.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep::mpi {

namespace detail {

/// The rank that owns a particle of an orthogonal box once it is wrapped; -1 for one that cannot migrate. Most are
/// where they were: what is inside of a brick needs no wrapping and has no fault.
template <class Positions, class Crossings, class Real>
struct find_owner {
  Positions positions;
  Crossings crossings;
  domain<Real> parts;
  is_outside<Positions, Real> left;  ///< the brick of rank `own`
  int own;
  int* destinations;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const i = static_cast<std::size_t>(k);
    int owner = own;
    if (left(i))
      owner = cannot_migrate<Positions, Crossings, Real>{positions, crossings, parts.box()}(i) ? -1 : owner_of(i);
    destinations[i] = owner;
  }
  KOKKOS_FUNCTION int owner_of(std::size_t i) const {
    Kokkos::Array<Real, 3> x;
    for (int d = 0; d < 3; ++d) x[d] = parts.box().wrap(positions(i, d), d);
    return parts.owner_of_place(x);
  }
};

/// The same in a triclinic box.
template <class Positions, class Crossings, class Real>
struct find_owner_along_edges {
  Positions positions;
  Crossings crossings;
  domain<Real> parts;
  int* destinations;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const i = static_cast<std::size_t>(k);
    Kokkos::Array<Real, 3> const x{positions(i, 0), positions(i, 1), positions(i, 2)};
    auto const wrapped = parts.box().wrap(x);
    bool const bad = cannot_migrate<Positions, Crossings, Real>{positions, crossings, parts.box()}(i);
    destinations[i] = bad ? -1 : parts.owner_of_place(access::frame(parts).triclinic_place(wrapped));
  }
};

/// What a migration does, with memory that is kept.
template <class ExecutionSpace>
class migrator {
 public:
  using carrier = row_carrier<ExecutionSpace>;
  explicit migrator(typename carrier::memory wanted) : carrier_(wanted) {}

  /// crossings: one of `views`, which travel, or no_crossings.
  template <class Real, class Positions, class Crossings, class... Views>
  void run(communicator const& comm, ExecutionSpace const& space, domain<Real> const& parts, char const* function,
           Positions& positions, Crossings const& crossings, Views&... views) {
    static_assert(
        std::is_same_v<typename Positions::value_type, Real>,
        "upsweep::mpi::migrate: positions are a View of the domain's floating-point type that can be written.");
    internal::fingerprint arguments;
    arguments.text(function).value(sizeof...(Views));
    access::describe(parts, arguments);
    add_view(arguments, positions);
    (add_view(arguments, views), ...);
    auto const list = [&](leaving_rows<ExecutionSpace>& rows) {
      std::size_t const n = positions.extent(0);
      check(comm, parts, function, positions, views...);
      check_crossings(function, crossings);
      auto const bad = list_by_owner(comm, space, parts, positions, crossings, rows);
      if (bad < n) refuse(space, parts.box(), function, positions, crossings, bad);
    };
    static constexpr char const* what = "the domain, and the number, types and columns of the Views";
    // Positions travel as they are and are wrapped on arrival, so that nothing is written before all has succeeded.
    carrier_.move(comm, space, arguments, function, what, list, positions, views...);
    auto const wrap = [&](auto const& wrap_one) {
      launch_without_memory(space, "upsweep::migrate::wrap", positions.extent(0), wrap_one);
    };
    auto const& box = parts.box();
    if (box.is_orthogonal())
      wrap(upsweep::internal::wrap_and_count<Positions, Crossings, Real>{positions, crossings, box});
    else wrap(upsweep::internal::wrap_along_edges<Positions, Crossings, Real>{positions, crossings, box});
    fence_without_memory(space, "upsweep::migrate");
  }

 private:
  template <class Real, class Positions, class... Views>
  static void check(communicator const& comm, domain<Real> const& parts, char const* function,
                    Positions const& positions, Views const&... views) {
    if (parts.size() != comm.size())
      throw precondition_error(std::string(function) + ": the domain has " + std::to_string(parts.size()) +
                               " bricks, the communicator " + std::to_string(comm.size()) + " ranks");
    if (positions.extent(1) != 3)
      throw precondition_error(std::string(function) + ": positions has " + std::to_string(positions.extent(1)) +
                               " columns");
    [[maybe_unused]] std::size_t which = 0;
    (require_rows(views, which++, positions.extent(0), "positions", function), ...);
  }

  template <class Crossings>
  static void check_crossings(char const* function, Crossings const& crossings) {
    if constexpr (!std::is_same_v<Crossings, no_crossings>)
      if (crossings.extent(1) != 3)
        throw precondition_error(std::string(function) + ": crossings has " + std::to_string(crossings.extent(1)) +
                                 " columns");
  }

  /// Throws for a particle that cannot migrate.
  template <class Real, class Positions, class Crossings>
  [[noreturn]] static void refuse(ExecutionSpace const& space, upsweep::box<Real> const& box, char const* function,
                                  Positions const& positions, Crossings const& crossings, std::size_t particle) {
    auto const x = row_of_three(space, positions, particle);
    auto const subject =
        std::string(function) + ": " + describe_position(space, positions, particle) + " (index on this rank) ";
    if constexpr (!std::is_same_v<Crossings, no_crossings>)
      if (!box.fault(x))
        if (auto const overflow = overflow_of(box, x, row_of_three(space, crossings, particle)))
          throw overflow_error(subject + describe(box, overflow));
    throw precondition_error(subject + why_no_place(box, x));
  }

  /// Lists particles by their owners; returns the first that cannot migrate, or their number.
  template <class Real, class Positions, class Crossings>
  std::size_t list_by_owner(communicator const& comm, ExecutionSpace const& space, domain<Real> const& parts,
                            Positions const& positions, Crossings const& crossings,
                            leaving_rows<ExecutionSpace>& rows) {
    std::size_t const n = positions.extent(0);
    if (comm.size() == 1)
      return rows.stay_where_good(
          space, n, cannot_migrate<Positions, Crossings, Real>{positions, crossings, parts.box()}, "migrate");
    grow_with_headroom(space, destinations_, n, "destinations");
    auto const find = [&](auto const& owner_of_one) {
      upsweep::internal::for_each_index(space, "upsweep::migrate::owner", n, owner_of_one);
    };
    int const me = comm.rank();
    int* const owners = destinations_.data();
    if (parts.box().is_orthogonal())
      find(find_owner<Positions, Crossings, Real>{
          positions, crossings, parts, {positions, parts.brick(me)}, me, owners});
    else find(find_owner_along_edges<Positions, Crossings, Real>{positions, crossings, parts, owners});
    return rows.find(space, n, destinations_, comm.size(), comm.rank());
  }

  carrier carrier_;
  Kokkos::View<int*, typename ExecutionSpace::memory_space> destinations_;
};

}  // namespace detail

/// Particles to the ranks that own their places, step after step, with memory that is kept: `migration<Space> m;`, then
/// `m.run(comm, space, parts, positions, velocities, ids);` as often as wanted. What redistribution says of memory is
/// so here, except that a rank that no particle leaves or reaches wraps its positions where they are.
/// Pre: one execution-space instance for all calls.
template <class ExecutionSpace>
class migration {
 public:
  /// Positions are wrapped into the box and travel with all further Views to the owners.
  ///
  /// Pre: all ranks call it; positions is a View (n, 3) of Real, further Views as in redistribution::run, with n rows.
  /// Cost: a pass over positions that finds the owners, then as redistribution::run, and a pass that wraps, which
  /// writes only what is not in the box. With one rank, two passes over positions: the Views stay.
  /// Order: by source rank, then in the source's order. Deterministic.
  /// Sync: collective; waits for the instance.
  /// Throws: on all ranks alike, with all Views untouched: precondition_error naming rank and particle for a position
  /// with a box::fault(), or on the upper border of an open direction of an orthogonal box; for domains that differ; as
  /// redistribution::run.
  template <class Real, detail::view_of_positions Positions, detail::view_of_rows... Views>
  void run(communicator const& comm, ExecutionSpace const& space, domain<Real> const& parts, Positions& positions,
           Views&... views) {
    migrator_.run(comm, space, parts, "mpi::migrate", positions, detail::no_crossings{}, views...);
  }

  /// The same, where `crossings`, a View (n, 3) of int, counts for each particle the box lengths that wrapping took
  /// away: unwrapped position = position + crossings * length, up to rounding. It travels along. In a triclinic box it
  /// counts edges: unwrapped position = position + crossings(i, 0) * a + crossings(i, 1) * b + crossings(i, 2) * c.
  /// Throws: as run; and overflow_error naming rank and particle for a count that would leave the range of int.
  template <class Real, detail::view_of_positions Positions, detail::view_of_rows Crossings,
            detail::view_of_rows... Views>
  void run_and_count(communicator const& comm, ExecutionSpace const& space, domain<Real> const& parts,
                     Positions& positions, Crossings& crossings, Views&... views) {
    static_assert(compat::rank<Crossings> == 2 && std::is_same_v<typename Crossings::value_type, int>,
                  "upsweep::mpi::migration: crossings is a View (n, 3) of int.");
    // By reference: rows are counted on arrival, in what `crossings` shows then.
    migrator_.run(comm, space, parts, "mpi::migrate_and_count", positions, crossings, crossings, views...);
  }

 private:
  detail::migrator<ExecutionSpace> migrator_{detail::row_carrier<ExecutionSpace>::memory::with_headroom};
};

}  // namespace upsweep::mpi
