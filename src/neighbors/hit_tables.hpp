// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/instruction_set.hpp>
#include <upsweep/neighbors/detail/masks/hits.hpp>

namespace upsweep::neighbors::detail {

/// The kernels over vectors of one instruction set: instantiated in a file of its own, because the target is set there.
template <template <class> class Lanes, class Real>
cpu_hit_kernels<Real> const& hits_of() noexcept;

template <class T>
struct one_lane;  // portable
template <class T>
struct hit_vectors_avx2;  // AVX2
template <class T>
struct hit_vectors_avx512;  // AVX-512

}  // namespace upsweep::neighbors::detail
