// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/held_by_pointer.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/detail/messages/device_kind.hpp>

#include <cstddef>
#include <exception>
#include <memory>

namespace upsweep::mpi::detail {

#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
using staging_space = Kokkos::SharedHostPinnedSpace;
#else
using staging_space = Kokkos::HostSpace;
#endif

/// Copies between the memory of a device and the host's, one behind the other, beside the kernels of all instances.
class copy_queue : public upsweep::internal::held_by_pointer {
 public:
  enum class progress { passed, pending, failed };

  /// Markers 0 ... n - 1. May throw.
  virtual void reserve(std::size_t markers) = 0;
  /// Begins a copy, with a marker behind it. False where the device reports an error.
  virtual bool copy(std::byte* to, std::byte const* from, std::size_t bytes, std::size_t marker) noexcept = 0;
  /// Whether all copies before a marker are done.
  virtual progress at(std::size_t marker) noexcept = 0;
};

/// Memory that both reach needs no queue.
class host_copies final : public copy_queue {
 public:
  void reserve(std::size_t) override {}
  bool copy(std::byte* to, std::byte const* from, std::size_t bytes, std::size_t) noexcept override;
  progress at(std::size_t) noexcept override { return progress::passed; }
};

/// For devices of which only Kokkos knows. Each copy is waited for, and may fail for lack of memory.
template <class ExecutionSpace>
class kokkos_copies final : public copy_queue {
 public:
  kokkos_copies(ExecutionSpace const& space, bool to_host) : space_(space), to_host_(to_host) {}
  void reserve(std::size_t) override {}
  bool copy(std::byte* to, std::byte const* from, std::size_t bytes, std::size_t) noexcept override {
    using device = typename ExecutionSpace::memory_space;
    try {
      if (to_host_) copy_between<staging_space, device>(to, from, bytes);
      else copy_between<device, staging_space>(to, from, bytes);
    } catch (std::exception const&) {
      return false;
    }
    return true;
  }
  progress at(std::size_t) noexcept override { return progress::passed; }

 private:
  template <class To, class From>
  void copy_between(std::byte* to, std::byte const* from, std::size_t bytes) const {
    Kokkos::deep_copy(space_, Kokkos::View<std::byte*, To, Kokkos::MemoryUnmanaged>(to, bytes),
                      Kokkos::View<std::byte const*, From, Kokkos::MemoryUnmanaged>(from, bytes));
    space_.fence("upsweep::mpi::copy");
  }

  ExecutionSpace space_;
  bool to_host_;
};

/// With a stream of its own on a GPU of CUDA or HIP. Its copies take no memory, so they cannot fail on one rank for
/// lack of it, as Kokkos::deep_copy can. Throws upsweep::error where the device refuses a stream.
std::unique_ptr<copy_queue> make_stream_copies(int gpu);

template <class ExecutionSpace>
std::unique_ptr<copy_queue> make_copy_queue([[maybe_unused]] ExecutionSpace const& space,
                                            [[maybe_unused]] bool to_host) {
  constexpr auto kind = device_kind_of<typename ExecutionSpace::memory_space>();
  if constexpr (kind == device_kind::host) return std::make_unique<host_copies>();
  else if constexpr (kind == device_kind::other) return std::make_unique<kokkos_copies<ExecutionSpace>>(space, to_host);
  else return make_stream_copies(gpu_number(space));
}

}  // namespace upsweep::mpi::detail
