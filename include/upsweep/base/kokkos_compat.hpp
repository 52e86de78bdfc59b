// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The one place where differences between Kokkos versions (4.6 to 5.2 and newer) and between backends are met.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#if KOKKOS_VERSION < 40600
#error "Upsweep needs Kokkos 4.6 or newer."
#endif

#if defined(__FAST_MATH__)
#error "Upsweep's results are defined bit by bit; do not compile it with -ffast-math."
#endif

// Asks a device compiler to unroll the next loop, so that arrays indexed by it stay in registers.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define UPSWEEP_UNROLL _Pragma("unroll")
#define UPSWEEP_UNROLL_4 _Pragma("unroll 4")
#define UPSWEEP_NO_UNROLL _Pragma("unroll 1")
#else
#define UPSWEEP_UNROLL
#define UPSWEEP_UNROLL_4
#define UPSWEEP_NO_UNROLL
#endif

// Says that the iterations of the next loop are independent. Not `omp simd`: GCC then keeps a copy of each local
// variable a lane, sums as arrays of structures among them, and vectorises nothing.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define UPSWEEP_LANES _Pragma("GCC ivdep")
#else
#define UPSWEEP_LANES
#endif

// A function of which a program has one copy, however many files instantiate it.
#if defined(__GNUC__) && !defined(__clang__)
#define UPSWEEP_ONE_COPY __attribute__((noipa))
#else
#define UPSWEEP_ONE_COPY __attribute__((noinline))
#endif

// UPSWEEP_FOR_EACH_BACKEND(macro): macro(space) for each execution space that Kokkos has and the library is compiled
// for.

#if defined(KOKKOS_ENABLE_SERIAL)
#define UPSWEEP_IF_SERIAL(macro) macro(Kokkos::Serial)
#else
#define UPSWEEP_IF_SERIAL(macro)
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
#define UPSWEEP_IF_OPENMP(macro) macro(Kokkos::OpenMP)
#else
#define UPSWEEP_IF_OPENMP(macro)
#endif
#if defined(KOKKOS_ENABLE_THREADS)
#define UPSWEEP_IF_THREADS(macro) macro(Kokkos::Threads)
#else
#define UPSWEEP_IF_THREADS(macro)
#endif
#if defined(KOKKOS_ENABLE_CUDA)
#define UPSWEEP_IF_CUDA(macro) macro(Kokkos::Cuda)
#else
#define UPSWEEP_IF_CUDA(macro)
#endif
#if defined(KOKKOS_ENABLE_HIP)
#define UPSWEEP_IF_HIP(macro) macro(Kokkos::HIP)
#else
#define UPSWEEP_IF_HIP(macro)
#endif

#define UPSWEEP_FOR_EACH_BACKEND(macro) \
  UPSWEEP_IF_SERIAL(macro)              \
  UPSWEEP_IF_OPENMP(macro) UPSWEEP_IF_THREADS(macro) UPSWEEP_IF_CUDA(macro) UPSWEEP_IF_HIP(macro)

namespace upsweep::compat {

/// True for Kokkos::Cuda, or for Kokkos::HIP, where Kokkos has it.
template <class ExecutionSpace>
inline constexpr bool is_cuda = false;
template <class ExecutionSpace>
inline constexpr bool is_hip = false;

/// Neighbouring threads of a team that run as a warp or wavefront (base/internal/gpu/lanes.hpp), where there is one;
/// elsewhere 32, for code that only has to compile.
template <class ExecutionSpace>
inline constexpr int warp_width = 32;

/// Defined where Kokkos has a GPU backend: elsewhere kernels that are for GPUs alone are not even parsed.
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#define UPSWEEP_HAS_GPU
#endif

#if defined(KOKKOS_ENABLE_CUDA)
template <>
inline constexpr bool is_cuda<Kokkos::Cuda> = true;
#endif
#if defined(KOKKOS_ENABLE_HIP)
template <>
inline constexpr bool is_hip<Kokkos::HIP> = true;
template <>
inline constexpr int warp_width<Kokkos::HIP> = Kokkos::Impl::HIPTraits::WarpSize;
#endif

/// True for backends whose teams are made of hardware lanes (a team of many threads is the natural unit of work).
template <class ExecutionSpace>
inline constexpr bool is_gpu =
    !Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename ExecutionSpace::memory_space>::accessible ||
    is_cuda<ExecutionSpace> || is_hip<ExecutionSpace>;

// UPSWEEP_PORTABLE_GPU (CMake: Upsweep_PORTABLE_GPU) makes CUDA devices use only what every GPU with warps has: no
// copies by the hardware, at most 48 KiB of scratch, no cp.async, no reductions by the hardware, no 16-byte accesses to
// words that others write. The library and all that links it are compiled alike.

/// True where a team can have memory copied to and from scratch while it works on something else: CUDA devices of
/// compute capability 9.0 and newer.
#if (defined(KOKKOS_ARCH_HOPPER) || defined(KOKKOS_ARCH_BLACKWELL)) && !defined(UPSWEEP_PORTABLE_GPU)
template <class ExecutionSpace>
inline constexpr bool has_bulk_copies = is_cuda<ExecutionSpace>;
#else
template <class ExecutionSpace>
inline constexpr bool has_bulk_copies = false;
#endif

/// True where neighbouring threads of a team run as a warp or wavefront with ballot, shuffle and match
/// (base/internal/gpu/lanes.hpp), and where a team that has started goes on whatever others do: CUDA devices of compute
/// capability 7.0 and newer, and HIP's.
template <class ExecutionSpace>
inline constexpr bool has_warps = is_hip<ExecutionSpace>
#if defined(KOKKOS_ARCH_VOLTA) || defined(KOKKOS_ARCH_TURING75) || defined(KOKKOS_ARCH_AMPERE) || \
    defined(KOKKOS_ARCH_ADA89) || defined(KOKKOS_ARCH_HOPPER) || defined(KOKKOS_ARCH_BLACKWELL)
                                  || is_cuda<ExecutionSpace>
#endif
    ;

/// The same for kernels that are written for warps of 32 lanes: sorts, and masks of neighbours. CUDA only: HIP's
/// wavefronts have 64 lanes on most devices, and the sort's counters in scratch are CUDA's instructions
/// (pack/detail/moving/scratch_word.hpp).
template <class ExecutionSpace>
inline constexpr bool has_warps_of_32 = has_warps<ExecutionSpace> && !is_hip<ExecutionSpace>;

/// True where a CUDA team may have more than 96 KiB of scratch: Kokkos asks the driver for it from 5.2 on, and
/// UPSWEEP_KOKKOS_HAS_LARGE_SCRATCH is to be defined for an older Kokkos that has been taught the same. Devices of
/// compute capability 7.0, 7.5, 8.6, 8.9 and 12.0 have no more than 64 to 99 KiB; they do with 48.
#if (KOKKOS_VERSION >= 50200 || defined(UPSWEEP_KOKKOS_HAS_LARGE_SCRATCH)) && !defined(UPSWEEP_PORTABLE_GPU) && \
    !defined(KOKKOS_ARCH_VOLTA) && !defined(KOKKOS_ARCH_TURING75) && !defined(KOKKOS_ARCH_AMPERE86) &&          \
    !defined(KOKKOS_ARCH_ADA89) && !defined(KOKKOS_ARCH_BLACKWELL120)
inline constexpr bool has_large_scratch = true;
#else
inline constexpr bool has_large_scratch = false;
#endif

/// Bytes of scratch that the teams on one CUDA multiprocessor share.
#if defined(KOKKOS_ARCH_AMPERE80) || defined(KOKKOS_ARCH_AMPERE87)
inline constexpr std::size_t multiprocessor_scratch = 164 * 1024;
#elif defined(KOKKOS_ARCH_AMPERE86) || defined(KOKKOS_ARCH_ADA89) || defined(KOKKOS_ARCH_BLACKWELL120)
inline constexpr std::size_t multiprocessor_scratch = 100 * 1024;
#elif defined(KOKKOS_ARCH_VOLTA)
inline constexpr std::size_t multiprocessor_scratch = 96 * 1024;
#elif defined(KOKKOS_ARCH_TURING75)
inline constexpr std::size_t multiprocessor_scratch = 64 * 1024;
#else
inline constexpr std::size_t multiprocessor_scratch = 228 * 1024;
#endif

/// The policy of a launch whose functor goes along with it. A functor of more than 512 bytes would be copied to the
/// device first, and the launch would wait for an earlier one that took the same way.
template <class Policy>
auto light(Policy const& policy) {
  return Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight);
}

/// Teams on a multiprocessor to ask for in LaunchBounds: `wanted`, or as many as its scratch has room for. Kokkos
/// refuses to launch where there is room for fewer than were asked for.
constexpr int resident_teams(int wanted, int team_size, std::size_t scratch_bytes,
                             std::size_t available = multiprocessor_scratch) {
  // Beside the kernel's own: the driver's, and what Kokkos reduces in.
  std::size_t const team_bytes = scratch_bytes + 1024 + sizeof(double) * (static_cast<std::size_t>(team_size) + 2);
  return std::max(1, std::min(wanted, static_cast<int>(available / team_bytes)));
}

/// The policy of teams of one size, of which a multiprocessor is to have `Wanted`, or as many as there is room for.
template <class ExecutionSpace, int Wanted, int TeamSize, std::size_t ScratchBytes, class... Traits>
using resident_team_policy =
    Kokkos::TeamPolicy<ExecutionSpace, Traits...,
                       Kokkos::LaunchBounds<TeamSize, resident_teams(Wanted, TeamSize, ScratchBytes)>>;

/// Memory that kernels write and the host reads without a copy.
#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
template <class ExecutionSpace>
using mailbox_space = std::conditional_t<is_gpu<ExecutionSpace>, Kokkos::SharedHostPinnedSpace, Kokkos::HostSpace>;
#else
template <class ExecutionSpace>
using mailbox_space = Kokkos::HostSpace;
#endif

/// Multiprocessors of the device behind an instance; 1 for CPUs.
template <class ExecutionSpace>
int multiprocessors([[maybe_unused]] ExecutionSpace const& space) {
  if constexpr (is_cuda<ExecutionSpace>) return space.cuda_device_prop().multiProcessorCount;
  else if constexpr (is_hip<ExecutionSpace>) return space.hip_device_prop().multiProcessorCount;
  else return 1;
}

/// Teams of so many threads and bytes of scratch that a device runs at once, if nothing else runs on it: at most `most`
/// a multiprocessor, for which a kernel's registers suffice. No promise. Not known for HIP, where it is one.
template <class ExecutionSpace>
std::size_t teams_at_once(ExecutionSpace const& space, [[maybe_unused]] int most, [[maybe_unused]] int team_size,
                          [[maybe_unused]] std::size_t scratch_bytes) {
  auto const all = static_cast<std::size_t>(multiprocessors(space));
  if constexpr (is_cuda<ExecutionSpace>) {
    constexpr std::size_t taken = 1024;  // by the driver, a team
    auto const& device = space.cuda_device_prop();
    auto const fits = std::min(device.sharedMemPerMultiprocessor / (scratch_bytes + taken),
                               static_cast<std::size_t>(device.maxThreadsPerMultiProcessor / team_size));
    return all * std::min(static_cast<std::size_t>(most), fits);
  } else {
    return all;
  }
}

/// Free bytes of a device's memory, where its runtime knows them, by three of the runtime's functions.
template <class Error>
std::optional<std::size_t> free_bytes_of(int device, Error (&get_device)(int*), Error (&set_device)(int),
                                         Error (&get_memory)(std::size_t*, std::size_t*)) {
  constexpr Error success{};
  // The thread's device may be another one.
  int before = device;
  std::size_t free = 0, total = 0;
  bool const known =
      get_device(&before) == success && set_device(device) == success && get_memory(&free, &total) == success;
  static_cast<void>(set_device(before));
  return known ? std::optional(free) : std::nullopt;
}

/// Free bytes of the memory of the device behind an instance, and what the driver keeps for later allocations of this
/// process. The largest std::size_t where this is not known.
template <class ExecutionSpace>
std::size_t free_device_memory([[maybe_unused]] ExecutionSpace const& space) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<typename ExecutionSpace::memory_space, Kokkos::CudaSpace>) {
    int const device = space.cuda_device();
    auto const free = free_bytes_of(device, cudaGetDevice, cudaSetDevice, cudaMemGetInfo);
    cudaMemPool_t pool{};
    std::uint64_t reserved = 0, used = 0;
    bool const pooled = cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess &&
                        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved) == cudaSuccess &&
                        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess;
    // So that the next check of a launch does not find an error of these calls. Errors of others stay.
    if (!free || !pooled) static_cast<void>(cudaGetLastError());
    if (free) return *free + (pooled ? reserved - used : 0);
  }
#endif
#if defined(KOKKOS_ENABLE_HIP)
  if constexpr (std::is_same_v<typename ExecutionSpace::memory_space, Kokkos::HIPSpace>) {
    auto const free = free_bytes_of(space.hip_device(), hipGetDevice, hipSetDevice, hipMemGetInfo);
    if (!free) static_cast<void>(hipGetLastError());
    if (free) return *free;
  }
#endif
  return std::numeric_limits<std::size_t>::max();
}

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

/// Barriers of a team whose last warp, the look-back warp, runs other code than the warps before it, the workers.
/// CUDA does not allow the team's barrier in different code (compute-sanitizer reports it), but barriers that some
/// arrive at and others wait for. AMD's barrier counts wavefronts, wherever they are. Each is met once by a team.
template <class Member, int Workers, int LookBackThreads>
struct warp_role_barriers {
  Member const& m;

  /// By workers: they meet, and the look-back warp may go on.
  KOKKOS_FORCEINLINE_FUNCTION void sync_workers() const {
#if defined(__CUDA_ARCH__)
    asm volatile("bar.sync 1, %0;" ::"n"(Workers) : "memory");
    asm volatile("bar.arrive 2, %0;" ::"n"(Workers + LookBackThreads) : "memory");
#else
    m.team_barrier();
#endif
  }
  /// By the look-back warp: waits until all workers have met.
  KOKKOS_FORCEINLINE_FUNCTION void wait_for_workers() const {
#if defined(__CUDA_ARCH__)
    asm volatile("bar.sync 2, %0;" ::"n"(Workers + LookBackThreads) : "memory");
#else
    m.team_barrier();
#endif
  }
  /// By the look-back warp: workers may go on.
  KOKKOS_FORCEINLINE_FUNCTION void release_workers() const {
#if defined(__CUDA_ARCH__)
    asm volatile("bar.arrive 3, %0;" ::"n"(Workers + LookBackThreads) : "memory");
#else
    m.team_barrier();
#endif
  }
  /// By workers: waits for release_workers().
  KOKKOS_FORCEINLINE_FUNCTION void wait_for_look_back() const {
#if defined(__CUDA_ARCH__)
    asm volatile("bar.sync 3, %0;" ::"n"(Workers + LookBackThreads) : "memory");
#else
    m.team_barrier();
#endif
  }
};

/// Relaxed atomic accesses of a word of 32 or 64 bits that other teams write. Not Kokkos::atomic_load and atomic_store:
/// on CUDA and HIP those are loops of compare-exchanges, which also keep each other busy (H200, 2^28 int32 scanned:
/// 1323 us with them).
template <class Word>
KOKKOS_FORCEINLINE_FUNCTION Word load_word(Word const* at) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  Word value;
  if constexpr (sizeof(Word) == 8)
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
  else asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_load(at, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
  return Kokkos::atomic_load(at);
#endif
}
template <class Word>
KOKKOS_FORCEINLINE_FUNCTION void store_word(Word* at, std::type_identity_t<Word> value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  if constexpr (sizeof(Word) == 8) asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
  else asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
#elif defined(__HIP_DEVICE_COMPILE__)
  __hip_atomic_store(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
  Kokkos::atomic_store(at, value);
#endif
}
/// The same if `wanted`, else 0: without a branch, so that several loads may be in flight together.
template <class Word>
KOKKOS_FORCEINLINE_FUNCTION Word load_word_if(bool wanted, Word const* at) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  Word value = 0;
  auto const asked = static_cast<unsigned>(wanted);
  if constexpr (sizeof(Word) == 8)
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %2, 0;\n@p ld.relaxed.gpu.global.u64 %0, [%1];\n}"
                 : "+l"(value)
                 : "l"(at), "r"(asked)
                 : "memory");
  else
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %2, 0;\n@p ld.relaxed.gpu.global.u32 %0, [%1];\n}"
                 : "+r"(value)
                 : "l"(at), "r"(asked)
                 : "memory");
  return value;
#else
  return wanted ? load_word(at) : 0;
#endif
}
/// Two neighbouring words in one access if `wanted`, else 0; each is atomic, the pair need not be. Pre: `at` is
/// aligned to 16 bytes.
KOKKOS_FORCEINLINE_FUNCTION void load_pair_if(bool wanted, std::uint64_t const* at, std::uint64_t& first,
                                              std::uint64_t& second) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700 && !defined(UPSWEEP_PORTABLE_GPU)
  first = second = 0;
  asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %3, 0;\n@p ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];\n}"
               : "+l"(first), "+l"(second)
               : "l"(at), "r"(static_cast<unsigned>(wanted))
               : "memory");
#else
  first = load_word_if(wanted, at);
  second = load_word_if(wanted, at + 1);
#endif
}
KOKKOS_FORCEINLINE_FUNCTION void store_pair(std::uint64_t* at, std::uint64_t first, std::uint64_t second) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700 && !defined(UPSWEEP_PORTABLE_GPU)
  asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(at), "l"(first), "l"(second) : "memory");
#else
  store_word(at, first);
  store_word(at + 1, second);
#endif
}

/// Asks for huge pages under host memory: random accesses of a large array then miss the TLB less often.
/// A hint; does nothing on systems without them.
inline void prefer_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
  constexpr std::uintptr_t page = std::uintptr_t(1) << 21;
  auto const first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  auto const last = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  if (first < last) static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
#endif
}

/// Prefetches the line at `p` for reading, or for writing. CPU only; no-op on devices.
KOKKOS_FORCEINLINE_FUNCTION void prefetch_read([[maybe_unused]] void const* p) {
  KOKKOS_IF_ON_HOST((__builtin_prefetch(p);))
}
KOKKOS_FORCEINLINE_FUNCTION void prefetch_write([[maybe_unused]] void const* p) {
  KOKKOS_IF_ON_HOST((__builtin_prefetch(p, 1);))
}

/// x, of which the compiler of CPU code knows nothing more: it makes no branch of its own for one of its values.
KOKKOS_FORCEINLINE_FUNCTION std::size_t opaque(std::size_t x) {
#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  asm("" : "+r"(x));
#endif
  return x;
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

/// The same where the word will change within a microsecond. For CPU threads.
inline void spin_pause() {
#if defined(__x86_64__) || defined(__i386__)
  asm volatile("pause");
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Threads of the instance. Kokkos 4's space.concurrency() makes an instance where deprecated code is enabled: that
/// takes memory, which calls across ranks must not do where their ranks cannot agree on a failure any more.
template <class ExecutionSpace>
int concurrency(ExecutionSpace const& space) {
  if constexpr (requires { ExecutionSpace::concurrency(space); }) return ExecutionSpace::concurrency(space);
  else return space.concurrency();
}

/// Runs work on the calling thread as a kernel of the instance, for work that is shorter than a fork: tools see a
/// parallel_for with the label that make_label() returns. Without tools there is none: a string takes 50 ns.
/// Pre: launches_wait<ExecutionSpace>.
template <class ExecutionSpace, class MakeLabel, class Work>
void run_on_this_thread(ExecutionSpace const& space, MakeLabel const& make_label, Work const& work) {
  static_assert(launches_wait<ExecutionSpace>);
  if (!Kokkos::Tools::profileLibraryLoaded()) return work();
  struct seen_by_tools {
    std::uint64_t kernel = 0;
    ~seen_by_tools() { Kokkos::Tools::endParallelFor(kernel); }  // also when a functor throws
  } seen;
  Kokkos::Tools::beginParallelFor(make_label(), Kokkos::Tools::Experimental::device_id(space), &seen.kernel);
  work();
}

}  // namespace upsweep::compat
