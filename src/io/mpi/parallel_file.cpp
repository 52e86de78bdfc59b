// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/io/mpi/parallel_file.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/internal/all_or_none_checked.hpp>

#include "file_transfer.hpp"

#include <string>

namespace upsweep::mpi {

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
  std::vector<internal::whole_bytes> whole;
  auto const pieces = all_or_none(comm_, [&] {
    for (auto const& section : sections) whole.emplace_back(section);
    std::vector<internal::byte_pieces*> result;
    for (auto& section : whole) result.push_back(&section);
    return result;
  });
  write_pieces(pieces);
}

void parallel_file::write_pieces(std::span<internal::byte_pieces* const> sections) {
  internal::fingerprint arguments;
  arguments.text("parallel_file::write").value(sections.size());
  internal::all_or_none_checked(comm_, arguments, "parallel_file::write", "the number of sections", [&] {
    internal::require(!complete_, "parallel_file::write", [&] { return path_.string() + " is written already"; });
  });
  internal::write_sections(comm_, part_, path_, 0, sections);
  complete_ = true;
}

void parallel_file::commit() {
  all_or_none(comm_, [&] {
    internal::require(complete_, "parallel_file::commit", [&] { return path_.string() + " is not written yet"; });
    if (comm_.rank() == 0) replacement_->commit();
  });
}

void parallel_file::commit_and_keep(std::filesystem::path const& previous) {
  all_or_none(comm_, [&] {
    internal::require(complete_, "parallel_file::commit_and_keep",
                      [&] { return path_.string() + " is not written yet"; });
    if (comm_.rank() == 0) replacement_->commit_and_keep(previous);
  });
}

}  // namespace upsweep::mpi
