// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "cpu_kernel_tables.hpp"

#if defined(UPSWEEP_CPU_KERNELS)

#include "../base/vectors/portable.hpp"
#include "row_network.hpp"

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

UPSWEEP_ROWS_OF(internal::portable)

}  // namespace upsweep::pack::detail

#endif
