// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Kokkos::Experimental's exclusive_scan and inclusive_scan, which fence after each call. For sums of three types only:
// each takes ten times as long to compile as a parallel_scan, and none is faster than that.

#include "implementation.hpp"

#include <Kokkos_StdAlgorithms.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace perf {

template <class T>
inline constexpr bool has_kokkos_std =
    std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t> || std::is_same_v<T, double>;

template <class T>
std::vector<implementation<T>> scans<T>::by_kokkos_std(engine_names const&) {
  // Their range policies count with 32 bits on GPUs, and abort the program on more.
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  if constexpr (has_kokkos_std<T>)
    return {{"kokkos_std",
             "",
             {operation::exclusive_scan, operation::inclusive_scan},
             [](operation op, problem<T> const& p) -> prepared<T> {
               if (op == operation::inclusive_scan)
                 return {[=] { Kokkos::Experimental::inclusive_scan(p.instance, p.in, p.out); }};
               return {[=] { Kokkos::Experimental::exclusive_scan(p.instance, p.in, p.out, T(0)); }};
             },
             most}};
  else return {};
}

}  // namespace perf
