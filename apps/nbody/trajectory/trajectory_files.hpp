// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../options.hpp"
#include "trajectory_format.hpp"
#include "trajectory_record.hpp"

#include <upsweep/mpi/communicator.hpp>

#include <cstdint>
#include <string>

namespace nbody {

/// Whether the files of this name are the trajectory of the record, whatever was appended since. The last frame, or the
/// last of several files, has the record's checksum; of several files the others must be there, written by this program
/// for frames of their steps. A record without frames knows no file. Local; reads the last frame or file.
bool is_of(trajectory_record const& record, std::string const& name);

/// Refuses a trajectory that cannot be written, and, unless --force is given, what is in its way: a trajectory that is
/// not the checkpoint's, and any file that has the name of a frame of this run. Files that the run does not write over
/// may have such names: melt.300.h5 beside melt.h5 is the index of another trajectory. record: of the checkpoint, or
/// null. Local; throws output_error.
void require_writable_trajectory(options const& o, trajectory_record const* record);

/// Removes files of later frames than `step`, of a trajectory that has several. Only files that this program has
/// written for frames of their steps; others that have such names stay. Local; throws output_error.
void remove_files_after(std::string const& name, std::int64_t step);

/// Notes the size and the checksum of the last of the record's files. Collective; throws output_error on all ranks
/// alike. Cost: rank 0 reads the file.
void note_last_file(upsweep::mpi::communicator const& comm, std::string const& name, trajectory_record& record);

}  // namespace nbody
