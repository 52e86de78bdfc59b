// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// UPSWEEP_TARGET("avx2,fma") ... UPSWEEP_TARGET_END: functions between the two may use these instructions.
//
// Include the headers of others in front: one of their inline functions, compiled for the target, could be the copy
// that the whole program runs, on processors without these instructions too.

#define UPSWEEP_PRAGMA(...) _Pragma(#__VA_ARGS__)
#if defined(__clang__)
#define UPSWEEP_TARGET(features) \
  UPSWEEP_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define UPSWEEP_TARGET_END UPSWEEP_PRAGMA(clang attribute pop)
#else
#define UPSWEEP_TARGET(features) UPSWEEP_PRAGMA(GCC push_options) UPSWEEP_PRAGMA(GCC target(features))
#define UPSWEEP_TARGET_END UPSWEEP_PRAGMA(GCC pop_options)
#endif
