// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "host_kernel_tables.hpp"

#if defined(UPSWEEP_HOST_KERNELS)

#include "lanes_16.hpp"
#include "window_scan.hpp"

namespace upsweep::detail {

template <class T, host_operation Operation>
host_kernels<T> const& portable_kernels() noexcept {
  return window_scan<T, lanes_16, Operation>::table;
}

#define UPSWEEP_KERNELS(type, operation) \
  template host_kernels<type> const& portable_kernels<type, host_operation::operation>() noexcept;
UPSWEEP_FOR_EACH_HOST_KERNEL(UPSWEEP_KERNELS)

}  // namespace upsweep::detail

#endif
