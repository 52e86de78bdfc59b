// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "cpu_kernel_tables.hpp"

#if defined(UPSWEEP_CPU_KERNELS)

#include "row_network.hpp"

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// Vectors of 16 bytes in the compilers' portable notation: SSE2 on x86-64, NEON on ARM.
template <class T>
struct row_vectors_portable {
  typedef T vector __attribute__((vector_size(16)));
  static constexpr int count = 16 / sizeof(T);

  /// One bit for each element: whether it differs from the one before, which is the last of `left` for the first.
  UPSWEEP_INLINE static std::uint64_t heads(vector left, vector v) {
    std::uint64_t bits = left[count - 1] != v[0] ? 1 : 0;
    for (int k = 1; k < count; ++k) bits |= static_cast<std::uint64_t>(v[k - 1] != v[k] ? 1 : 0) << k;
    return bits;
  }
  UPSWEEP_INLINE static vector first(T const* in, std::size_t n, vector rest) {
    for (std::size_t k = 0; k < n; ++k) rest[k] = in[k];
    return rest;
  }
  UPSWEEP_INLINE static void put(T* out, unsigned chosen, unsigned, vector v) {
    for (int k = 0; k < count; ++k)
      if ((chosen >> k & 1u) != 0) *out++ = v[k];
  }
};

UPSWEEP_ROWS_OF(row_vectors_portable)

}  // namespace upsweep::pack::detail

#endif
