// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "atoms.hpp"
#include "checkpoint_header.hpp"
#include "run_start.hpp"

#include <upsweep/io/mpi/parallel_reader.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace nbody {

/// The name under which the checkpoint before the last one is kept.
std::filesystem::path previous_checkpoint(std::filesystem::path const& path);

/// Refuses a file that a checkpoint or the one before would replace, and that is no checkpoint.
/// Local; throws output_error.
void require_replaceable_checkpoint(std::filesystem::path const& path, bool force);

/// Writes all that decides how a run goes on: header, and arrays of particles in order of ids. Those are the positions,
/// the positions at the last rebuild of the list (they decide the images of pairs and the step of the next rebuild),
/// velocities, types, edges taken off by wrapping, and msd_reference, which is in this order already. The file is the
/// same on any number of ranks. An older checkpoint of this name is kept as previous_checkpoint(); at every moment the
/// name is that of a complete file.
/// Cost: arrays travel one by one, 24 bytes per particle more on device and host at a time; 88 on the host in all.
/// Collective; throws on all ranks alike.
void write_checkpoint(upsweep::mpi::communicator const& comm, space_type const& space,
                      std::filesystem::path const& path, checkpoint_header header, atoms const& a,
                      vectors const& built_from, std::vector<double> const* msd_reference = nullptr);

/// A checkpoint of which the header has been read, and found to fit the size of the file.
/// Collective; throws on all ranks alike: input_error that names the file and what is wrong with it.
class checkpoint_reader {
 public:
  checkpoint_reader(upsweep::mpi::communicator const& comm, std::filesystem::path const& path);

  checkpoint_header const& header() const { return header_; }

  /// Every rank's share of the arrays, whose checksums are compared. Collective.
  run_start read() const;

 private:
  upsweep::mpi::communicator comm_;
  std::filesystem::path path_;
  upsweep::mpi::parallel_reader file_;
  std::uint64_t arrays_at_ = 0;  ///< where the first array begins
  checkpoint_header header_;
};

}  // namespace nbody
