// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/mpi/agree.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>

namespace upsweep::mpi {

namespace {

constexpr std::size_t longest_message = std::size_t{1} << 14;

/// Throws on every rank what rank `first` met.
[[noreturn]] void throw_failure_of(communicator const& comm, int first, error_kind kind, std::string const& message) {
  int header[2] = {static_cast<int>(kind), static_cast<int>(std::min(message.size(), longest_message))};
  char text[longest_message];
  if (comm.rank() == first) std::memcpy(text, message.data(), static_cast<std::size_t>(header[1]));
  check(comm, MPI_Bcast(header, 2, MPI_INT, first, comm.get()), "MPI_Bcast");
  check(comm, MPI_Bcast(text, header[1], MPI_CHAR, first, comm.get()), "MPI_Bcast");
  auto const agreed = static_cast<error_kind>(header[0]);
  try {
    std::string const said(text, static_cast<std::size_t>(header[1]));
    internal::throw_error(agreed, "rank " + std::to_string(first) + ": " + said);
  } catch (std::bad_alloc const&) {
    // No memory for the text: the same type without it, which needs none.
  }
  internal::throw_error(agreed, std::string());
}

}  // namespace

void agree(communicator const& comm, error_kind kind, std::string const& message) {
  // All agreements compare a fingerprint, so that a rank that agrees on something else is found out.
  detail::agree_on(comm, kind, message, internal::fingerprint(), "mpi::agree", "the call");
}

namespace detail {

void agree_on(communicator const& comm, error_kind kind, std::string const& message,
              internal::fingerprint const& arguments, char const* function, char const* what) {
  // The least value and the least complement are complements exactly where all values are the same.
  std::uint64_t const size = static_cast<std::uint64_t>(comm.size());
  std::uint64_t const mine[3] = {kind == error_kind::none ? size : static_cast<std::uint64_t>(comm.rank()),
                                 arguments.get(), ~arguments.get()};
  std::uint64_t least[3] = {};
  check(comm, MPI_Allreduce(mine, least, 3, MPI_UINT64_T, MPI_MIN, comm.get()), "MPI_Allreduce");
  if (least[0] < size) throw_failure_of(comm, static_cast<int>(least[0]), kind, message);
  if (least[1] != ~least[2])
    throw precondition_error(std::string(function) + ": " + what + " must be the same on all ranks, and differs");
}

failure current_failure() noexcept {
  try {
    try {
      throw;
    } catch (error const& e) {
      return {e.kind(), e.what()};
    } catch (std::bad_alloc const& e) {
      return {error_kind::out_of_memory, e.what()};
    } catch (std::exception const& e) {
      // Kokkos reports a failed allocation as a runtime_error with this wording, in all versions since 4.5.
      bool const memory = std::string_view(e.what()).find("failed to allocate") != std::string_view::npos;
      return {memory ? error_kind::out_of_memory : error_kind::unknown, e.what()};
    } catch (...) {
      return {error_kind::unknown, "an exception that is not a std::exception"};
    }
  } catch (...) {
    // No memory for the text; this one needs none.
    return {error_kind::out_of_memory, std::string()};
  }
}

}  // namespace detail
}  // namespace upsweep::mpi
