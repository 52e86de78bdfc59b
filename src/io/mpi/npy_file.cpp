// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/internal/index.hpp>
#include <upsweep/base/internal/require.hpp>
#include <upsweep/io/mpi/npy_file.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/internal/all_or_none_checked.hpp>

#include "../internal/size_limit_guard.hpp"

#include <algorithm>
#include <system_error>

namespace upsweep::mpi {
namespace {

/// One MPI-IO call writes at most this; counts are int.
constexpr std::uint64_t largest_piece = std::uint64_t(1) << 30;

/// Rank 0's text on every rank.
void broadcast(communicator const& comm, std::string& text) {
  int size = static_cast<int>(text.size());
  check(comm, MPI_Bcast(&size, 1, MPI_INT, 0, comm.get()), "MPI_Bcast");
  all_or_none(comm, [&] { text.resize(static_cast<std::size_t>(size)); });
  check(comm, MPI_Bcast(text.data(), size, MPI_CHAR, 0, comm.get()), "MPI_Bcast");
}

std::string mpi_text(int code) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  return text;
}

/// Ranks differ in how much they have, but collective writes need the same number of calls.
std::uint64_t largest_of(communicator const& comm, std::uint64_t value) {
  std::uint64_t result = 0;
  check(comm, MPI_Allreduce(&value, &result, 1, MPI_UINT64_T, MPI_MAX, comm.get()), "MPI_Allreduce");
  return result;
}

}  // namespace

npy_file::npy_file(communicator const& comm, std::filesystem::path const& path) : comm_(comm) {
  // Rank 0 alone creates, by the system's own call: its reason for a refusal is better than MPI's.
  std::string part;
  all_or_none(comm_, [&] {
    path_ = path;
    if (comm_.rank() != 0) return;
    replacement_.emplace(path_);
    part = replacement_->part().string();
  });
  broadcast(comm_, part);
  all_or_none(comm_, [&] { part_ = part; });
}

/// The first thing that went wrong in a collective write. Its text is made when ranks agree: a rank that ran out of
/// memory for it earlier would leave the others waiting in MPI-IO.
struct npy_file::write_failure {
  int code = MPI_SUCCESS;
  int written = 0, wanted = 0;

  bool none() const { return code == MPI_SUCCESS && written == wanted; }
  void note(int result) {
    if (none()) code = result;
  }
  std::string text() const {
    if (code != MPI_SUCCESS) return mpi_text(code);
    return std::to_string(written) + " of " + std::to_string(wanted) + " bytes written";
  }
};

void npy_file::write_pieces(MPI_File file, std::uint64_t at, std::span<std::byte const> bytes,
                            write_failure& failed) const {
  std::uint64_t const pieces = largest_of(comm_, (bytes.size() + largest_piece - 1) / largest_piece);
  for (std::uint64_t k = 0; k < pieces; ++k) {
    std::uint64_t const first = std::min<std::uint64_t>(k * largest_piece, bytes.size());
    auto const n = static_cast<int>(std::min<std::uint64_t>(bytes.size() - first, largest_piece));
    MPI_Status status;
    int const code =
        MPI_File_write_at_all(file, static_cast<MPI_Offset>(at + first), bytes.data() + first, n, MPI_BYTE, &status);
    int written = 0;
    if (code == MPI_SUCCESS) MPI_Get_count(&status, MPI_BYTE, &written);
    failed.note(code);
    // A full disk may show as a short write only.
    if (failed.none()) failed = {MPI_SUCCESS, written, n};
  }
}

void npy_file::write_bytes(std::string const& descr, std::size_t item, std::vector<std::uint64_t> const& row_shape,
                           std::span<std::byte const> bytes) {
  std::uint64_t row = item;
  internal::fingerprint arguments;
  arguments.text(descr.c_str()).value(item).value(row_shape.size());
  for (auto const extent : row_shape) arguments.value(extent);
  internal::all_or_none_checked(comm_, arguments, "npy_file::write", "the type and the shape of rows", [&] {
    for (auto const extent : row_shape) row = internal::checked_multiply(row, extent, "npy_file::write", "a row");
    internal::require(!complete_, "npy_file::write", path_.string() + " is written already");
    internal::require(row != 0 && bytes.size() % row == 0, "npy_file::write",
                      std::to_string(bytes.size()) + " bytes are no whole rows of " + std::to_string(row));
  });
  auto const rows = exclusive_offset(comm_, bytes.size() / row);
  auto const header = all_or_none(comm_, [&] {
    std::vector<std::uint64_t> shape{rows.total};
    shape.insert(shape.end(), row_shape.begin(), row_shape.end());
    return npy_header(descr, shape);
  });

  MPI_File file = MPI_FILE_NULL;
  int const opened = MPI_File_open(comm_.get(), part_.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  all_or_none(comm_, [&] {
    if (opened != MPI_SUCCESS) throw output_error(path_.string() + ": cannot be written: " + mpi_text(opened));
  });
  internal::size_limit_guard const guard;
  write_failure failed;
  // The header is rank 0's first piece.
  auto const head = std::as_bytes(std::span(header));
  write_pieces(file, 0, comm_.rank() == 0 ? head : head.first(0), failed);
  write_pieces(file, header.size() + rows.offset * row, bytes, failed);
  // Every rank's own bytes: rank 0 cannot write through what other machines hold.
  failed.note(MPI_File_sync(file));
  failed.note(MPI_File_close(&file));
  all_or_none(comm_, [&] {
    if (!failed.none()) throw output_error(path_.string() + ": cannot be written: " + failed.text());
    std::error_code error;
    std::uint64_t const expected = header.size() + rows.total * row;
    // What counts is what the file system has.
    if (comm_.rank() == 0 && std::filesystem::file_size(part_, error) != expected)
      throw output_error(path_.string() + ": cannot be written: the file has not the " + std::to_string(expected) +
                         " bytes expected");
  });
  complete_ = true;
}

void npy_file::commit() {
  all_or_none(comm_, [&] {
    internal::require(complete_, "npy_file::commit", path_.string() + " is not written yet");
    if (comm_.rank() == 0) replacement_->commit();
  });
}

}  // namespace upsweep::mpi
