// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#define UPSWEEP_COMPILES_LISTS
#include <upsweep/neighbors/detail/builders/compiled_lists.hpp>

namespace upsweep {

UPSWEEP_LISTS(, double)

}  // namespace upsweep
