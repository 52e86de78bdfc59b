// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "atoms.hpp"

#include <numeric>
#include <vector>

namespace nbody {

std::vector<double> masses_of(upsweep::particle_data const& data) {
  if (!data.particle_masses.empty()) return data.particle_masses;
  std::vector<double> masses(data.size(), 1.0);
  if (!data.masses.empty())
    for (std::size_t i = 0; i < masses.size(); ++i)
      masses[i] = data.masses[static_cast<std::size_t>(data.types[i] - 1)];
  return masses;
}

atoms to_device(space_type const& space, upsweep::mpi::particle_piece const& piece) {
  auto const& data = piece.data;
  std::size_t const n = data.size();
  atoms a{make<vectors>(space, "upsweep-nbody::positions", n), make<vectors>(space, "upsweep-nbody::velocities", n),
          make<scalars>(space, "upsweep-nbody::masses", n),    make<id_view>(space, "upsweep-nbody::ids", n),
          make<type_view>(space, "upsweep-nbody::types", n),   make<crossing_view>(space, "upsweep-nbody::edges", n)};
  copy_rows_in(space, a.positions, data.positions.data());
  copy_rows_in(space, a.velocities, data.velocities.data());
  copy_rows_in(space, a.types, data.types.data());
  copy_rows_in(space, a.edges, data.image_flags.data());
  auto const masses = masses_of(data);
  copy_rows_in(space, a.masses, masses.data());
  std::vector<std::int64_t> ids(n);
  std::iota(ids.begin(), ids.end(), piece.first);
  copy_rows_in(space, a.ids, ids.data());
  return a;
}

}  // namespace nbody
