// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// Counters as a kernel adds to them: contiguous or with a stride.
template <class T>
struct counters {
  using value_type = T;
  T* data;
  std::ptrdiff_t stride;
  KOKKOS_FUNCTION T* at(std::size_t b) const { return data + static_cast<std::ptrdiff_t>(b) * stride; }
};

/// Zeros everywhere.
template <class T>
struct clear_counters_kernel {
  counters<T> counts;
  KOKKOS_FUNCTION void operator()(std::int64_t b) const { *counts.at(static_cast<std::size_t>(b)) = T(0); }
};

}  // namespace upsweep::pack::detail
