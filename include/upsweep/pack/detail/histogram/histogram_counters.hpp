// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::pack::detail {

/// Counters as a kernel adds to them: contiguous or with a stride.
template <class T>
struct counters {
  using value_type = T;
  T* data;
  std::ptrdiff_t stride;
  KOKKOS_FUNCTION T* at(std::size_t b) const { return data + static_cast<std::ptrdiff_t>(b) * stride; }
};

/// Those of a View. Where its elements cannot be assigned it was refused, and one error is enough.
template <class Counts>
auto counters_in(Counts const& counts) {
  using count = typename Counts::non_const_value_type;
  if constexpr (std::is_const_v<typename Counts::value_type>) return counters<count>{nullptr, 0};
  else return counters<count>{counts.data(), compat::stride(counts, 0)};
}

/// Zeros everywhere.
template <class T>
struct clear_counters_kernel {
  counters<T> counts;
  KOKKOS_FUNCTION void operator()(std::int64_t b) const { *counts.at(static_cast<std::size_t>(b)) = T(0); }
};

}  // namespace upsweep::pack::detail
