// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/require.hpp>
#include <upsweep/io/mpi/parallel_file.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/internal/all_or_none_checked.hpp>

#include "../internal/size_limit_guard.hpp"
#include "file_transfer.hpp"

#include <string>
#include <system_error>

namespace upsweep::mpi {

using internal::mpi_text;

parallel_file::parallel_file(communicator const& comm, std::filesystem::path const& path) : comm_(comm) {
  // Rank 0 alone creates, by the system's own call: its reason for a refusal is better than MPI's.
  std::string part;
  all_or_none(comm_, [&] {
    path_ = path;
    if (comm_.rank() != 0) return;
    replacement_.emplace(path_);
    part = replacement_->part().string();
  });
  internal::broadcast(comm_, part);
  all_or_none(comm_, [&] { part_ = part; });
}

void parallel_file::write(std::vector<std::span<std::byte const>> const& sections) {
  internal::fingerprint arguments;
  arguments.text("parallel_file::write").value(sections.size());
  std::vector<std::uint64_t> places;
  internal::all_or_none_checked(comm_, arguments, "parallel_file::write", "the number of sections", [&] {
    internal::require(!complete_, "parallel_file::write", path_.string() + " is written already");
    places.reserve(sections.size());
  });
  std::uint64_t end = 0;
  for (auto const& mine : sections) {
    auto const share = exclusive_offset(comm_, mine.size());
    places.push_back(end + share.offset);
    end += share.total;
  }

  MPI_File file = MPI_FILE_NULL;
  int const opened = MPI_File_open(comm_.get(), part_.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  all_or_none(comm_, [&] {
    if (opened != MPI_SUCCESS) throw output_error(path_.string() + ": cannot be written: " + mpi_text(opened));
  });
  internal::size_limit_guard const guard;
  internal::transfer_failure failed;
  for (std::size_t k = 0; k < sections.size(); ++k) internal::write_pieces(comm_, file, places[k], sections[k], failed);
  // Every rank's own bytes: rank 0 cannot write through what other machines hold.
  failed.note(MPI_File_sync(file));
  failed.note(MPI_File_close(&file));
  all_or_none(comm_, [&] {
    if (!failed.none()) throw output_error(path_.string() + ": cannot be written: " + failed.text());
    if (comm_.rank() == 0) require_size(end);
  });
  complete_ = true;
}

/// What counts is what the file system has.
void parallel_file::require_size(std::uint64_t expected) const {
  std::error_code error;
  if (std::filesystem::file_size(part_, error) == expected && !error) return;
  throw output_error(path_.string() + ": cannot be written: the file has not the " + std::to_string(expected) +
                     " bytes expected");
}

void parallel_file::commit() {
  all_or_none(comm_, [&] {
    internal::require(complete_, "parallel_file::commit", path_.string() + " is not written yet");
    if (comm_.rank() == 0) replacement_->commit();
  });
}

void parallel_file::commit_and_keep(std::filesystem::path const& previous) {
  all_or_none(comm_, [&] {
    internal::require(complete_, "parallel_file::commit_and_keep", path_.string() + " is not written yet");
    if (comm_.rank() == 0) replacement_->commit_and_keep(previous);
  });
}

}  // namespace upsweep::mpi
