// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/binning_kernels.hpp>

#include <cstdint>

namespace upsweep::detail {

/// Orders the particles of every cell and settles them at their places.
template <class ExecutionSpace, class Positions, class Real>
void arrange_cells(ExecutionSpace const& space, std::int64_t cells, arrange_cells_kernel<Positions, Real> const& kernel) {
  Kokkos::parallel_for("upsweep::neighbor_list::arrange_cells",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, cells), kernel);
}

}  // namespace upsweep::detail
