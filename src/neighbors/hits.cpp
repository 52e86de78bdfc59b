// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "hit_tables.hpp"

namespace upsweep::neighbors::detail {

template <class Real>
cpu_hit_kernels<Real> const& cpu_hits([[maybe_unused]] internal::instruction_set which) noexcept {
#if defined(UPSWEEP_CPU_KERNELS) && defined(__x86_64__)
  static bool const fused = __builtin_cpu_supports("fma");
  if (which == internal::instruction_set::avx512) return hits_of<hit_vectors_avx512, Real>();
  if (which == internal::instruction_set::avx2 && fused) return hits_of<hit_vectors_avx2, Real>();
#endif
  return hits_of<one_lane, Real>();
}

template <class Real>
cpu_hit_kernels<Real> const& cpu_hits() noexcept {
#if defined(UPSWEEP_CPU_KERNELS)
  return cpu_hits<Real>(internal::widest_instruction_set());
#else
  return cpu_hits<Real>(internal::instruction_set::portable);
#endif
}

template cpu_hit_kernels<float> const& cpu_hits<float>(internal::instruction_set) noexcept;
template cpu_hit_kernels<double> const& cpu_hits<double>(internal::instruction_set) noexcept;
template cpu_hit_kernels<float> const& cpu_hits<float>() noexcept;
template cpu_hit_kernels<double> const& cpu_hits<double>() noexcept;

}  // namespace upsweep::neighbors::detail
