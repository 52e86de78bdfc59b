// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../names.hpp"
#include "implementation.hpp"
#include "selection.hpp"

#include <cstddef>
#include <vector>

namespace perf::pack {

/// Every implementation of T that this program was built with; the copy first, because others are compared with it.
template <class T>
std::vector<implementation<T>> all_implementations() {
  std::vector<implementation<T>> all;
  append(all, packs<T>::by_copy(), packs<T>::by_upsweep(), packs<T>::by_append(), packs<T>::by_kokkos());
#if defined(PERF_HAS_KOKKOSKERNELS)
  append(all, packs<T>::by_kokkoskernels());
#endif
#if defined(PERF_HAS_CUDA_PEERS)
  append(all, packs<T>::by_cub(), packs<T>::by_thrust());
#endif
#if defined(PERF_HAS_STD)
  append(all, packs<T>::by_std());
#if defined(PERF_HAS_TBB)
  append(all, packs<T>::by_std_par());
#endif
#endif
  return all;
}

/// Registers the selected benchmarks of one type; defined in register.hpp. `sizes` must fit into memory.
template <class T>
void add_packs_of(pack_selection const& selection, std::vector<std::size_t> const& sizes);

}  // namespace perf::pack
