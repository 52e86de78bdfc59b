// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/io/mpi/parallel_reader.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/internal/mpi_text.hpp>

#include "file_transfer.hpp"

#include <string>
#include <system_error>

namespace upsweep::mpi {

parallel_reader::parallel_reader(communicator const& comm, std::filesystem::path const& path) : comm_(comm) {
  std::filesystem::path name;
  all_or_none(comm_, [&] {
    path_ = path;
    name = internal::name_for_mpi(path);
    // MPI's reasons are worse, and it would wait at a FIFO.
    std::error_code error;
    auto const status = std::filesystem::status(path_, error);
    if (status.type() == std::filesystem::file_type::not_found)
      throw input_error(path_.string() + ": No such file or directory");
    if (error) throw input_error(path_.string() + ": " + error.message());
    if (!std::filesystem::is_regular_file(status))
      throw input_error(path_.string() + ": is no regular file (expected a file)");
    size_ = std::filesystem::file_size(path_, error);
    if (error) throw input_error(path_.string() + ": " + error.message());
  });
  int const opened = MPI_File_open(comm_.get(), name.c_str(), MPI_MODE_RDONLY, MPI_INFO_NULL, &file_);
  all_or_none(comm_, [&] {
    if (opened != MPI_SUCCESS) throw input_error(path_.string() + ": cannot be read: " + internal::mpi_text(opened));
  });
}

parallel_reader::~parallel_reader() {
  if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
}

void parallel_reader::read(std::uint64_t at, std::span<std::byte> mine) const {
  all_or_none(comm_, [&] {
    if (at > size_ || mine.size() > size_ - at)
      throw input_error(path_.string() + ": cut short (expected " + std::to_string(mine.size()) + " bytes from byte " +
                        std::to_string(at) + " on)");
  });
  internal::transfer_failure failed;
  internal::read_pieces(file_, at, mine, failed);
  all_or_none(comm_, [&] {
    if (!failed.none()) throw input_error(path_.string() + ": cannot be read: " + failed.text());
  });
}

}  // namespace upsweep::mpi
