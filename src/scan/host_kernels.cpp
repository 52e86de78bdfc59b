// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "host_kernel_tables.hpp"

#if defined(UPSWEEP_HOST_KERNELS)

namespace upsweep::detail {

template <class T, host_operation Operation>
host_kernels<T> const& host_kernels_for(instruction_set which) noexcept {
#if defined(__x86_64__)
  if (which == instruction_set::avx512) return avx512_kernels<T, Operation>();
  if (which == instruction_set::avx2) return avx2_kernels<T, Operation>();
#endif
  return static_cast<void>(which), portable_kernels<T, Operation>();
}

#define UPSWEEP_KERNELS(type, operation) \
  template host_kernels<type> const& host_kernels_for<type, host_operation::operation>(instruction_set) noexcept;
UPSWEEP_FOR_EACH_HOST_KERNEL(UPSWEEP_KERNELS)

}  // namespace upsweep::detail

#endif
