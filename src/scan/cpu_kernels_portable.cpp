// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "cpu_kernel_tables.hpp"

#if defined(UPSWEEP_CPU_KERNELS)

#include "../base/vectors/portable.hpp"
#include "window_scan.hpp"

#include "segment_windows.hpp"

namespace upsweep::scan::detail {

UPSWEEP_FOR_EACH_HOST_KERNEL(UPSWEEP_KERNELS_OF, internal::portable)
UPSWEEP_FOR_EACH_HOST_KERNEL(UPSWEEP_SEGMENT_KERNELS_OF, internal::portable)

}  // namespace upsweep::scan::detail

#endif
