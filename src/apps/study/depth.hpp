// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <atomic>
#include <cstdint>

namespace study {

/// A sum and how many additions wait for each other in it.
struct deep_sum {
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

/// Counts of global accesses; of the host alone, as this program's kernels are.
struct traffic {
  inline static std::atomic<std::uint64_t> operations{0}, reads{0}, writes{0};
  static void clear() { operations = reads = writes = 0; }
};

/// An output element that counts when it is written.
struct counted_output {
  deep_sum value;
  counted_output() = default;
  KOKKOS_FUNCTION explicit counted_output(deep_sum const& v) : value(v) {}
  counted_output(counted_output const&) = default;
  KOKKOS_FUNCTION counted_output& operator=(counted_output const& other) {
    value = other.value;
    KOKKOS_IF_ON_HOST((traffic::writes.fetch_add(1, std::memory_order_relaxed);))
    return *this;
  }
};

/// An input that is 1 everywhere and counts when it is read.
struct counted_ones {
  KOKKOS_FUNCTION deep_sum operator()(std::size_t) const {
    KOKKOS_IF_ON_HOST((traffic::reads.fetch_add(1, std::memory_order_relaxed);))
    return {1, 0};
  }
};

/// deep_plus that counts its calls and writes counted_output.
struct counted_plus : deep_plus {
  KOKKOS_FUNCTION deep_sum operator()(deep_sum const& left, deep_sum const& right) const {
    KOKKOS_IF_ON_HOST((traffic::operations.fetch_add(1, std::memory_order_relaxed);))
    return deep_plus::operator()(left, right);
  }
  KOKKOS_FUNCTION counted_output lower(deep_sum const& state) const { return counted_output(state); }
};

}  // namespace study
