// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "copies.hpp"

#include <Kokkos_Core.hpp>

namespace oracle {
namespace {

template <class Byte, class Memory>
using bytes_view = Kokkos::View<Byte*, Memory, Kokkos::MemoryUnmanaged>;
using device_memory = Kokkos::DefaultExecutionSpace::memory_space;

}  // namespace

void copy_to_device(void* device, void const* host, std::size_t bytes) {
  Kokkos::deep_copy(bytes_view<std::byte, device_memory>(static_cast<std::byte*>(device), bytes),
                    bytes_view<std::byte const, Kokkos::HostSpace>(static_cast<std::byte const*>(host), bytes));
}

void copy_from_device(void* host, void const* device, std::size_t bytes) {
  Kokkos::deep_copy(bytes_view<std::byte, Kokkos::HostSpace>(static_cast<std::byte*>(host), bytes),
                    bytes_view<std::byte const, device_memory>(static_cast<std::byte const*>(device), bytes));
}

}  // namespace oracle
