// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Ghosts as LAMMPS, miniMD and ExaMiniMD have them: copies of particles, shifted by edges, in a box that is open.

#include "../oracle/points.hpp"
#include "host_list.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace oracle {

/// Whose copy a particle is, and shifted by how many edges.
struct ghost_of {
  std::size_t owner;
  std::array<int, 3> shift;
};

template <class Real>
struct shifted_ghosts {
  list_problem<Real> problem;  ///< n particles with rows and their ghosts in an open box; ids are 5000 - 7 * owner
  std::vector<ghost_of> owners;
};

/// n random particles of a box that is periodic in all directions, and their ghosts within the cutoff of it.
template <class Real>
shifted_ghosts<Real> with_shifted_ghosts(cell_box<Real> const& cell, std::size_t n, Real cutoff, unsigned seed) {
  shifted_ghosts<Real> made{{{cell.lo, cell.hi, {false, false, false}}, uniform_points(n, cell, seed), cutoff, {}}, {}};
  auto& p = made.problem;
  for (std::size_t i = 0; i < n; ++i) made.owners.push_back({i, {0, 0, 0}});
  std::array<int, 3> reach{};
  for (int d = 0; d < 3; ++d) {
    auto const k = static_cast<std::size_t>(d);
    reach[k] = static_cast<int>(std::ceil(cutoff / cell.length(d)));
    p.box.lo[k] -= Real(1.01) * cutoff;
    p.box.hi[k] += Real(1.01) * cutoff;
  }
  for (std::size_t i = 0; i < n; ++i)
    for (int z = -reach[2]; z <= reach[2]; ++z)
      for (int y = -reach[1]; y <= reach[1]; ++y)
        for (int x = -reach[0]; x <= reach[0]; ++x) {
          if (x == 0 && y == 0 && z == 0) continue;
          std::array<int, 3> const s{x, y, z};
          auto ghost = p.x[i];
          bool near = true;
          for (std::size_t d = 0; d < 3; ++d) {
            ghost[d] += Real(s[d]) * cell.length(static_cast<int>(d));
            near = near && ghost[d] >= cell.lo[d] - cutoff && ghost[d] <= cell.hi[d] + cutoff;
          }
          if (!near) continue;
          p.x.push_back(ghost);
          made.owners.push_back({i, s});
        }
  p.rules.rows = static_cast<std::int64_t>(n);
  for (auto const& owner : made.owners) p.rules.ids.push_back(5000 - 7 * static_cast<std::int64_t>(owner.owner));
  return made;
}

}  // namespace oracle
