// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/detail/workspace_memory.hpp>
#include <upsweep/base/kokkos_compat.hpp>

namespace upsweep::base::detail {

#define UPSWEEP_WORKSPACE_MEMORY(space) template std::unique_ptr<workspace_memory> make_workspace_memory(space const&);
UPSWEEP_FOR_EACH_BACKEND(UPSWEEP_WORKSPACE_MEMORY)

}  // namespace upsweep::base::detail
