// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/instruction_set.hpp>
#include <upsweep/neighbors/detail/masks/cpu/hits.hpp>

namespace upsweep::detail {

// One file each, where the target is an instruction set's.
template <class Real>
host_hit_kernels<Real> const& portable_hits() noexcept;
#if defined(UPSWEEP_HOST_KERNELS) && defined(__x86_64__)
template <class Real>
host_hit_kernels<Real> const& avx2_hits() noexcept;
template <class Real>
host_hit_kernels<Real> const& avx512_hits() noexcept;
#endif

}  // namespace upsweep::detail
