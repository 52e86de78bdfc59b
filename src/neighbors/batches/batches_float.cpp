// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#define UPSWEEP_COMPILES_LISTS
#include <upsweep/neighbors/detail/builders/list_steps.hpp>

namespace upsweep::neighbors::detail {

template class compiled_list<Kokkos::DefaultExecutionSpace, float, many_systems<float>>;

}  // namespace upsweep::neighbors::detail
