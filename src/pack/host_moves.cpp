// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "host_move_tables.hpp"

#if defined(UPSWEEP_HOST_KERNELS)

namespace upsweep::detail {

template <class Word>
move_kernels<Word> const* move_kernels_for(instruction_set which) noexcept {
#if defined(__x86_64__)
  if (which == instruction_set::avx512) return &avx512_moves<Word>();
  if (which == instruction_set::avx2) return &avx2_moves<Word>();
#endif
  return static_cast<void>(which), nullptr;
}

template move_kernels<std::uint32_t> const* move_kernels_for<std::uint32_t>(instruction_set) noexcept;
template move_kernels<std::uint64_t> const* move_kernels_for<std::uint64_t>(instruction_set) noexcept;

}  // namespace upsweep::detail

#endif
