// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/pack/detail/moving/cpu_moves.hpp>
#include <upsweep/pack/detail/unique_rows/row_kernels.hpp>

namespace upsweep::pack::detail {

template <class Word>
struct moves_avx2;  // AVX2
template <class Word>
struct moves_avx512;  // AVX-512

/// The kernels of one instruction set: instantiated in a file of its own, because the target is set there.
template <template <class> class Moves, class Word>
move_kernels<Word> const& moves_of() noexcept;
template <template <class> class Lanes, class T>
row_kernels<T> const& rows_of() noexcept;

}  // namespace upsweep::pack::detail
