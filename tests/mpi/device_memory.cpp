// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "device_memory.hpp"

#include "testing.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace testing_mpi {

namespace {

/// A message between a device and MPI's own memory.
struct bounce {
  MPI_Request request;
  std::byte* device;  // null where it is sent
  std::vector<std::byte> host;
};

struct device_state {
  device_memory::mpi_is kind;
  std::map<std::uintptr_t, std::size_t> blocks;
  std::vector<std::unique_ptr<bounce>> bounces;
  int seen = 0;

  bool holds(void const* pointer) const {
    auto const at = reinterpret_cast<std::uintptr_t>(pointer);
    auto const above = blocks.upper_bound(at);
    if (above == blocks.begin()) return false;
    auto const& [first, bytes] = *std::prev(above);
    return at < first + bytes;
  }
};
std::unique_ptr<device_state> state;

void note_block(Kokkos_Profiling_SpaceHandle space, char const* label, void const* pointer, std::uint64_t bytes) {
  if (std::string_view(space.name) != memory_space::name() || std::string_view(label) == "upsweep::mpi::staging")
    return;
  if (bytes > 0) state->blocks[reinterpret_cast<std::uintptr_t>(pointer)] = bytes;
}
void forget_block(Kokkos_Profiling_SpaceHandle, char const*, void const* pointer, std::uint64_t) {
  state->blocks.erase(reinterpret_cast<std::uintptr_t>(pointer));
}

using device_bytes = Kokkos::View<std::byte*, memory_space, Kokkos::MemoryUnmanaged>;
using device_const_bytes = Kokkos::View<std::byte const*, memory_space, Kokkos::MemoryUnmanaged>;
using host_bytes = Kokkos::View<std::byte*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

bounce& new_bounce(std::byte* device, int count) {
  ++state->seen;
  state->bounces.push_back(std::make_unique<bounce>());
  auto& made = *state->bounces.back();
  made.device = device;
  made.host.resize(static_cast<std::size_t>(count));
  return made;
}

}  // namespace

device_memory::device_memory(mpi_is kind) {
  state = std::make_unique<device_state>();
  state->kind = kind;
  Kokkos::Tools::Experimental::set_allocate_data_callback(note_block);
  Kokkos::Tools::Experimental::set_deallocate_data_callback(forget_block);
}
device_memory::~device_memory() {
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  Kokkos::Tools::Experimental::set_deallocate_data_callback(nullptr);
  state.reset();
}
void device_memory::change(mpi_is kind) { state->kind = kind; }
int device_memory::seen() const { return state->seen; }

int send_from_device(void const* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm,
                     MPI_Request* request) {
  if (!state || count == 0 || !state->holds(buffer)) return PMPI_Isend(buffer, count, type, target, tag, comm, request);
  if (state->kind == device_memory::mpi_is::not_gpu_aware) return MPI_ERR_BUFFER;
  auto& copy = new_bounce(nullptr, count);
  Kokkos::deep_copy(host_bytes(copy.host.data(), copy.host.size()),
                    device_const_bytes(static_cast<std::byte const*>(buffer), copy.host.size()));
  if (state->kind == device_memory::mpi_is::wrong) copy.host.back() ^= std::byte{1};
  return PMPI_Isend(copy.host.data(), count, type, target, tag, comm, request);
}

int receive_on_device(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                      MPI_Request* request) {
  if (!state || count == 0 || !state->holds(buffer)) return PMPI_Irecv(buffer, count, type, source, tag, comm, request);
  if (state->kind == device_memory::mpi_is::not_gpu_aware) return MPI_ERR_BUFFER;
  auto& copy = new_bounce(static_cast<std::byte*>(buffer), count);
  int const code = PMPI_Irecv(copy.host.data(), count, type, source, tag, comm, request);
  copy.request = *request;
  return code;
}

int wait_for_all(int count, MPI_Request* requests, MPI_Status* statuses) {
  std::vector<std::unique_ptr<bounce>> arriving;
  if (state)
    for (auto& copy : state->bounces)
      if (copy->device != nullptr && std::find(requests, requests + count, copy->request) != requests + count)
        arriving.push_back(std::move(copy));
  int const code = PMPI_Waitall(count, requests, statuses);
  for (auto const& copy : arriving)
    Kokkos::deep_copy(device_bytes(copy->device, copy->host.size()), host_bytes(copy->host.data(), copy->host.size()));
  if (state) std::erase(state->bounces, nullptr);
  return code;
}

}  // namespace testing_mpi
