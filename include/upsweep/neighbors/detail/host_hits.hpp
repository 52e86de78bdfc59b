// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>

namespace upsweep::detail {

// Loops over candidates, compiled in src/neighbors for several instruction sets and chosen at run time. All instruction sets
// give the same bits: distances are sums of fused products in a fixed order. Masks are words of 32 bits, the bits behind the
// last candidate being 0.

template <class Real>
struct host_hit_kernels {
  /// Bit k: candidate k is within the cutoff of `at`, by (candidate - at) + shift; sx is null where no candidate is shifted.
  /// Returns the number of hits. Pre: the arrays have room for n rounded up to 32.
  int (*within)(Real const* x, Real const* y, Real const* z, Real const* sx, Real const* sy, Real const* sz, int n, Real const* at,
                Real cutoff_squared, std::uint32_t* words);
  /// The indices whose bits are set, side by side; returns their number. Pre: out has room for 16 more.
  int (*select)(int const* in, std::uint32_t const* words, int n, int* out);
};

/// The kernels for float and double, by the widest instruction set of this processor.
template <class Real>
host_hit_kernels<Real> const& host_hits() noexcept;

}  // namespace upsweep::detail
