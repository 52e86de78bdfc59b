// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/mpi/agree.hpp>

#include <algorithm>
#include <exception>
#include <new>
#include <string_view>

namespace upsweep::mpi {

void agree(communicator const& comm, error_kind kind, std::string const& message) {
  int const mine = kind == error_kind::none ? comm.size() : comm.rank();
  int first = 0;
  check(MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm.get()), "MPI_Allreduce");
  if (first == comm.size()) return;

  static constexpr std::size_t longest = 1 << 16;
  int header[2] = {static_cast<int>(kind), static_cast<int>(std::min(message.size(), longest))};
  check(MPI_Bcast(header, 2, MPI_INT, first, comm.get()), "MPI_Bcast");
  std::string text = comm.rank() == first ? message.substr(0, longest) : std::string();
  text.resize(static_cast<std::size_t>(header[1]));
  check(MPI_Bcast(text.data(), header[1], MPI_CHAR, first, comm.get()), "MPI_Bcast");
  throw_error(static_cast<error_kind>(header[0]), "rank " + std::to_string(first) + ": " + text);
}

namespace detail {

failure current_failure() {
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
}

}  // namespace detail
}  // namespace upsweep::mpi
