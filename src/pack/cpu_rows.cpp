// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../base/by_instruction_set.hpp"
#include "../base/vectors/vectors.hpp"
#include "cpu_kernel_tables.hpp"

#include <cstdint>

#if defined(UPSWEEP_CPU_KERNELS)

namespace upsweep::pack::detail {

template <class T>
row_kernels<T> const* row_kernels_for(internal::instruction_set which) noexcept {
  return UPSWEEP_BY_INSTRUCTION_SET(which, (&rows_of<internal::avx512, T>()), (&rows_of<internal::avx2, T>()),
                                    (&rows_of<internal::portable, T>()));
}

template row_kernels<std::int32_t> const* row_kernels_for<std::int32_t>(internal::instruction_set) noexcept;
template row_kernels<std::uint32_t> const* row_kernels_for<std::uint32_t>(internal::instruction_set) noexcept;
template row_kernels<std::int64_t> const* row_kernels_for<std::int64_t>(internal::instruction_set) noexcept;
template row_kernels<std::uint64_t> const* row_kernels_for<std::uint64_t>(internal::instruction_set) noexcept;

}  // namespace upsweep::pack::detail

#endif
