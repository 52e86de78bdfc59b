// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "host_kernel_tables.hpp"

#if defined(UPSWEEP_HOST_KERNELS)

namespace upsweep::detail {

template <class T, host_operation Operation>
host_kernels<T> const& host_kernels_for(instruction_set which) noexcept {
#if defined(__x86_64__)
  if (which == instruction_set::avx512) return kernels_of<lanes_64, T, Operation>();
  if (which == instruction_set::avx2) return kernels_of<lanes_32, T, Operation>();
#endif
  return static_cast<void>(which), kernels_of<lanes_16, T, Operation>();
}

template <class T, host_operation Operation>
segment_kernels<T> const* segment_kernels_for(instruction_set which) noexcept {
#if defined(__x86_64__)
  if (which == instruction_set::avx512) return &segment_kernels_of<lanes_64, T, Operation>();
  if (which == instruction_set::avx2) return &segment_kernels_of<lanes_32, T, Operation>();
#endif
  return static_cast<void>(which), nullptr;
}

// Eight runs fill the vectors of AVX2. A processor with AVX-512 has AVX2, too.
template <class T>
segment_run_kernels<T> const* segment_run_kernels_for(instruction_set which) noexcept {
#if defined(__x86_64__)
  if (which != instruction_set::portable) return &run_kernels<T>();
#endif
  return static_cast<void>(which), nullptr;
}

template <class Mark>
head_kernels<Mark> const* head_kernels_for(instruction_set which) noexcept {
#if defined(__x86_64__)
  if (which == instruction_set::avx512) return &head_kernels_of<lanes_64, Mark>();
  if (which == instruction_set::avx2) return &head_kernels_of<lanes_32, Mark>();
#endif
  return static_cast<void>(which), nullptr;
}

#define UPSWEEP_KERNELS(type, operation, ...) \
  template host_kernels<type> const& host_kernels_for<type, host_operation::operation>(instruction_set) noexcept;
UPSWEEP_FOR_EACH_HOST_KERNEL(UPSWEEP_KERNELS)

#define UPSWEEP_SEGMENT_KERNELS(type, operation, ...) \
  template segment_kernels<type> const* segment_kernels_for<type, host_operation::operation>(instruction_set) noexcept;
UPSWEEP_FOR_EACH_INTEGER_KERNEL(UPSWEEP_SEGMENT_KERNELS)

#define UPSWEEP_HEAD_KERNELS(type, ...) \
  template head_kernels<type> const* head_kernels_for<type>(instruction_set) noexcept;
UPSWEEP_FOR_EACH_MARK(UPSWEEP_HEAD_KERNELS)

template segment_run_kernels<float> const* segment_run_kernels_for<float>(instruction_set) noexcept;
template segment_run_kernels<double> const* segment_run_kernels_for<double>(instruction_set) noexcept;

}  // namespace upsweep::detail

#endif
