// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/lists/rows_within.hpp>

#include <cstddef>

namespace upsweep {

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
  /// The first rows + 1 entries count; there may be more behind them after count_lists_into.
  Kokkos::View<std::size_t*, MemorySpace> offsets;

  /// Bytes of the lists that emit_lists will return: offsets and values.
  std::size_t bytes() const { return (rows + 1) * sizeof(std::size_t) + total * sizeof(T); }

  /// The last row such that the records of rows [first_row, last) take at most `bytes`, for emit_lists of a range
  /// of rows. first_row itself where not even that row fits: offsets 0 2 2 5 of ints and 8 bytes give 2 from row 0,
  /// and 2 from row 2.
  /// Cost: log2(rows) reads by one thread; it takes no memory that options could give it. Sync: waits for the instance.
  /// Throws: precondition_error (first_row > rows).
  template <class ExecutionSpace>
  std::size_t rows_within(ExecutionSpace const& space, std::size_t bytes, std::size_t first_row = 0) const {
    static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, MemorySpace>::accessible,
                  "upsweep::list_plan: the plan's offsets cannot be reached by kernels of this execution space.");
    return pack::detail::rows_within(space, offsets.data(), rows, first_row, bytes / sizeof(T));
  }
};

}  // namespace upsweep
