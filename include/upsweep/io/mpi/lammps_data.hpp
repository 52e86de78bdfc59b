// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/io/lammps_data.hpp>
#include <upsweep/io/particle_data.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <cstdint>
#include <filesystem>

namespace upsweep::mpi {

/// One rank's share of the particles of a file: number k of `data` is particle first + k of `total`.
/// Box, masses and names of what was skipped are those of the whole file on every rank. A rank has the bonds whose
/// first particle is its own, in the order of the file; they number particles from 0 to total - 1.
struct particle_piece {
  particle_data data;
  std::int64_t first = 0;
  std::int64_t total = 0;
};

/// The ids [first, last) of `rank` when n are cut evenly: of 10, rank 1 of 4 has [2, 5). The last is
/// floor((rank+1) n / size).
struct id_range {
  std::int64_t first;
  std::int64_t last;
};
id_range even_range(std::int64_t n, int rank, int size);

/// Reads a LAMMPS data file on rank 0 and hands every rank an even range of ids:
/// `auto piece = mpi::read_lammps_data(comm, "melt.data.gz");` See upsweep::read_lammps_data for what is read.
/// Pre: all ranks call it; only rank 0 needs to see the file.
/// Cost: the file's particles in rank 0's memory, and each sent once.
/// Sync: collective.
/// Throws: input_error on all ranks alike; out_of_memory_error; communication_error.
particle_piece read_lammps_data(communicator const& comm, std::filesystem::path const& path,
                                lammps_data_options const& options = {});

/// Cuts particles that rank 0 holds (the others give anything) as read_lammps_data does. Empty velocities or image
/// flags are zeros on every rank; empty charges, radii or molecules are empty.
/// Sync: collective.
/// Throws: on all ranks alike: precondition_error where rank 0's arrays have not as many values as its ids say, or a
/// bond is none of two particles; out_of_memory_error. communication_error.
particle_piece scatter_particles(communicator const& comm, particle_data const& whole);

}  // namespace upsweep::mpi
