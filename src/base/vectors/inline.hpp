// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The kernels are one function each: a call with vectors as arguments would depend on the target's calling convention.
#define UPSWEEP_INLINE __attribute__((always_inline)) inline

// Loops over the vectors of a block: unrolled, so that the block is registers and not an array.
#if defined(__clang__)
#define UPSWEEP_UNROLL_PARTS _Pragma("unroll")
#define UPSWEEP_UNROLL_ALL _Pragma("unroll")
#else
#define UPSWEEP_UNROLL_PARTS _Pragma("GCC unroll 4")
#define UPSWEEP_UNROLL_ALL _Pragma("GCC unroll 16")
#endif
