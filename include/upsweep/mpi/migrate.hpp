// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>
#include <upsweep/mpi/migration.hpp>

#include <type_traits>

namespace upsweep::mpi {

/// Every particle to the rank that owns its place: positions are wrapped into the box and travel with all further Views
/// to the owners: `migrate(comm, space, parts, positions, velocities, ids);` For one call; what happens in every step
/// is a migration, which keeps its memory.
///
/// Pre, Order, Sync, Throws: as migration::run.
/// Cost: as the first call of a migration. The Views become new ones that have no more memory than their rows take, on
/// a rank that no particle leaves or reaches they stay.
template <execution_space_argument ExecutionSpace, class Real, detail::view_of_positions Positions,
          detail::view_of_rows... Views>
void migrate(communicator const& comm, ExecutionSpace const& space, domain<Real> const& parts, Positions& positions,
             Views&... views) {
  detail::migrator<ExecutionSpace> once(detail::row_carrier<ExecutionSpace>::memory::exact);
  once.run(comm, space, parts, "mpi::migrate", positions, detail::no_crossings{}, views...);
}

/// The same, where `crossings`, a View (n, 3) of int, counts box lengths, as in migration::run_and_count.
template <execution_space_argument ExecutionSpace, class Real, detail::view_of_positions Positions,
          detail::view_of_rows Crossings, detail::view_of_rows... Views>
void migrate_and_count(communicator const& comm, ExecutionSpace const& space, domain<Real> const& parts,
                       Positions& positions, Crossings& crossings, Views&... views) {
  static_assert(compat::rank<Crossings> == 2 && std::is_same_v<typename Crossings::value_type, int>,
                "upsweep::mpi::migrate_and_count: crossings is a View (n, 3) of int.");
  detail::migrator<ExecutionSpace> once(detail::row_carrier<ExecutionSpace>::memory::exact);
  once.run(comm, space, parts, "mpi::migrate_and_count", positions, crossings, crossings, views...);
}

UPSWEEP_WITHOUT_COMMUNICATOR(migrate)
UPSWEEP_WITHOUT_COMMUNICATOR(migrate_and_count)

}  // namespace upsweep::mpi
