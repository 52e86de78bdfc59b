// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../decomposition/neighbors.hpp"
#include "../types.hpp"
#include "averages_record.hpp"

#include <upsweep/mpi/communicator.hpp>

#include <cstdint>
#include <string>

namespace nbody {

/// The radial distribution function up to the cutoff of the force, from the pairs of the neighbour list. Counts are
/// integers, so they are the same on any number of ranks. Half lists have one direction of a pair, which counts twice;
/// at the border of a bin its distance may round to another bin than that of the other direction.
class rdf {
 public:
  static constexpr int bins = 200;

  /// before: of a checkpoint, or null. Collective. Throws: input_error where the checkpoint has other bins.
  rdf(upsweep::mpi::communicator const& comm, space_type const& space, double reach, rdf_record const* before);

  /// Adds the pairs of one step. Cost: one pass over the list with one atomic addition a pair. Local.
  void sample(neighborhood const& near, std::int64_t step);
  /// Of the last sample, this run's or the checkpoint's; -1 before the first.
  std::int64_t last_step() const { return before_.last_step; }

  /// All samples of all ranks. Collective.
  rdf_record total() const;

 private:
  upsweep::mpi::communicator comm_;
  space_type space_;
  Kokkos::View<std::int64_t*, memory_space> counts_;  ///< of this run and rank
  rdf_record before_;                                 ///< of all ranks; its counts are without this run's
};

/// Lines "r g(r) neighbours": the middle of a bin, the density in it divided by that of the n - 1 other particles in
/// the whole box, so that particles at random places have 1 (LAMMPS divides by the same); and the mean number of
/// neighbours of a particle up to the bin's end. g(r) of one particle, which has no others, is 0.
std::string rdf_text(rdf_record const& record, std::int64_t particles, double volume);

}  // namespace nbody
