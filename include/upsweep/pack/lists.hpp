// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace upsweep {

class workspace;

/// Rows of different lengths packed one behind the other (compressed row storage): row i is values(offsets(i)) to
/// values(offsets(i+1) - 1). Rows {7}, {}, {8, 9} have offsets 0 1 1 3 and values 7 8 9.
template <class T, class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
struct lists {
  Kokkos::View<std::size_t*, MemorySpace> offsets;  ///< rows + 1 entries, the last is the total
  Kokkos::View<T*, MemorySpace> values;             ///< exactly the total

  std::size_t rows() const { return offsets.extent(0) == 0 ? 0 : offsets.extent(0) - 1; }
  std::size_t total() const { return values.extent(0); }
};

/// What is known about lists once they are counted, before the memory for their values is taken.
template <class T, class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
struct list_plan {
  std::size_t rows = 0;
  std::size_t total = 0;        ///< records of all rows
  std::size_t largest_row = 0;  ///< records of the longest row
  Kokkos::View<std::size_t*, MemorySpace> offsets;

  /// Bytes of the lists that emit_lists will return: offsets and values.
  std::size_t bytes() const { return (rows + 1) * sizeof(std::size_t) + total * sizeof(T); }
};

/// Options of the packing calls.
struct pack_options {
  upsweep::workspace* workspace = nullptr;
  std::string_view label = {};  ///< goes into the kernels' labels, in brackets
  /// The order in which rows are visited, for locality (device memory); the result does not depend on it. Every row
  /// stands in it once; other entries are skipped. `visits` is its length; null means 0, 1, 2, ...
  int const* visit = nullptr;
  std::int64_t visits = 0;
};

}  // namespace upsweep
