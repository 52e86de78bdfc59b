// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../base/by_instruction_set.hpp"
#include "cpu_kernel_tables.hpp"

#if defined(UPSWEEP_CPU_KERNELS)

namespace upsweep::pack::detail {

template <class Word>
move_kernels<Word> const* move_kernels_for(internal::instruction_set which) noexcept {
  return UPSWEEP_BY_INSTRUCTION_SET(which, (&moves_of<moves_avx512, Word>()), (&moves_of<moves_avx2, Word>()),
                                    (nullptr));
}

template move_kernels<std::uint32_t> const* move_kernels_for<std::uint32_t>(internal::instruction_set) noexcept;
template move_kernels<std::uint64_t> const* move_kernels_for<std::uint64_t>(internal::instruction_set) noexcept;

}  // namespace upsweep::pack::detail

#endif
