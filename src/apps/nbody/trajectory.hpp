// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "atoms.hpp"
#include "options.hpp"
#include "trajectory_format.hpp"
#include "trajectory_record.hpp"

#include <upsweep/io/mpi/growing_file.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <cstdint>
#include <optional>

namespace nbody {

/// Frames of --trajectory: rows by id, so that files are the same on any number of ranks.
class trajectory {
 public:
  trajectory(upsweep::mpi::communicator const& comm, space_type const& space, options const& o, std::int64_t particles)
      : comm_(comm), space_(space), options_(o), particles_(particles), format_(format_of(o.trajectory)) {}

  /// Makes the file; that of a restart is cut back to what it had at the checkpoint. Collective.
  void begin(trajectory_record const* at_checkpoint);

  /// Writes the frame of a step, which is on the disk then. Collective; throws on all ranks alike.
  void write(atoms const& a, upsweep::box<double> const& box, std::int64_t step);

  /// Whether a run of these options writes one for this step, which is not there yet.
  bool wants(std::int64_t step) const {
    return format_ != trajectory_format::none && step % options_.trajectory_every == 0 &&
           (record_.frames.empty() || record_.frames.back() < step);
  }
  bool exists() const { return format_ != trajectory_format::none; }
  trajectory_record const& record() const { return record_; }

 private:
  void append(frame const& f);
  void write_vtk(frame const& f);

  upsweep::mpi::communicator comm_;
  space_type space_;
  options options_;
  std::int64_t particles_;
  trajectory_format format_;
  std::optional<upsweep::mpi::growing_file> file_;
  trajectory_record record_;
};

/// Refuses what a trajectory cannot be written to: a file that is there, unless it is that of the checkpoint or `force`
/// says so. record: of the checkpoint, or null. Local; throws output_error.
void require_writable_trajectory(options const& o, trajectory_record const* record);

}  // namespace nbody
