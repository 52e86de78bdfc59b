// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/study/access_count.hpp>

#include <atomic>
#include <cstdint>

namespace study {

/// A sum and how many additions wait for each other in it.
struct deep_sum {
  using counter = upsweep::study::access_count;
  std::int64_t sum;
  std::int64_t depth;
};

/// Adds sums and follows the longest chain of additions.
struct deep_plus {
  using value_type = deep_sum;
  KOKKOS_FUNCTION deep_sum identity() const { return {0, 0}; }
  KOKKOS_FUNCTION deep_sum operator()(deep_sum const& left, deep_sum const& right) const {
    return {left.sum + right.sum, 1 + (left.depth > right.depth ? left.depth : right.depth)};
  }
};

/// deep_plus that counts its calls; of the host alone, as this program's kernels are.
struct counted_plus : deep_plus {
  inline static std::atomic<std::uint64_t> operations{0};
  KOKKOS_FUNCTION deep_sum operator()(deep_sum const& left, deep_sum const& right) const {
    KOKKOS_IF_ON_HOST((operations.fetch_add(1, std::memory_order_relaxed);))
    return deep_plus::operator()(left, right);
  }
};

}  // namespace study
