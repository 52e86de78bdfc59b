// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace upsweep::mpi::detail {

/// Identifies a GPU among those of all nodes.
using gpu_uuid = std::array<std::byte, 16>;

/// Of a GPU of this process. Returns 0, or an error of CUDA or HIP. Only where this library was built with one of them.
int find_gpu_uuid(int gpu, gpu_uuid& id) noexcept;

/// What a rank says of itself before ranks connect their GPUs; what `state` means is up to the caller.
struct gpu_record {
  gpu_uuid gpu;
  std::int32_t state;
};
static_assert(sizeof(gpu_record) <= record_bytes);

/// Those of all ranks, on all ranks. Collective.
std::vector<gpu_record> gather_records(communicator const& comm, gpu_record const& mine);

/// "ranks 0 and 1 share a GPU", or nothing where each rank has one of its own.
std::string shared_gpu(std::vector<gpu_record> const& of_ranks);

/// why() says why a rank cannot go on; nothing where it can. All ranks get the reason of the first one that has any,
/// behind "rank 2: ". Collective.
template <class Why>
std::string reason_of_all(communicator const& comm, Why const& why) {
  try {
    all_or_none(comm, [&] {
      std::string const reason = why();
      if (!reason.empty()) throw precondition_error(reason);
    });
  } catch (precondition_error const& of_one) {
    return all_or_none(comm, [&] { return std::string(of_one.what()); });
  }
  return {};
}

}  // namespace upsweep::mpi::detail
