// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/io/mpi/growing_file.hpp>
#include <upsweep/mpi/agree.hpp>

#include "../internal/cut_file.hpp"
#include "file_transfer.hpp"

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
  try {
    internal::whole_bytes bytes(mine);
    internal::byte_pieces* const section = &bytes;
    size_ = internal::write_sections(comm_, path_, path_, size_, std::span(&section, 1));
  } catch (...) {
    std::error_code ignored;
    if (comm_.rank() == 0) std::filesystem::resize_file(path_, size_, ignored);
    throw;
  }
}

}  // namespace upsweep::mpi
