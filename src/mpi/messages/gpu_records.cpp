// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/messages/gpu_records.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include "gpu_calls.hpp"

namespace upsweep::mpi::detail {

#if defined(UPSWEEP_GPU)

int find_gpu_uuid(int gpu, gpu_uuid& id) noexcept {
#if defined(KOKKOS_ENABLE_CUDA)
  cudaDeviceProp properties;
  auto const code = cudaGetDeviceProperties(&properties, gpu);
  auto const& found = properties.uuid;
#else
  hipDevice_t device = 0;
  hipUUID found;
  auto code = hipDeviceGet(&device, gpu);
  if (code == hipSuccess) code = hipDeviceGetUuid(&found, device);
#endif
  if (code != UPSWEEP_GPU(Success)) return static_cast<int>(code);
  static_assert(sizeof(found.bytes) == std::tuple_size_v<gpu_uuid>);
  std::memcpy(id.data(), found.bytes, id.size());
  return 0;
}

#endif

std::vector<gpu_record> gather_records(communicator const& comm, gpu_record const& mine) {
  auto const ranks = static_cast<std::size_t>(comm.size());
  std::byte* const received = access::records(comm);
  std::byte* const sent = received + record_bytes * ranks;
  std::memcpy(sent, &mine, sizeof(mine));
  constexpr int bytes = static_cast<int>(sizeof(mine));
  check(comm, MPI_Allgather(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, comm.get()), "MPI_Allgather");
  return all_or_none(comm, [&] {
    std::vector<gpu_record> of_ranks(ranks);
    std::memcpy(of_ranks.data(), received, sizeof(mine) * ranks);
    return of_ranks;
  });
}

std::string shared_gpu(std::vector<gpu_record> const& of_ranks) {
  std::vector<std::pair<gpu_uuid, std::size_t>> gpus;
  for (std::size_t r = 0; r < of_ranks.size(); ++r) gpus.emplace_back(of_ranks[r].gpu, r);
  std::sort(gpus.begin(), gpus.end());
  for (std::size_t i = 1; i < gpus.size(); ++i)
    if (gpus[i - 1].first == gpus[i].first)
      return "ranks " + std::to_string(gpus[i - 1].second) + " and " + std::to_string(gpus[i].second) + " share a GPU";
  return {};
}

}  // namespace upsweep::mpi::detail
