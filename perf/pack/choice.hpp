// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "implementation.hpp"
#include "selection.hpp"

#include <utility>

namespace perf::pack {

/// Every implementation of T that this program was built with; the copy first, because others are compared with it.
template <class T>
std::vector<implementation<T>> all_implementations() {
  std::vector<implementation<T>> all;
  for (auto const& make : {
           copies<T>, upsweep_packs<T>, append_packs<T>, kokkos_packs<T>,
#if defined(PERF_HAS_CUDA_PEERS)
           cub_packs<T>, thrust_packs<T>,
#endif
#if defined(PERF_HAS_STD)
           std_packs<T>,
#endif
#if defined(PERF_HAS_TBB)
           std_par_packs<T>,
#endif
       })
    for (auto& one : make()) all.push_back(std::move(one));
  return all;
}

/// Registers the selected benchmarks of one type; defined in register.hpp. `sizes` must fit into memory.
template <class T>
void add_packs_of(pack_selection const& selection, std::vector<std::size_t> const& sizes);

}  // namespace perf::pack
