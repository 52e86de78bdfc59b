// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The one place where differences between Kokkos versions (4.6 to 5.2 and newer) and between backends are met.

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <type_traits>

#if KOKKOS_VERSION < 40600
#error "Upsweep needs Kokkos 4.6 or newer."
#endif

#if defined(__FAST_MATH__)
#error "Upsweep's results are defined bit by bit; do not compile it with -ffast-math."
#endif

// Asks a device compiler to unroll the next loop, so that arrays indexed by it stay in registers.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define UPSWEEP_UNROLL _Pragma("unroll")
#else
#define UPSWEEP_UNROLL
#endif

namespace upsweep::compat {

/// True for backends whose teams are made of hardware lanes (a team of many threads is the natural unit of work).
template <class ExecutionSpace>
inline constexpr bool is_gpu = !Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename ExecutionSpace::memory_space>::accessible
#if defined(KOKKOS_ENABLE_CUDA)
                               || std::is_same_v<ExecutionSpace, Kokkos::Cuda>
#endif
#if defined(KOKKOS_ENABLE_HIP)
                               || std::is_same_v<ExecutionSpace, Kokkos::HIP>
#endif
    ;

/// True for backends of which it is known that a launch returns when the kernel has run, and that one thread runs its
/// indices of a range in ascending order.
template <class ExecutionSpace>
inline constexpr bool launches_wait = false
#if defined(KOKKOS_ENABLE_OPENMP)
                                      || std::is_same_v<ExecutionSpace, Kokkos::OpenMP>
#endif
#if defined(KOKKOS_ENABLE_SERIAL)
                                      || std::is_same_v<ExecutionSpace, Kokkos::Serial>
#endif
    ;

/// The rank of a View type: `rank()` has been a constexpr function or a static constant, depending on the version.
template <class ViewType>
inline constexpr std::size_t rank = ViewType::rank();

/// Whether a View type is contiguous by its type alone. Rank-1 LayoutLeft and LayoutRight Views have no stride.
template <class ViewType>
inline constexpr bool is_contiguous_rank1 = !std::is_same_v<typename ViewType::array_layout, Kokkos::LayoutStride>;

/// The stride between elements of dimension `dimension`, in elements.
template <class ViewType>
std::ptrdiff_t stride(ViewType const& view, int dimension) {
  return static_cast<std::ptrdiff_t>(view.stride(dimension));
}

/// Whether two handles name the same execution-space instance (the same stream or thread pool).
template <class ExecutionSpace>
bool same_instance(ExecutionSpace const& a, ExecutionSpace const& b) {
  return a == b;
}

/// Lets others work while this thread waits for a word in memory to change.
KOKKOS_FORCEINLINE_FUNCTION void pause() {
#if defined(__CUDA_ARCH__)
  __nanosleep(100);
#elif defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_s_sleep(2);
#else
  std::this_thread::yield();
#endif
}

/// The same where the word will change within a microsecond. For threads of the host.
inline void spin_pause() {
#if defined(__x86_64__) || defined(__i386__)
  asm volatile("pause");
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Runs work on the calling thread as a kernel of the instance, for work that is shorter than a fork: tools see a
/// parallel_for with this label. Pre: launches_wait<ExecutionSpace>.
template <class ExecutionSpace, class Work>
void run_on_this_thread(ExecutionSpace const& space, std::string const& label, Work const& work) {
  static_assert(launches_wait<ExecutionSpace>);
  std::uint64_t kernel = 0;
  Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(space), &kernel);
  work();
  Kokkos::Tools::endParallelFor(kernel);
}

}  // namespace upsweep::compat
