// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/host_hits.hpp>

#include "../scan/inline.hpp"

// The kernels of host_hits.hpp over `Lanes<Real>`: vectors of `width` numbers with the operations that they are written in.

namespace upsweep::detail {

template <class Real, template <class> class Lanes>
struct hit_loops {
  using lanes = Lanes<Real>;
  using vector = typename lanes::vector;

  template <bool Shifted>
  UPSWEEP_INLINE static int within_all(Real const* x, Real const* y, Real const* z, Real const* sx, Real const* sy, Real const* sz, int n,
                                       Real const* at, Real cutoff_squared, std::uint32_t* words) {
    vector const ax = lanes::all(at[0]), ay = lanes::all(at[1]), az = lanes::all(at[2]), most = lanes::all(cutoff_squared);
    int hits = 0;
    for (int first = 0; first < n; first += 32) {
      std::uint32_t word = 0;
      UPSWEEP_UNROLL_PARTS
      for (int part = 0; part < 32; part += lanes::width) {
        int const k = first + part;
        vector dx = lanes::sub(lanes::load(x + k), ax), dy = lanes::sub(lanes::load(y + k), ay), dz = lanes::sub(lanes::load(z + k), az);
        if constexpr (Shifted) {
          dx = lanes::add(dx, lanes::load(sx + k));
          dy = lanes::add(dy, lanes::load(sy + k));
          dz = lanes::add(dz, lanes::load(sz + k));
        }
        vector const r2 = lanes::fma(dz, dz, lanes::fma(dy, dy, lanes::mul(dx, dx)));
        word |= lanes::at_most(r2, most) << part;
      }
      if (n - first < 32) word &= (std::uint32_t(1) << (n - first)) - 1;
      words[first / 32] = word;
      hits += lanes::count(word);
    }
    return hits;
  }

  static int within(Real const* x, Real const* y, Real const* z, Real const* sx, Real const* sy, Real const* sz, int n, Real const* at,
                    Real cutoff_squared, std::uint32_t* words) {
    if (sx == nullptr) return within_all<false>(x, y, z, sx, sy, sz, n, at, cutoff_squared, words);
    return within_all<true>(x, y, z, sx, sy, sz, n, at, cutoff_squared, words);
  }

  static int select(int const* in, std::uint32_t const* words, int n, int* out) {
    using indices = Lanes<int>;
    int* const begin = out;
    for (int first = 0; first < n; first += 32) {
      std::uint32_t word = words[first / 32];
      for (int k = first; word != 0; k += indices::width) {
        constexpr std::uint32_t part = indices::width < 32 ? (std::uint32_t(1) << indices::width) - 1 : ~std::uint32_t(0);
        out = indices::append(out, in + k, word & part);
        word >>= indices::width;
      }
    }
    return static_cast<int>(out - begin);
  }

  static constexpr host_hit_kernels<Real> table{within, select};
};

}  // namespace upsweep::detail
