// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "file_transfer.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/size_limit_guard.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/internal/mpi_text.hpp>

#include <algorithm>
#include <exception>
#include <system_error>
#include <vector>

namespace upsweep::internal {
namespace {

/// One call of MPI-IO moves at most this; counts are int.
constexpr std::uint64_t largest_piece = std::uint64_t(1) << 30;

/// Calls call(offset, pointer, count, status) for each piece of this rank's bytes until one fails, and notes how it
/// went. The calls are not collective: each rank has one contiguous part, and a collective write in which one rank's
/// disk is full keeps the other ranks waiting for ever (Open MPI 6.0rc2, three ranks).
template <class Byte, class Call>
void for_each_piece(std::uint64_t at, std::span<Byte> bytes, transfer_failure& failed, Call const& call) {
  for (std::uint64_t first = 0; first < bytes.size() && failed.none(); first += largest_piece) {
    auto const n = static_cast<int>(std::min<std::uint64_t>(bytes.size() - first, largest_piece));
    MPI_Status status;
    int const code = call(static_cast<MPI_Offset>(at + first), bytes.data() + first, n, &status);
    failed.note(code, status, n);
  }
}

}  // namespace

std::filesystem::path name_for_mpi(std::filesystem::path const& path) { return path.is_absolute() ? path : "." / path; }

void transfer_failure::note(int result, MPI_Status const& status, int bytes) {
  int done = 0;
  if (result == MPI_SUCCESS) MPI_Get_count(&status, MPI_BYTE, &done);
  note(result);
  if (none()) *this = {MPI_SUCCESS, static_cast<std::uint64_t>(std::max(done, 0)), static_cast<std::uint64_t>(bytes)};
}

std::string transfer_failure::text() const {
  if (code != MPI_SUCCESS) return mpi_text(code);
  return std::to_string(moved) + " of " + std::to_string(wanted) + " bytes moved";
}

std::uint64_t write_sections(mpi::communicator const& comm, std::filesystem::path const& file,
                             std::filesystem::path const& named, std::uint64_t begin,
                             std::span<byte_pieces* const> sections) {
  auto const refuse = [&](std::string const& reason) {
    throw output_error(named.string() + ": cannot be written: " + reason);
  };
  std::filesystem::path name;
  auto places = mpi::all_or_none(comm, [&] {
    name = name_for_mpi(file);
    return std::vector<std::uint64_t>(sections.size());
  });
  std::uint64_t end = begin;
  for (std::size_t k = 0; k < sections.size(); ++k) {
    auto const share = mpi::exclusive_offset(comm, sections[k]->size());
    places[k] = end + share.offset;
    end += share.total;
  }

  MPI_File handle = MPI_FILE_NULL;
  int const opened = MPI_File_open(comm.get(), name.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &handle);
  mpi::all_or_none(comm, [&] {
    if (opened != MPI_SUCCESS) refuse(mpi_text(opened));
  });
  size_limit_guard const guard;
  transfer_failure failed;
  std::exception_ptr thrown;  // agreed on when the file is closed
  try {
    for (std::size_t k = 0; k < sections.size(); ++k)
      for (std::uint64_t at = 0; at < sections[k]->size() && failed.none();) {
        auto const piece = sections[k]->piece(at);
        for_each_piece(places[k] + at, piece, failed,
                       [&](MPI_Offset to, std::byte const* from, int n, MPI_Status* status) {
                         return MPI_File_write_at(handle, to, from, n, MPI_BYTE, status);
                       });
        at += piece.size();
      }
  } catch (...) {
    thrown = std::current_exception();
  }
  // Every rank's own bytes: rank 0 cannot write through what other machines hold.
  failed.note(MPI_File_sync(handle));
  failed.note(MPI_File_close(&handle));
  mpi::all_or_none(comm, [&] {
    if (thrown) std::rethrow_exception(thrown);
    if (!failed.none()) refuse(failed.text());
  });
  mpi::all_or_none(comm, [&] {
    // What counts is what the file system has.
    std::error_code error;
    if (comm.rank() == 0 && (std::filesystem::file_size(file, error) != end || error))
      refuse("the file has not the " + std::to_string(end) + " bytes expected");
  });
  return end;
}

void read_pieces(MPI_File file, std::uint64_t at, std::span<std::byte> bytes, transfer_failure& failed) {
  for_each_piece(at, bytes, failed, [&](MPI_Offset from, std::byte* to, int n, MPI_Status* status) {
    return MPI_File_read_at(file, from, to, n, MPI_BYTE, status);
  });
  if (bytes.empty()) return;
  MPI_Offset size = 0;
  failed.note(MPI_File_get_size(file, &size));
  auto const end = static_cast<std::uint64_t>(size);
  if (failed.none() && end < at + bytes.size()) failed = {MPI_SUCCESS, end - std::min(at, end), bytes.size()};
}

void broadcast(mpi::communicator const& comm, std::string& text) {
  int size = static_cast<int>(text.size());
  mpi::check(comm, MPI_Bcast(&size, 1, MPI_INT, 0, comm.get()), "MPI_Bcast");
  mpi::all_or_none(comm, [&] { text.resize(static_cast<std::size_t>(size)); });
  mpi::check(comm, MPI_Bcast(text.data(), size, MPI_CHAR, 0, comm.get()), "MPI_Bcast");
}

}  // namespace upsweep::internal
