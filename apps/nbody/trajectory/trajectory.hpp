// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../atoms.hpp"
#include "../options.hpp"
#include "h5md_frames.hpp"
#include "trajectory_format.hpp"
#include "trajectory_record.hpp"

#include <upsweep/io/mpi/growing_file.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace nbody {

/// Frames of --trajectory: rows by id, so that files are the same on any number of ranks.
class trajectory {
 public:
  trajectory(upsweep::mpi::communicator const& comm, space_type const& space, options const& o, std::int64_t particles,
             std::map<std::int32_t, std::string> species)
      : comm_(comm),
        space_(space),
        options_(o),
        particles_(particles),
        species_(std::move(species)),
        format_(format_of(o.trajectory)),
        h5md_(comm, o.trajectory) {}

  /// Makes the file; on a restart cuts it back to what it had at the checkpoint, or removes the files of later frames.
  /// Collective; throws on all ranks alike.
  void begin(trajectory_record const* at_checkpoint, upsweep::box<double> const& box);

  /// Writes the frame of a step, with H5MD to an open file, else through to the disk. Collective; throws on all ranks
  /// alike.
  void write(atoms const& a, upsweep::box<double> const& box, std::int64_t step);

  /// Before a checkpoint, and at the end: all frames are on the disk, under their names, and the record knows the last
  /// file. Collective; throws on all ranks alike.
  void close();

  /// Whether this step has a frame that is not written yet.
  bool wants(std::int64_t step) const {
    return format_ != trajectory_format::none && step % options_.trajectory_every == 0 &&
           (record_.frames.empty() || record_.frames.back() < step);
  }
  /// Whether the options ask for a trajectory.
  bool exists() const { return format_ != trajectory_format::none; }
  trajectory_record const& record() const { return record_; }

 private:
  void append(frame const& f);

  upsweep::mpi::communicator comm_;
  space_type space_;
  options options_;
  std::int64_t particles_;
  std::map<std::int32_t, std::string> species_;  ///< names of types
  trajectory_format format_;
  std::optional<upsweep::mpi::growing_file> file_;
  h5md_frames h5md_;
  trajectory_record record_;
};

}  // namespace nbody
