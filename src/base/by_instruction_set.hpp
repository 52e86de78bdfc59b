// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/instruction_set.hpp>

// UPSWEEP_BY_INSTRUCTION_SET(which, (for_avx512), (for_avx2), (other)) is one of the three expressions. Processors
// other than x86-64 have `other` alone; nothing that the first two name has to exist there.
#if defined(__x86_64__)
#define UPSWEEP_BY_INSTRUCTION_SET(which, for_avx512, for_avx2, other) \
  ((which) == internal::instruction_set::avx512 ? for_avx512           \
   : (which) == internal::instruction_set::avx2 ? for_avx2             \
                                                : other)
#else
#define UPSWEEP_BY_INSTRUCTION_SET(which, for_avx512, for_avx2, other) (static_cast<void>(which), other)
#endif
