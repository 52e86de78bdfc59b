// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/optional_view.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/particle_ids.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace upsweep {

/// How the pairs are found. All builders make the same list in the same order.
enum class neighbor_builder {
  automatic,  ///< masks where there is one for the execution space (OpenMP, Serial, CUDA), else plain; on CUDA few
              ///< particles (up to 5280; 3584 where scratch is small) by fewer launches
  plain,      ///< one thread per particle: distances once to count, once to emit
  masks       ///< particles of a cell, or of sparse cells side by side, together: distances once, hits kept as bits
};

/// The order of the neighbours in a row.
enum class row_order {
  cells,  ///< by size class where radii differ much, by cell (z, y, x), in a cell by (id, image): as they are found
  sorted  ///< by (id, image); on GPUs another pass over the list
};

/// Partners that a particle does not have as neighbours (bonded atoms, say), in any image: those of particle i are
/// ids(offsets(i)) ... ids(offsets(i+1) - 1), in no particular order. A pair is left out of row i when row i says so;
/// name both directions. One entry of offsets more than there are rows.
struct neighbor_exclusions {
  optional_view<Kokkos::View<std::size_t const*, Kokkos::AnonymousSpace>> offsets = {};
  optional_view<Kokkos::View<std::int64_t const*, Kokkos::AnonymousSpace>> ids = {};
};

/// Options of a neighbour list: `neighbor_list nl(space, positions, box, cutoff, {.half = true, .pair_images = true});`
/// They stand in the order in which programs come to need them: which pairs count, what is kept of them and in what
/// order, then ghosts and ids, exclusions, and how the list is built. C++ takes designators in this order alone.
/// Views given here are read at each build and must stay alive until the last one. A View that is given counts even if
/// it is empty, as on a rank without particles.
/// No workspace and no label: a list keeps its memory between builds, and its kernels have its name.
/// Throws: precondition_error for a View in memory that the kernels cannot read.
struct neighbor_options {
  template <class T>
  using input = Kokkos::View<T const*, Kokkos::AnonymousSpace>;
  template <class T>
  using optional_input = optional_view<input<T>>;

  /// The type of each particle, for type_cutoffs: from 0. (Files of LAMMPS count them from 1.)
  optional_input<int> types = {};
  /// Cutoff of each pair of types, a View (types, types) of any layout, symmetric, none above the list's cutoff.
  optional_view<Kokkos::View<double const**, Kokkos::LayoutStride, Kokkos::AnonymousSpace>> type_cutoffs = {};
  /// Of each particle: a pair counts when its distance is at most the sum of the two radii, and the cutoff. Where they
  /// differ much, particles are binned by size class, so that cost follows the pairs.
  optional_input<double> radii = {};
  /// One of the two directions of each pair: with lo < hi the ids, in row lo if lo + hi is even, else in row hi; of a
  /// particle and its own image, the one whose first non-zero component is positive; of a particle and its own shifted
  /// ghost, the one that is displaced so. With ghosts (fewer rows than particles, or images) it needs ids, so that the
  /// ghost's owner has the pair where this row does not; or newton = false.
  bool half = false;
  /// Of half lists with ghosts, as LAMMPS has `newton on` and `newton off`: true, a pair with a ghost is in one of the
  /// rows of both owners, and the force on the ghost is sent back; false, it is in the row of each particle that has
  /// one, so that nothing is sent back. Pairs of particles with rows are in one row in both cases. With newton = false
  /// no ids are needed. Only for half lists.
  bool newton = true;
  /// Whether a pair whose distance is exactly its cutoff is in the list: distance <= cutoff, as LAMMPS has it, or <, as
  /// ASE. Also for type_cutoffs and radii.
  bool include_cutoff = true;
  /// Of each row only the so many nearest of its neighbours, exactly, or all where it has no more; not given: all. Of
  /// equal distances (their squares in Real, as they are compared with the cutoff) the smaller (id, image) is nearer.
  /// It chooses from what types, radii and exclusions leave. Rows keep their order, which is not by distance. If j is
  /// among the nearest of i, i need not be among those of j, so not with half. With images it needs ids.
  ///
  /// Cost: all neighbours within the cutoff are found first, as hit masks, which take the memory that they always take;
  /// the list takes that of the neighbours that are left. Then rows that have more are chosen from.
  /// Throws: precondition_error where it is 0.
  std::optional<std::size_t> max_neighbors = {};
  /// Keep the image of every pair beside its index (4 bytes per pair more; the plain builder takes 8 more
  /// while building).
  bool pair_images = false;
  /// What else to keep of every pair, of positions as they are given, wrapped or not: the index of its row (4 bytes per
  /// pair; with neighbors() the pairs in coordinate form), its unwrapped image S (unwrapped_image.hpp; 12 bytes), its
  /// displacement D = x_j - x_i + S_0 a + S_1 b + S_2 c, with a, b and c the edges (3 Real), and its distance, the
  /// length of D (a Real). (ASE: i, S, D and d of neighbor_list('ijSDd').)
  ///
  /// D is computed of wrapped positions, as the distance is that the cutoff is compared with: rounding is that of
  /// coordinates in the box, however far away particles are, and no distance is above the cutoff. Where any but the
  /// first is kept, the plain builder and sorted rows need the 4 bytes of pair_images, too.
  bool first_indices = false;
  bool unwrapped_images = false;
  bool displacements = false;
  bool distances = false;
  row_order order = row_order::cells;
  /// Only particles 0 .. rows-1 get rows, the others are candidates only (ghosts); not given: all of them.
  std::optional<std::size_t> rows = {};
  /// Global identities, of 64 or 32 bits, unique except for ghosts, which have their owner's; they order the particles
  /// of a cell, decide half lists and exclusions, and enter the hash. Not given: the index.
  particle_ids ids = {};
  /// The image in which each particle is seen; image(0, 0, 0) for those with rows. A ghost carries its owner's wrapped,
  /// unshifted coordinates. With images, the caller has made all ghosts, and the list adds no periodic images itself;
  /// half lists (but those without newton), exclusions, max_neighbors and the hash then need ids: an index does not
  /// identify a ghost's owner. Not given: coordinates are places, and ghosts are shifted copies, which a box that is
  /// open in all directions leaves where they are.
  optional_input<image> images = {};
  neighbor_exclusions exclusions = {};
  neighbor_builder builder = neighbor_builder::automatic;
  /// Most bytes that hit masks may take (neighbor_builder::masks), which are made in pieces where they take more; most
  /// bytes that the plain builder may take beside the list and the binned particles. Where that will not do,
  /// out_of_memory_error. Not given: no limit but the memory that is available.
  std::optional<std::size_t> memory_budget = {};
};

}  // namespace upsweep
