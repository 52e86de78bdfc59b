// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/io/internal/byte_pieces.hpp>
#include <upsweep/io/replace_file.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace upsweep::mpi {

/// A file that all ranks write together by MPI-IO and that replaces an older one in one step:
/// `parallel_file f(comm, "run.bin"); f.write({head, mine}); f.commit();`
/// Everything goes to a part file in the same folder; commit() gives it its name. Without commit, after an error too,
/// the destructor removes it, so an older file is never replaced by a part of a new one. Which files are replaced and
/// what is kept of them: see file_replacement.
/// Pre: all ranks make, use and destroy it together.
/// Sync: collective.
/// Throws: output_error on all ranks alike; communication_error.
class parallel_file {
 public:
  /// Creates the part file, which shows early whether the folder can be written to.
  parallel_file(communicator const& comm, std::filesystem::path const& path);
  parallel_file(parallel_file const&) = delete;
  parallel_file& operator=(parallel_file const&) = delete;

  /// Writes the whole file, one section after the other. A section is the ranks' bytes, in rank order; for a header one
  /// rank alone has bytes. The bytes are on the disk when it returns. Once per file.
  /// Throws: precondition_error where ranks differ in the number of sections, or the file is written already.
  void write(std::vector<std::span<std::byte const>> const& sections);

  /// Gives the complete file its name. Several files of one set: write all, then commit all.
  void commit();
  /// commit() that keeps the older file under another name, as file_replacement::commit_and_keep does.
  void commit_and_keep(std::filesystem::path const& previous);

  bool complete() const { return complete_; }
  std::filesystem::path const& path() const { return path_; }

 private:
  friend class npy_file;
  /// write() of sections that have been prepared.
  void write_pieces(std::span<internal::byte_pieces* const> sections);

  communicator comm_;
  std::filesystem::path path_;
  std::optional<file_replacement> replacement_;  // on rank 0
  std::filesystem::path part_;                   // its part file, on every rank
  bool complete_ = false;
};

}  // namespace upsweep::mpi
