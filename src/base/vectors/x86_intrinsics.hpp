// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 warns of the registers that its own intrinsics leave undefined on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#if defined(__CUDACC__) && defined(__GNUC__) && !defined(__clang__)
// nvcc 12.4 does not know the built-ins that g++ 13 has for AMX, which nothing here uses: their header counts as read.
#define _AMXTILEINTRIN_H_INCLUDED
#endif

#include <immintrin.h>
