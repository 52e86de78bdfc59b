// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace upsweep {

/// Particles as a file holds them, in host memory, in ascending order of the file's ids.
/// The library's own ids are 0-based positions in this order: particle i of the library is the atom that the file calls
/// ids[i]. A file with atoms 7, 3, 5 gives ids {3, 5, 7}, and atom 3 is particle 0.
struct particle_data {
  std::array<double, 3> lo{}, hi{};  ///< borders of the box, before tilting
  std::array<double, 3> tilt{};      ///< xy, xz, yz of a triclinic box: edges (Lx,0,0), (xy,Ly,0), (xz,yz,Lz)
  /// Directions in which the box repeats, the others are open: pbc of extended XYZ. LAMMPS data files do not say.
  std::array<bool, 3> periodic{true, true, true};
  std::vector<double> masses;       ///< of type 1, 2, ...; empty where the file gives none
  std::vector<std::int64_t> ids;    ///< the file's ids, ascending
  std::vector<std::int32_t> types;  ///< from 1, as in the file
  std::vector<double> positions;    ///< x, y, z of particle 0, then of particle 1, ...; may lie outside the box
  std::vector<double> velocities;   ///< likewise; zero where the file gives none
  /// box lengths travelled in x, y, z, likewise; zero where the file gives none
  std::vector<std::int32_t> image_flags;

  // Of each particle where the file gives them, else empty.
  std::vector<double> particle_masses;  ///< extended XYZ gives these, LAMMPS data files give masses of types
  std::vector<double> charges;
  std::vector<double> radii;            ///< of spheres: half of the diameters that a LAMMPS file has
  std::vector<std::int64_t> molecules;  ///< the file's numbers; LAMMPS has 0 for atoms of no molecule

  /// The particles that bonds join, numbered as above, not by the file's ids: bonds[2 k] and bonds[2 k + 1], in the
  /// order of the file. special_neighbors() makes 1-2, 1-3 and 1-4 neighbours of them.
  std::vector<std::int64_t> bonds;
  std::vector<std::int32_t> bond_types;  ///< from 1

  /// Names of types, where an extended XYZ file gives each type one. Only for types that particles have.
  std::map<std::int32_t, std::string> species;

  /// Names of what else the file has, in its order: sections of LAMMPS and then columns of its style, keys of the last
  /// frame of extended XYZ and then its columns.
  std::vector<std::string> skipped;

  std::size_t size() const { return ids.size(); }
};

/// Sorts particles by their ids; all arrays except ids, types and positions may be empty, and bonds name the same
/// particles as before. Returns the smallest id that comes twice, if any does. Cost: one pass where they are sorted
/// already; else memory for the order and for one array.
std::optional<std::int64_t> sort_by_id(particle_data& data);

}  // namespace upsweep
