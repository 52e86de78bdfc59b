// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/pack/detail/host_moves.hpp>

namespace upsweep::detail {

#if defined(__x86_64__)
// One file each, where the target is an instruction set's.
template <class Word>
move_kernels<Word> const& avx2_moves() noexcept;
template <class Word>
move_kernels<Word> const& avx512_moves() noexcept;
#endif

}  // namespace upsweep::detail
