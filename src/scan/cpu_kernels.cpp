// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../base/by_instruction_set.hpp"
#include "cpu_kernel_tables.hpp"

#if defined(UPSWEEP_CPU_KERNELS)

namespace upsweep::scan::detail {

template <class T, cpu_operation Operation>
cpu_kernels<T> const& cpu_kernels_for(internal::instruction_set which) noexcept {
  return UPSWEEP_BY_INSTRUCTION_SET(which, (kernels_of<internal::avx512, T, Operation>()),
                                    (kernels_of<internal::avx2, T, Operation>()),
                                    (kernels_of<internal::portable, T, Operation>()));
}

template <class T, cpu_operation Operation>
segment_kernels<T> const& segment_kernels_for(internal::instruction_set which) noexcept {
  return UPSWEEP_BY_INSTRUCTION_SET(which, (segment_kernels_of<internal::avx512, T, Operation>()),
                                    (segment_kernels_of<internal::avx2, T, Operation>()),
                                    (segment_kernels_of<internal::portable, T, Operation>()));
}

template <class Mark>
head_kernels<Mark> const* head_kernels_for(internal::instruction_set which) noexcept {
  return UPSWEEP_BY_INSTRUCTION_SET(which, (&head_kernels_of<internal::avx512, Mark>()),
                                    (&head_kernels_of<internal::avx2, Mark>()), (nullptr));
}

#define UPSWEEP_KERNELS(type, operation, ...) \
  template cpu_kernels<type> const& cpu_kernels_for<type, cpu_operation::operation>(internal::instruction_set) noexcept;
UPSWEEP_FOR_EACH_HOST_KERNEL(UPSWEEP_KERNELS)

#define UPSWEEP_SEGMENT_KERNELS(type, operation, ...)                                        \
  template segment_kernels<type> const& segment_kernels_for<type, cpu_operation::operation>( \
      internal::instruction_set) noexcept;
UPSWEEP_FOR_EACH_HOST_KERNEL(UPSWEEP_SEGMENT_KERNELS)

#define UPSWEEP_HEAD_KERNELS(type, ...) \
  template head_kernels<type> const* head_kernels_for<type>(internal::instruction_set) noexcept;
UPSWEEP_FOR_EACH_MARK(UPSWEEP_HEAD_KERNELS)

}  // namespace upsweep::scan::detail

#endif
