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

#include <algorithm>
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
  std::uint64_t* mailed_counts = nullptr;  ///< null, or where the counts of both parts go as well

  KOKKOS_FUNCTION std::size_t first() const { return rest ? *found : 0; }
  KOKKOS_FUNCTION std::size_t count(std::size_t n) const {
    if (found == nullptr) return n;
    return rest ? n - *found : *found;
  }
};

/// On CPUs. Work to threads: a run of elements each.
template <class From, class To>
struct copy_back_run {
  static constexpr std::size_t length = 1024;
  From from;
  To to;
  std::size_t n;
  elements_back which;

  KOKKOS_FUNCTION void operator()(std::int64_t run) const {
    std::size_t const begin = static_cast<std::size_t>(run) * length, end = Kokkos::min(begin + length, which.count(n)),
                      first = which.first();
    for (std::size_t i = begin; i < end; ++i) to.store(first + i, from.load(i));
  }
};

/// On GPUs, where how many come back is known on the device only. Work to threads: up to eight elements each, 32 places
/// apart, which are loaded together, as often as there are more. Elements that have no array are copied one by one.
template <class From, class To>
struct copy_back_rows {
  using element = typename From::value_type;
  static constexpr std::size_t row = 32;
  static constexpr std::size_t together =
      std::is_default_constructible_v<element> ? std::clamp<std::size_t>(64 / sizeof(element), 1, 8) : 1;
  From from;
  To to;
  std::size_t n;
  elements_back which;
  std::size_t threads;  ///< a multiple of a row

  KOKKOS_FUNCTION void operator()(std::int64_t thread) const {
    auto const t = static_cast<std::size_t>(thread);
    std::size_t const first = which.first(), count = which.count(n);
    if (t == 0 && which.mailed_counts != nullptr) {
      which.mailed_counts[0] = *which.found;
      which.mailed_counts[1] = n - *which.found;
    }
    for (std::size_t at = t / row * (row * together) + t % row; at < count; at += threads * together)
      copy(first, count, at);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void copy(std::size_t first, std::size_t count, std::size_t at) const {
    if constexpr (together == 1) {
      to.store(first + at, from.load(at));
    } else {
      copy_together(first, count, at);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void copy_together(std::size_t first, std::size_t count, std::size_t at) const {
    element held[together];
    // The last one again where there is none, for nothing.
    UPSWEEP_UNROLL
    for (std::size_t k = 0; k < together; ++k) held[k] = from.load(Kokkos::min(at + k * row, count - 1));
    UPSWEEP_UNROLL
    for (std::size_t k = 0; k < together; ++k) {
      if (at + k * row < count) to.store(first + at + k * row, held[k]);
    }
  }
};

template <class ExecutionSpace, class T, class To>
void copy_back(ExecutionSpace const& space, T const* from, To const& to, std::size_t n, elements_back const& which,
               char const* function, std::string_view caller) {
  using source = internal::contiguous_sequence<T const>;
  if (n == 0) return;
  auto const name = [&] { return internal::label(function, "copy_back", caller); };
  if constexpr (compat::is_gpu<ExecutionSpace>) {
    using kernel = copy_back_rows<source, To>;
    // As many threads as run together.
    std::size_t const rows = internal::divide_up<std::size_t>(n, kernel::row * kernel::together);
    std::size_t const threads =
        kernel::row * std::min(rows, static_cast<std::size_t>(compat::multiprocessors(space)) * 64);
    Kokkos::parallel_for(name(), internal::index_policy(space, threads), kernel{{from}, to, n, which, threads});
  } else {
    using kernel = copy_back_run<source, To>;
    internal::run_on_cpu(space, name, internal::divide_up(n, kernel::length), kernel{{from}, to, n, which});
  }
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
