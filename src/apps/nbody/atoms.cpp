// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "atoms.hpp"

#include <numeric>
#include <vector>

namespace nbody {
namespace {

template <class View, class Value>
void copy_in(space_type const& space, View const& view, std::vector<Value> const& values) {
  using device = Kokkos::View<Value*, memory_space, Kokkos::MemoryUnmanaged>;
  using host = Kokkos::View<Value const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  // Rows are packed, so rank 2 is rank 1 here.
  Kokkos::deep_copy(space, device(view.data(), values.size()), host(values.data(), values.size()));
  space.fence("upsweep-nbody::copy_in");  // values may be gone after the call
}

}  // namespace

atoms to_device(space_type const& space, upsweep::mpi::particle_piece const& piece) {
  auto const& data = piece.data;
  std::size_t const n = data.size();
  atoms a{make<vectors>(space, "upsweep-nbody::positions", n), make<vectors>(space, "upsweep-nbody::velocities", n),
          make<scalars>(space, "upsweep-nbody::masses", n), make<id_view>(space, "upsweep-nbody::ids", n)};
  copy_in(space, a.positions, data.positions);
  copy_in(space, a.velocities, data.velocities);
  std::vector<double> masses(n, 1.0);
  if (!data.masses.empty())
    for (std::size_t i = 0; i < n; ++i) masses[i] = data.masses[static_cast<std::size_t>(data.types[i] - 1)];
  copy_in(space, a.masses, masses);
  std::vector<std::int64_t> ids(n);
  std::iota(ids.begin(), ids.end(), piece.first);
  copy_in(space, a.ids, ids);
  return a;
}

}  // namespace nbody
