// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/neighbors/detail/builders/pair_steps.hpp>

namespace upsweep::neighbors::detail {

template class compiled_pairs<Kokkos::DefaultExecutionSpace, double>;

}  // namespace upsweep::neighbors::detail
