// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What the vectors of all instruction sets do alike. To be included where the target is set.

#include "inline.hpp"

namespace upsweep::internal {

template <class T, int Bytes>
struct vector_of {
  typedef T vector __attribute__((vector_size(Bytes)));
  // Not memcpy: compilers took two instructions for the largest of a register and what that loads.
  typedef T unaligned __attribute__((vector_size(Bytes), aligned(sizeof(T)), may_alias));
  static constexpr int count = Bytes / sizeof(T);

  UPSWEEP_INLINE static vector all(T x) { return x - vector{}; }  // x - 0 is x, for -0.0 too
  UPSWEEP_INLINE static vector load(T const* in) { return *reinterpret_cast<unaligned const*>(in); }
  UPSWEEP_INLINE static void store(T* out, vector v) { *reinterpret_cast<unaligned*>(out) = v; }
};

}  // namespace upsweep::internal
