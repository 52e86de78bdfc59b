// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/cpu/cache_tiles.hpp>
#include <upsweep/scan/detail/portable/two_level.hpp>
#include <upsweep/scan/options.hpp>

// A compiler reads the kernels of GPUs only where Kokkos has a GPU backend.
#if defined(UPSWEEP_HAS_GPU)
#include <upsweep/scan/detail/one_pass/warp_look_back.hpp>
#include <upsweep/scan/detail/persistent/pipelined.hpp>
#include <upsweep/scan/detail/tiles/segmented_tile.hpp>
#endif

#include <cstddef>
#include <type_traits>

namespace upsweep::scan::detail {

struct warp_look_back_engine;
struct pipelined_engine;

/// Whether warp_look_back_engine runs on a backend.
template <class ExecutionSpace>
inline constexpr bool has_warp_look_back = compat::has_warps<ExecutionSpace>;

/// Whether pipelined_engine runs a problem on a backend.
template <class ExecutionSpace, class Problem>
constexpr bool takes_pipelined() {
#if defined(UPSWEEP_HAS_GPU)
  return pipelined_engine::takes<ExecutionSpace, Problem>();
#else
  return false;
#endif
}

/// Whether a backend's tiles find the segments of a problem by themselves (segmented_tile.hpp).
template <class ExecutionSpace, class Problem>
constexpr bool has_segmented_tiles() {
#if defined(UPSWEEP_HAS_GPU)
  return has_warp_look_back<ExecutionSpace> && takes_segmented_tile<Problem>::value;
#else
  return false;
#endif
}

/// The class that implements an engine on a backend for problems that the pipelined engine does not take.
template <class Engine, class ExecutionSpace>
struct engine_class;
template <class ExecutionSpace>
struct engine_class<engine::two_level, ExecutionSpace> {
  using type = two_level_engine;
};
template <class ExecutionSpace>
struct engine_class<engine::look_back, ExecutionSpace> {
  using type = std::conditional_t<has_warp_look_back<ExecutionSpace>, warp_look_back_engine, two_level_engine>;
};
template <class ExecutionSpace>
struct engine_class<engine::pipelined, ExecutionSpace> : engine_class<engine::look_back, ExecutionSpace> {};
template <class ExecutionSpace>
struct engine_class<engine::cache_tiles, ExecutionSpace> {
  using type = std::conditional_t<cache_tiles_engine::runs_on<ExecutionSpace>, cache_tiles_engine, two_level_engine>;
};
template <class Engine>
struct engine_of_tuning {
  static_assert(!std::is_same_v<Engine, engine::automatic>,
                "upsweep: a tuning header names no engine but `automatic` itself.");
  using type = Engine;
};
template <class ExecutionSpace>
struct engine_class<engine::automatic, ExecutionSpace>
    : engine_class<typename engine_of_tuning<typename engine::tuning<ExecutionSpace>::automatic>::type,
                   ExecutionSpace> {};

/// One that implements an engine for study (scan/study/) is named by itself.
template <class Implementation, class ExecutionSpace>
  requires std::is_same_v<decltype(Implementation::memory), engine_memory const>
struct engine_class<Implementation, ExecutionSpace> {
  using type = Implementation;
};

template <class Engine>
inline constexpr bool may_be_pipelined =
    std::is_same_v<Engine, engine::automatic> || std::is_same_v<Engine, engine::pipelined>;

/// The class that implements an engine for a problem.
template <class Engine, class ExecutionSpace, class Problem>
using implementation_of = std::conditional_t<may_be_pipelined<Engine> && takes_pipelined<ExecutionSpace, Problem>(),
                                             pipelined_engine, typename engine_class<Engine, ExecutionSpace>::type>;

/// Bytes of ordinary temporary memory that an implementation takes for n elements.
template <class Implementation, class ExecutionSpace, class State>
std::size_t ordinary_bytes(std::size_t n) {
  if constexpr (Implementation::memory == engine_memory::ordinary)
    return Implementation::template bytes<ExecutionSpace, State>(n);
  else return 0;
}

/// Bytes of ordinary temporary memory that a scan by an engine may take. Pipelined ones take none.
template <class Engine, class ExecutionSpace, class State>
std::size_t engine_bytes(std::size_t n) {
  return ordinary_bytes<typename engine_class<Engine, ExecutionSpace>::type, ExecutionSpace, State>(n);
}

/// Takes the memory for a scan of n elements and leaves it in the workspace: what later pointers into it rely on.
template <class Engine, class Problem, class ExecutionSpace>
void reserve_engine(ExecutionSpace const& space, std::size_t n, workspace& memory) {
  using implementation = implementation_of<Engine, ExecutionSpace, Problem>;
  if constexpr (implementation::memory == engine_memory::protocol) {
    internal::access::reserve_protocol(memory, space,
                                       implementation::template region_bytes<ExecutionSpace, Problem>(n));
  } else {
    std::size_t const bytes = ordinary_bytes<implementation, ExecutionSpace, typename Problem::state>(n);
    if (bytes > 0) internal::access::reserve(memory, space, bytes);
  }
}

/// Runs a scan. Pre: problem.n > 0.
template <class Engine, class ExecutionSpace, class Problem>
void run_engine(ExecutionSpace const& space, Problem const& problem, workspace& memory, scan_names const& names) {
  using implementation = implementation_of<Engine, ExecutionSpace, Problem>;
  internal::access::require_same_instance(memory, space);
  if constexpr (implementation::memory == engine_memory::protocol) {
    std::byte* const region = internal::access::begin_protocol(
        memory, space, implementation::template region_bytes<ExecutionSpace, Problem>(problem.n));
    implementation::scan(space, problem, {region, internal::access::protocol_bytes(memory)}, names);
    internal::access::end_protocol(memory);
  } else if constexpr (implementation::memory == engine_memory::ordinary) {
    std::size_t const bytes = ordinary_bytes<implementation, ExecutionSpace, typename Problem::state>(problem.n);
    implementation::scan(space, problem, bytes > 0 ? internal::access::reserve(memory, space, bytes) : nullptr, names);
  } else {
    using numbers = engine::tuning<ExecutionSpace>;
    implementation::template scan<numbers>(space, problem, make_cpu_tiles<numbers>(problem), names);
  }
}

}  // namespace upsweep::scan::detail
