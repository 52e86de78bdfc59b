// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Optional: needs Kokkos Kernels (Upsweep_ENABLE_KOKKOSKERNELS); upsweep.hpp does not include it.

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>

#include <KokkosSparse_CrsMatrix.hpp>

#include <cstddef>
#include <string>

namespace upsweep {

/// A sparse matrix whose entry (i, j) stands for the pair (i, j) of a neighbour list, sharing the list's memory:
/// `auto A = to_crs_matrix(list, columns, values); KokkosSparse::spmv("N", 1.0, A, x, 0.0, y);`
///
/// Pre: values has one entry per pair; columns is at least the number of particles the list was made from.
/// Cost: none; offsets and neighbours are not copied (a test compares the pointers).
/// Throws: precondition_error when values has another length.
template <class ExecutionSpace, class Real, class Scalar>
auto to_crs_matrix(neighbor_list<ExecutionSpace, Real> const& list, int columns,
                   Kokkos::View<Scalar*, typename ExecutionSpace::memory_space> const& values) {
  using device = Kokkos::Device<ExecutionSpace, typename ExecutionSpace::memory_space>;
  using matrix = KokkosSparse::CrsMatrix<Scalar, int const, device, void, std::size_t>;
  internal::require(values.extent(0) == list.pairs(), "to_crs_matrix", [&] {
    return "values has " + std::to_string(values.extent(0)) + " entries, the list " + std::to_string(list.pairs()) +
           " pairs";
  });
  return matrix("upsweep::to_crs_matrix", internal::narrow<int>(list.rows(), "to_crs_matrix", "rows"), columns,
                list.pairs(), values, list.offsets(), list.neighbors());
}

}  // namespace upsweep
