// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/lists/packing_steps.hpp>

namespace upsweep::pack::detail {

#define UPSWEEP_PACKING(space) template struct compiled_packing<space>;
UPSWEEP_FOR_EACH_BACKEND(UPSWEEP_PACKING)

}  // namespace upsweep::pack::detail
