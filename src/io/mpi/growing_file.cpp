// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/io/mpi/growing_file.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>

#include "../internal/cut_file.hpp"
#include "../internal/size_limit_guard.hpp"
#include "file_transfer.hpp"

#include <string>
#include <system_error>

namespace upsweep::mpi {

growing_file::growing_file(communicator const& comm, std::filesystem::path const& path, std::uint64_t size)
    : comm_(comm), size_(size) {
  all_or_none(comm_, [&] {
    path_ = path;
    if (comm_.rank() == 0) internal::cut_file(path_, size_);
  });
}

void growing_file::append(std::span<std::byte const> mine) {
  auto const share = exclusive_offset(comm_, mine.size());
  MPI_File file = MPI_FILE_NULL;
  int const opened = MPI_File_open(comm_.get(), path_.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  all_or_none(comm_, [&] {
    if (opened != MPI_SUCCESS)
      throw output_error(path_.string() + ": cannot be written: " + internal::mpi_text(opened));
  });
  internal::size_limit_guard const guard;
  internal::transfer_failure failed;
  internal::write_pieces(comm_, file, size_ + share.offset, mine, failed);
  failed.note(MPI_File_sync(file));
  failed.note(MPI_File_close(&file));
  try {
    all_or_none(comm_, [&] {
      if (!failed.none()) throw output_error(path_.string() + ": cannot be written: " + failed.text());
      std::error_code error;
      if (comm_.rank() == 0 && std::filesystem::file_size(path_, error) != size_ + share.total)
        throw output_error(path_.string() + ": cannot be written: the file has not the " +
                           std::to_string(size_ + share.total) + " bytes expected");
    });
  } catch (...) {
    std::error_code ignored;
    if (comm_.rank() == 0) std::filesystem::resize_file(path_, size_, ignored);
    throw;
  }
  size_ += share.total;
}

}  // namespace upsweep::mpi
