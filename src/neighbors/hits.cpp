// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "hit_tables.hpp"

namespace upsweep::detail {

template <class Real>
host_hit_kernels<Real> const& host_hits([[maybe_unused]] instruction_set which) noexcept {
#if defined(UPSWEEP_HOST_KERNELS) && defined(__x86_64__)
  static bool const fused = __builtin_cpu_supports("fma");
  if (which == instruction_set::avx512) return hits_of<lanes_512, Real>();
  if (which == instruction_set::avx2 && fused) return hits_of<lanes_256, Real>();
#endif
  return hits_of<one_lane, Real>();
}

template <class Real>
host_hit_kernels<Real> const& host_hits() noexcept {
#if defined(UPSWEEP_HOST_KERNELS)
  return host_hits<Real>(widest_instruction_set());
#else
  return host_hits<Real>(instruction_set::portable);
#endif
}

template host_hit_kernels<float> const& host_hits<float>(instruction_set) noexcept;
template host_hit_kernels<double> const& host_hits<double>(instruction_set) noexcept;
template host_hit_kernels<float> const& host_hits<float>() noexcept;
template host_hit_kernels<double> const& host_hits<double>() noexcept;

}  // namespace upsweep::detail
