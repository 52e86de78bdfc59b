// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/access_count.hpp>
#include <upsweep/base/kokkos_compat.hpp>

// What engines count where UPSWEEP_COUNT_ACCESSES is defined.

namespace upsweep::internal {

KOKKOS_FORCEINLINE_FUNCTION void count_load() {
#if defined(UPSWEEP_COUNT_ACCESSES)
  KOKKOS_IF_ON_HOST((access_count::loads.fetch_add(1, std::memory_order_relaxed);))
#endif
}

KOKKOS_FORCEINLINE_FUNCTION void count_store() {
#if defined(UPSWEEP_COUNT_ACCESSES)
  KOKKOS_IF_ON_HOST((access_count::stores.fetch_add(1, std::memory_order_relaxed);))
#endif
}

}  // namespace upsweep::internal
