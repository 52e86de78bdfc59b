// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../types.hpp"

#include <upsweep/io/mpi/lammps_data.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace nbody {

/// Rows of particles in order of ids, for files that are the same on any number of ranks: rank r of P gets those of ids
/// [r n / P, (r + 1) n / P) of n, whatever rank has them.
class rows_by_id {
 public:
  /// ids: those of this rank's particles, of n in all. Collective; throws on all ranks alike.
  rows_by_id(upsweep::mpi::communicator const& comm, space_type const& space, id_view const& ids, std::int64_t n);

  /// The ids whose rows this rank gets.
  upsweep::mpi::id_range const& range() const { return range_; }

  /// The rows of a View in order of ids, packed, in host memory. Row i of the View belongs to ids(i). Cost: memory for
  /// the rows twice on the device, and once on the host. Collective; throws on all ranks alike.
  std::vector<double> fetch(vectors const& view) const;
  std::vector<double> fetch(scalars const& view) const;
  std::vector<int> fetch(crossing_view const& view) const;
  std::vector<std::int32_t> fetch(type_view const& view) const;

 private:
  template <class View>
  std::vector<typename View::non_const_value_type> fetch_rows(View view) const;

  upsweep::mpi::communicator comm_;
  space_type space_;
  id_view ids_;
  Kokkos::View<int*, memory_space> writers_;
  upsweep::mpi::id_range range_;
};

}  // namespace nbody
