// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../atoms.hpp"
#include "../start/run_start.hpp"
#include "checkpoint_header.hpp"

#include <upsweep/io/mpi/parallel_reader.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace nbody {

/// Whether a file begins as checkpoints of upsweep-nbody do. Local.
bool is_checkpoint(std::filesystem::path const& path);

/// The name under which the second last checkpoint is kept.
std::filesystem::path previous_checkpoint(std::filesystem::path const& path);

/// Refuses to replace a file that is no checkpoint, under both names: the checkpoint's and the previous one's. force:
/// refuses only what cannot be written. Local; throws output_error.
void require_replaceable_checkpoint(std::filesystem::path const& path, bool force);

/// Writes all that decides how a run goes on: the header, and arrays of particles in order of ids. The arrays are the
/// positions, the positions at the last rebuild of the list (they decide the images of pairs and the step of the next
/// rebuild), velocities, the edges that wrapping took off, types, masses where the header has none of types, and
/// msd_reference, which is in order of ids already.
/// The file is the same on any number of ranks. An older checkpoint of this name is kept as previous_checkpoint(); from
/// the first checkpoint on, `path` is a complete file at every moment.
/// Cost: arrays travel one by one (rows_by_id::fetch), 24 bytes per particle at most. The host keeps all of them until
/// they are written: 88 bytes per particle, and 8 for masses.
/// Collective; throws on all ranks alike.
void write_checkpoint(upsweep::mpi::communicator const& comm, space_type const& space,
                      std::filesystem::path const& path, checkpoint_header header, atoms const& a,
                      vectors const& built_from, std::vector<double> const* msd_reference = nullptr);

/// A checkpoint whose header has been read and checked against the size of the file.
/// Collective; throws on all ranks alike: input_error that names the file and what is wrong with it.
class checkpoint_reader {
 public:
  checkpoint_reader(upsweep::mpi::communicator const& comm, std::filesystem::path const& path);

  checkpoint_header const& header() const { return header_; }

  /// Reads this rank's share of the arrays and compares the checksums. Collective.
  run_start read() const;

 private:
  upsweep::mpi::communicator comm_;
  std::filesystem::path path_;
  upsweep::mpi::parallel_reader file_;
  std::uint64_t arrays_at_ = 0;  ///< where the first array begins
  checkpoint_header header_;
};

}  // namespace nbody
