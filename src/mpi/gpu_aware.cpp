// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/require.hpp>
#include <upsweep/mpi/gpu_aware.hpp>

#include <cstdlib>
#include <optional>
#include <string>

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

namespace upsweep::mpi::detail {

namespace {

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

}  // namespace

std::string transport_setting() {
  char const* const set = std::getenv("UPSWEEP_TRANSPORT");
  return set != nullptr && *set != '\0' ? set : "auto";
}

wanted_transfer want_transfer(device_kind kind, std::string const& setting) {
  if (kind == device_kind::host) return {true, false, "host memory"};
  internal::require(setting == "auto" || setting == "mpi" || setting == "staged", "mpi::gpu_aware",
                    "the environment variable UPSWEEP_TRANSPORT is \"" + setting + "\"; it can be auto, mpi or staged");
  if (setting != "auto") return {setting == "mpi", true, "UPSWEEP_TRANSPORT=" + setting};
  auto const answer = ask_mpi(kind);
  if (!answer) return {false, false, "MPI cannot be asked whether it is GPU-aware"};
  return {*answer, false, *answer ? "MPI says that it is GPU-aware" : "MPI says that it is not GPU-aware"};
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

}  // namespace upsweep::mpi::detail
