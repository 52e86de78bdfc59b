// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "hit_loops.hpp"
#include "hit_tables.hpp"

#include <bit>
#include <cmath>

namespace upsweep::detail {

template <class T>
struct one_lane {
  using vector = T;
  static constexpr int width = 1;
  UPSWEEP_INLINE static T all(T x) { return x; }
  UPSWEEP_INLINE static T load(T const* p) { return *p; }
  UPSWEEP_INLINE static T add(T a, T b) { return a + b; }
  UPSWEEP_INLINE static T sub(T a, T b) { return a - b; }
  UPSWEEP_INLINE static T mul(T a, T b) { return a * b; }
  UPSWEEP_INLINE static T fma(T a, T b, T c) { return std::fma(a, b, c); }
  UPSWEEP_INLINE static std::uint32_t at_most(T a, T b) { return a <= b ? 1 : 0; }
  UPSWEEP_INLINE static int count(std::uint32_t bits) { return std::popcount(bits); }
  UPSWEEP_INLINE static T* append(T* out, T const* in, std::uint32_t bits) {
    if (bits != 0) *out++ = *in;
    return out;
  }
};

template <class Real>
host_hit_kernels<Real> const& portable_hits() noexcept {
  return hit_loops<Real, one_lane>::table;
}

template host_hit_kernels<float> const& portable_hits<float>() noexcept;
template host_hit_kernels<double> const& portable_hits<double>() noexcept;

}  // namespace upsweep::detail
