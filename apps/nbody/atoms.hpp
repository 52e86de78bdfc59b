// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "types.hpp"

#include <upsweep/io/mpi/lammps_data.hpp>

#include <cstddef>
#include <vector>

namespace nbody {

/// The particles of this rank's brick, on the device.
struct atoms {
  vectors positions;  ///< wrapped at each rebuild of the list, free in between
  vectors velocities;
  scalars masses;
  id_view ids;          ///< 0-based
  type_view types;      ///< from 1
  crossing_view edges;  ///< edges of the box that wrapping took off: position + edges is the unwrapped position

  std::size_t size() const { return ids.extent(0); }
};

/// Fills a packed View from host memory.
template <class View>
void copy_rows_in(space_type const& space, View const& view, typename View::const_value_type* values) {
  using T = typename View::non_const_value_type;
  Kokkos::deep_copy(space, Kokkos::View<T*, memory_space, Kokkos::MemoryUnmanaged>(view.data(), view.size()),
                    Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values, view.size()));
  space.fence("upsweep-nbody::copy_rows_in");  // values may be gone after the call
}

/// The mass of each particle: its own, or that of its type, or 1 where the data has neither.
std::vector<double> masses_of(upsweep::particle_data const& data);

/// Copies a piece of the start to the device.
atoms to_device(space_type const& space, upsweep::mpi::particle_piece const& piece);

}  // namespace nbody
