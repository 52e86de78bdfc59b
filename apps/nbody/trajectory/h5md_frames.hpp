// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "h5md_file.hpp"
#include "trajectory_format.hpp"
#include "trajectory_record.hpp"

#include <upsweep/io/replace_file.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nbody {

/// Frames as files of H5MD, of which a kill loses the one that is open: melt.0.h5, melt.100.h5, ... each with the
/// frames from one close() to the next, and melt.h5, which shows all as one. A file gets its name when it is complete
/// and on the disk. Rank 0 writes; files are the same bytes on any number of ranks.
/// Pre: all ranks make, use and destroy it together.
/// Collective; throws on all ranks alike.
class h5md_frames {
 public:
  h5md_frames(upsweep::mpi::communicator const& comm, std::string const& name) : comm_(comm), name_(name) {}

  /// Goes on behind the frames of the record, and shows those in melt.h5.
  void begin(trajectory_record const& record, std::int64_t particles, upsweep::box<double> const& box);

  /// Writes a frame to the open file, which is made if there is none, and notes it in the record. Cost: rows are sent
  /// to rank 0, which holds one piece of them (gather_rows).
  void write(frame const& f, trajectory_record& record);

  /// Closes the open file, if there is one, gives it its name and shows it in melt.h5; notes its size and checksum in
  /// the record.
  void close(trajectory_record& record);

  /// Frames in the open file.
  std::int64_t open_frames() const { return open_frames_; }

 private:
  template <class T>
  void write_rows(h5md_array array, std::int64_t columns, std::span<T const> mine);
  void write_index(trajectory_record const& record) const;

  upsweep::mpi::communicator comm_;
  std::string name_;
  std::int64_t particles_ = 0, open_frames_ = 0;
  std::optional<upsweep::box<double>> box_;
  std::optional<upsweep::file_replacement> part_;  // on rank 0
  std::optional<h5md_file> file_;                  // on rank 0
};

}  // namespace nbody
