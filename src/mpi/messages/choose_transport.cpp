// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/mpi/detail/messages/choose_transport.hpp>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

namespace upsweep::mpi::detail {

namespace {

constexpr char const* function = "mpi::gpu_aware";

/// What MPI says about itself; nothing where it cannot be asked.
std::optional<bool> ask_mpi(device_kind kind) {
#if defined(OPEN_MPI)
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  if (kind == device_kind::cuda) return MPIX_Query_cuda_support() == 1;
#endif
#if defined(OMPI_HAVE_MPI_EXT_ROCM)
  if (kind == device_kind::hip) return MPIX_Query_rocm_support() == 1;
#endif
#elif defined(MPIX_GPU_SUPPORT_CUDA)
  int yes = 0;
  if (kind == device_kind::cuda && MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &yes) == MPI_SUCCESS) return yes != 0;
#if defined(MPIX_GPU_SUPPORT_HIP)
  if (kind == device_kind::hip && MPIX_GPU_query_support(MPIX_GPU_SUPPORT_HIP, &yes) == MPI_SUCCESS) return yes != 0;
#endif
#endif
  static_cast<void>(kind);
  return std::nullopt;
}

std::string variable(char const* name, char const* otherwise) {
  char const* const set = std::getenv(name);
  return set != nullptr && *set != '\0' ? set : otherwise;
}

double seconds_of(char const* name, std::string const& text) {
  double seconds = 0;
  char const* const end = text.data() + text.size();
  auto const [stop, error] = std::from_chars(text.data(), end, seconds);
  internal::require(error == std::errc() && stop == end && seconds > 0 && seconds <= 1e6, function, [&] {
    return std::string("the environment variable ") + name + " is \"" + text +
           "\"; it is a number of seconds above 0, at most 1e6";
  });
  return seconds;
}

}  // namespace

transport_variables read_transport_variables() {
  return {variable("UPSWEEP_TRANSPORT", "auto"), variable("UPSWEEP_NCCL_TIMEOUT", "300"),
          variable("UPSWEEP_PEER_TIMEOUT", "30")};
}

wanted_transfer want_transfer(device_kind kind, transport_variables const& set) {
  auto const& by = set.transport;
  static constexpr std::pair<char const*, way> ways[] = {
      {"peer", way::peer}, {"mpi", way::mpi}, {"nccl", way::nccl}, {"staged", way::staged}};
  wanted_transfer wanted;
  for (auto const& [name, is] : ways)
    if (by == name) wanted.forced = is;
  internal::require(by == "auto" || wanted.forced, function, [&] {
    return "the environment variable UPSWEEP_TRANSPORT is \"" + by + "\"; it can be auto, peer, mpi, nccl or staged";
  });
  if (kind == device_kind::host) {
    // A program that uses a GPU has Views of the host, too.
    bool const needs_gpu = wanted.forced == way::nccl || wanted.forced == way::peer;
    internal::require(!needs_gpu || compat::is_gpu<Kokkos::DefaultExecutionSpace>, function, [&] {
      return "UPSWEEP_TRANSPORT=" + by +
             " is for memory of GPUs, and that of this execution space is the host's; set it to auto, or to nothing";
    });
    wanted.forced.reset();
    return wanted;
  }
  wanted.nccl_seconds = seconds_of("UPSWEEP_NCCL_TIMEOUT", set.nccl_timeout);
  wanted.peer_seconds = seconds_of("UPSWEEP_PEER_TIMEOUT", set.peer_timeout);
  if (wanted.forced) {
    wanted.reason = "UPSWEEP_TRANSPORT=" + by;
    return wanted;
  }
  auto const answer = ask_mpi(kind);
  wanted.mpi_knows_devices = answer.value_or(false);
  wanted.reason = !answer   ? "MPI cannot be asked whether it is GPU-aware"
                  : *answer ? "MPI says that it is GPU-aware"
                            : "MPI says that it is not GPU-aware";
  return wanted;
}

bool true_everywhere(communicator const& comm, bool mine) {
  int const give = mine ? 1 : 0;
  int all = 0;
  check(comm, MPI_Allreduce(&give, &all, 1, MPI_INT, MPI_MIN, comm.get()), "MPI_Allreduce");
  return all == 1;
}

bool sends_to_itself(exchange& alone, std::byte const* from, std::byte* to) {
  // A duplicate, since the error handler of MPI_COMM_SELF is the caller's.
  MPI_Comm self = MPI_COMM_NULL;
  if (MPI_Comm_dup(MPI_COMM_SELF, &self) != MPI_SUCCESS) return false;
  bool const good =
      MPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN) == MPI_SUCCESS && alone.try_run(self, from, to).good();
  MPI_Comm_free(&self);
  return good;
}

template transfer find_transfer(communicator const& comm, Kokkos::DefaultExecutionSpace const& space, device_kind kind);

}  // namespace upsweep::mpi::detail
