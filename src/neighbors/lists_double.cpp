// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#define UPSWEEP_COMPILES_LISTS
#include <upsweep/neighbors/detail/builders/compiled_grids.hpp>
#include <upsweep/neighbors/detail/builders/list_steps.hpp>

namespace upsweep::neighbors::detail {

template class compiled_list<Kokkos::DefaultExecutionSpace, double, one_system<double>>;

UPSWEEP_CELL_GRIDS(, double);  // for calls that build no list

}  // namespace upsweep::neighbors::detail
