// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../names.hpp"
#include "buffers.hpp"
#include "implementation.hpp"
#include "selection.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace perf {

inline constexpr char latency[] = "latency";

/// Every implementation of T that this program was built with; copies first, because others are compared with them.
template <class T>
std::vector<implementation<T>> all_implementations(engine_names const& engines) {
  std::vector<implementation<T>> all;
  append(all, scans<T>::by_copy(engines), scans<T>::by_upsweep(engines), scans<T>::by_kokkos(engines),
         scans<T>::by_kokkos_std(engines));
#if defined(PERF_HAS_CUDA_PEERS)
  append(all, scans<T>::by_cub(engines), scans<T>::by_thrust(engines));
#endif
#if defined(PERF_HAS_STD)
  append(all, scans<T>::by_std(engines));
#endif
#if defined(PERF_HAS_TBB)
  append(all, scans<T>::by_std_par(engines), scans<T>::by_tbb(engines));
#endif
  return all;
}

/// Registers the selected benchmarks of one type; defined in register.hpp. `sizes` must fit into memory. At named_size,
/// if it is not 0, only exclusive scans.
template <class T>
void add_scans_of(scan_selection const& selection, std::vector<std::size_t> const& sizes, std::size_t named_size,
                  std::shared_ptr<current_buffers> const& shared);

}  // namespace perf
