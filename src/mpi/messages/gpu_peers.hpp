// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/detail/messages/peer_exchange.hpp>

#include <cstddef>
#include <cstdint>

#include "gpu_calls.hpp"

// Where CUDA and HIP differ: memory that other GPUs open, memory of the CPU that both write, and accesses of words at
// system scope.

#if defined(KOKKOS_ENABLE_CUDA)
#define UPSWEEP_GRID_CONSTANT __grid_constant__
#else
#define UPSWEEP_GRID_CONSTANT
#endif

namespace upsweep::mpi::detail {

/// Not by Kokkos, which may take memory from a pool: a handle of CUDA names a whole allocation, and there are none for
/// memory of pools. HIP's memory is not cached, since kernels read what other GPUs write while they run.
inline UPSWEEP_GPU(Error_t) allocate_shared(void** memory, std::size_t bytes) {
#if defined(KOKKOS_ENABLE_CUDA)
  return cudaMalloc(memory, bytes);
#else
  return hipExtMallocWithFlags(memory, bytes, hipDeviceMallocUncached);
#endif
}
/// Memory of the CPU that has the same address on the GPU.
inline UPSWEEP_GPU(Error_t) allocate_notes(void** memory, std::size_t bytes) {
#if defined(KOKKOS_ENABLE_CUDA)
  return cudaHostAlloc(memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
#else
  return hipHostMalloc(memory, bytes, hipHostMallocPortable | hipHostMallocMapped | hipHostMallocCoherent);
#endif
}
inline void free_notes(void* memory) {
#if defined(KOKKOS_ENABLE_CUDA)
  static_cast<void>(cudaFreeHost(memory));
#else
  static_cast<void>(hipHostFree(memory));
#endif
}

/// A block of threads, for peer_worker.
class gpu_team {
 public:
  __device__ explicit gpu_team(std::uint32_t* agreed) : agreed_(agreed) {}

  __device__ std::uint32_t rank() const { return threadIdx.x; }
  __device__ void barrier() const { __syncthreads(); }
  template <class F>
  __device__ std::uint32_t agree(F const& f) const {
    if (threadIdx.x == 0) *agreed_ = f();
    __syncthreads();
    std::uint32_t const result = *agreed_;
    __syncthreads();
    return result;
  }

  __device__ std::uint32_t acquire(peer_word const* word) const {
    std::uint32_t value;
#if defined(KOKKOS_ENABLE_CUDA)
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(&word->value) : "memory");
#else
    value = __hip_atomic_load(&word->value, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
#endif
    return value;
  }
  __device__ void release(peer_word* word, std::uint32_t value) const { release_word(word, value); }
  static __device__ void release_word(peer_word* word, std::uint32_t value) { release_word(&word->value, value); }

  __device__ std::uint32_t next(std::uint32_t* counter) const { return atomicAdd(counter, 1u); }
  __device__ std::uint32_t end(std::uint32_t* counter) const {
#if defined(KOKKOS_ENABLE_CUDA)
    std::uint32_t before;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
    return before;
#else
    return __hip_atomic_fetch_add(counter, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
#endif
  }
  __device__ std::uint32_t failure(std::uint32_t* word) const { return atomicAdd(word, 0u); }
  __device__ std::uint32_t fail(std::uint32_t* word, std::uint32_t failure) const {
    std::uint32_t const before = atomicCAS(word, 0u, failure);
    return before != 0 ? before : failure;
  }
  __device__ std::uint32_t read(std::uint32_t const* word) const {
    return *static_cast<std::uint32_t const volatile*>(word);
  }
  __device__ void report(peer_notes* notes, std::uint32_t exchange, std::uint32_t failure) const {
    if (failure != 0) *static_cast<std::uint32_t volatile*>(&notes->failure) = failure;
    release_word(&notes->done, exchange);
  }
  __device__ std::uint64_t nanoseconds() const {
#if defined(KOKKOS_ENABLE_CUDA)
    std::uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
#else
    // Its rate is 100 MHz on AMD's GPUs for data centres.
    return static_cast<std::uint64_t>(wall_clock64()) * 10;
#endif
  }
  /// A word comes in microseconds, or it takes long.
  __device__ void pause(std::uint32_t tries) const {
    if (tries < 1000) return;
#if defined(KOKKOS_ENABLE_CUDA)
    __nanosleep(200);
#else
    __builtin_amdgcn_s_sleep(4);
#endif
  }

  __device__ void store(std::byte* slot, std::byte const* memory, std::uint32_t bytes) const {
    copy<true>(slot, const_cast<std::byte*>(memory), bytes);
  }
  __device__ void load(std::byte* slot, std::byte* memory, std::uint32_t bytes) const {
    copy<false>(slot, memory, bytes);
  }

 private:
  static __device__ void release_word(std::uint32_t* word, std::uint32_t value) {
#if defined(KOKKOS_ENABLE_CUDA)
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
#else
    __hip_atomic_store(word, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
#endif
  }

  /// 16 bytes as units of memory that is aligned to one.
  template <class Unit>
  struct alignas(16) quad {
    Unit units[16 / sizeof(Unit)];
  };

  /// Between a slot and memory of the caller. A slot is aligned to 16 bytes, and is read and written in such pieces:
  /// between GPUs these are packets.
  template <bool ToSlot>
  __device__ void copy(std::byte* slot, std::byte* memory, std::uint32_t bytes) const {
    auto const at = reinterpret_cast<std::uintptr_t>(memory);
    if (at % 16 == 0) copy_quads<ToSlot, uint4>(slot, memory, bytes);
    else if (at % 8 == 0) copy_quads<ToSlot, unsigned long long>(slot, memory, bytes);
    else if (at % 4 == 0) copy_quads<ToSlot, unsigned int>(slot, memory, bytes);
    else copy_quads<ToSlot, unsigned char>(slot, memory, bytes);
    std::uint32_t const tail = bytes / 16 * 16 + threadIdx.x;
    if (tail < bytes) ToSlot ? void(slot[tail] = memory[tail]) : void(memory[tail] = slot[tail]);
  }
  template <bool ToSlot, class Unit>
  __device__ void copy_quads(std::byte* slot, std::byte* memory, std::uint32_t bytes) const {
    using quad_type = quad<Unit>;
    constexpr std::uint32_t units = 16 / sizeof(Unit), in_flight = units > 2 ? 1 : 4;
    auto* const quads = reinterpret_cast<quad_type*>(slot);
    auto* const from_units = reinterpret_cast<Unit*>(memory);
    std::uint32_t const n = bytes / 16;
    for (std::uint32_t first = threadIdx.x; first < n; first += in_flight * blockDim.x) {
      quad_type held[in_flight];
#pragma unroll
      for (std::uint32_t k = 0; k < in_flight; ++k) {
        std::uint32_t const i = first + k * blockDim.x;
        if (i >= n) continue;
        if constexpr (ToSlot) {
#pragma unroll
          for (std::uint32_t u = 0; u < units; ++u) held[k].units[u] = from_units[std::size_t{i} * units + u];
        } else {
          held[k] = quads[i];
        }
      }
#pragma unroll
      for (std::uint32_t k = 0; k < in_flight; ++k) {
        std::uint32_t const i = first + k * blockDim.x;
        if (i >= n) continue;
        if constexpr (ToSlot) {
          quads[i] = held[k];
        } else {
#pragma unroll
          for (std::uint32_t u = 0; u < units; ++u) from_units[std::size_t{i} * units + u] = held[k].units[u];
        }
      }
    }
  }

  std::uint32_t* agreed_;
};

}  // namespace upsweep::mpi::detail
