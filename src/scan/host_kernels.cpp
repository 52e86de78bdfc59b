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

template <class T, host_operation Operation>
segment_kernels<T> const* segment_kernels_for(instruction_set which) noexcept {
#if defined(__x86_64__)
  if (which == instruction_set::avx512) return &avx512_segment_kernels<T, Operation>();
  if (which == instruction_set::avx2) return &avx2_segment_kernels<T, Operation>();
#endif
  return static_cast<void>(which), nullptr;
}

template <class T>
segment_run_kernels<T> const* segment_run_kernels_for(instruction_set which) noexcept {
#if defined(__x86_64__)
  if (which == instruction_set::avx512) return &avx512_segment_run_kernels<T>();
  if (which == instruction_set::avx2) return &avx2_segment_run_kernels<T>();
#endif
  return static_cast<void>(which), nullptr;
}

template <class Mark>
head_kernels<Mark> const* head_kernels_for(instruction_set which) noexcept {
#if defined(__x86_64__)
  if (which == instruction_set::avx512) return &avx512_head_kernels<Mark>();
  if (which == instruction_set::avx2) return &avx2_head_kernels<Mark>();
#endif
  return static_cast<void>(which), nullptr;
}

#define UPSWEEP_KERNELS(type, operation) \
  template host_kernels<type> const& host_kernels_for<type, host_operation::operation>(instruction_set) noexcept;
UPSWEEP_FOR_EACH_HOST_KERNEL(UPSWEEP_KERNELS)

#define UPSWEEP_SEGMENT_KERNELS(type, operation) \
  template segment_kernels<type> const* segment_kernels_for<type, host_operation::operation>(instruction_set) noexcept;
#define UPSWEEP_SEGMENT_RUN_KERNELS(type) template segment_run_kernels<type> const* segment_run_kernels_for<type>(instruction_set) noexcept;
#define UPSWEEP_HEAD_KERNELS(type) template head_kernels<type> const* head_kernels_for<type>(instruction_set) noexcept;
UPSWEEP_FOR_EACH_SEGMENT_KERNEL(UPSWEEP_SEGMENT_KERNELS, UPSWEEP_SEGMENT_RUN_KERNELS, UPSWEEP_HEAD_KERNELS)

}  // namespace upsweep::detail

#endif
