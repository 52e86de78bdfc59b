// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/lists/pack_arguments.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace upsweep::pack::detail {

// Calls in place that cannot move elements within the input have them in temporary memory of the workspace, and
// copy them back.

/// Which of n elements come back: the first *found; or, behind the first *found that are there already, the
/// others; null: all.
struct elements_back {
  std::uint64_t const* found;
  bool rest;
};

/// Work to threads: one element per thread on GPUs, a run of them on CPUs.
/// How many come back is known on the device only.
template <std::size_t PerThread, class From, class To>
struct copy_back_kernel {
  From from;
  To to;
  std::size_t n;
  elements_back which;

  KOKKOS_FUNCTION void operator()(std::int64_t thread) const {
    std::size_t const found = which.found == nullptr ? n : *which.found;
    std::size_t const first = which.rest ? found : 0, count = which.rest ? n - found : found;
    std::size_t const begin = static_cast<std::size_t>(thread) * PerThread, end = Kokkos::min(begin + PerThread, count);
    for (std::size_t i = begin; i < end; ++i) to.store(first + i, from.load(i));
  }
};

template <class ExecutionSpace, class T, class To>
void copy_back(ExecutionSpace const& space, T const* from, To const& to, std::size_t n, elements_back const& which,
               char const* function, std::string_view caller) {
  constexpr std::size_t per_thread = compat::is_gpu<ExecutionSpace> ? 1 : 1024;
  if (n == 0) return;
  copy_back_kernel<per_thread, internal::contiguous_sequence<T const>, To> const kernel{{from}, to, n, which};
  auto const name = [&] { return internal::label(function, "copy_back", caller); };
  if constexpr (compat::is_gpu<ExecutionSpace>) Kokkos::parallel_for(name(), internal::index_policy(space, n), kernel);
  else internal::run_on_cpu(space, name, internal::divide_up(n, per_thread), kernel);
}

/// Compile-time rules for a View whose elements a call moves within it.
template <class ExecutionSpace, class InOut>
constexpr void require_in_out() {
  require_input<ExecutionSpace, InOut>();
  require_output<ExecutionSpace, InOut, typename InOut::non_const_value_type>();
  static_assert(std::is_trivially_copyable_v<typename InOut::value_type>,
                "upsweep: elements that are moved in place can be copied as bytes.");
}

}  // namespace upsweep::pack::detail
