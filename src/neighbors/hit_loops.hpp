// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/host_hits.hpp>

#include "../scan/inline.hpp"

#include <cstring>

// The kernels of host_hits.hpp over `Lanes<Real>`: vectors of `width` numbers with the operations that they are written in.

namespace upsweep::detail {

template <class Real, template <class> class Lanes>
struct hit_loops {
  // ---- relate

  template <class L>
  UPSWEEP_INLINE static typename L::vector relate_lanes(Real const* x, Real const* y, Real const* z, int k, typename L::vector const (&origin)[3],
                                                        typename L::vector const (&shift)[3], near_candidates const& out) {
    auto const dx = L::add(L::sub(L::load(x + k), origin[0]), shift[0]);
    auto const dy = L::add(L::sub(L::load(y + k), origin[1]), shift[1]);
    auto const dz = L::add(L::sub(L::load(z + k), origin[2]), shift[2]);
    auto const squared = L::fma(dz, dz, L::fma(dy, dy, L::mul(dx, dx)));
    L::store_float(out.x + k, dx);
    L::store_float(out.y + k, dy);
    L::store_float(out.z + k, dz);
    L::store_float(out.squared + k, squared);
    return squared;
  }

  template <class L>
  UPSWEEP_INLINE static float relate_all(Real const* x, Real const* y, Real const* z, int n, Real const* origin, Real const* shift,
                                         near_candidates const& out) {
    typename L::vector const from[3] = {L::all(origin[0]), L::all(origin[1]), L::all(origin[2])};
    typename L::vector const by[3] = {L::all(shift[0]), L::all(shift[1]), L::all(shift[2])};
    auto most = L::all(Real(0));
    int k = 0;
    for (; k + L::width <= n; k += L::width) most = L::max(most, relate_lanes<L>(x, y, z, k, from, by, out));
    // The last vector covers some candidates again.
    if (k < n) most = L::max(most, relate_lanes<L>(x, y, z, n - L::width, from, by, out));
    return L::largest(most);
  }

  /// For runs shorter than a vector.
  template <class T>
  struct single {
    using vector = T;
    static constexpr int width = 1;
    UPSWEEP_INLINE static T all(T x) { return x; }
    UPSWEEP_INLINE static T load(T const* p) { return *p; }
    UPSWEEP_INLINE static void store_float(float* p, T x) { *p = static_cast<float>(x); }
    UPSWEEP_INLINE static T add(T a, T b) { return a + b; }
    UPSWEEP_INLINE static T sub(T a, T b) { return a - b; }
    UPSWEEP_INLINE static T mul(T a, T b) { return a * b; }
    UPSWEEP_INLINE static T fma(T a, T b, T c) { return a * b + c; }
    UPSWEEP_INLINE static T max(T a, T b) { return a < b ? b : a; }
    UPSWEEP_INLINE static float largest(T x) { return static_cast<float>(x); }
  };

  static float relate(Real const* x, Real const* y, Real const* z, int n, Real const* origin, Real const* shift, near_candidates const& out) {
    // The next group's runs begin one cell later.
    for (int k = n + 16; k < n + 40; k += 64 / static_cast<int>(sizeof(Real))) {
      __builtin_prefetch(x + k);
      __builtin_prefetch(y + k);
      __builtin_prefetch(z + k);
    }
    if (n < Lanes<Real>::width) return relate_all<single<Real>>(x, y, z, n, origin, shift, out);
    return relate_all<Lanes<Real>>(x, y, z, n, origin, shift, out);
  }

  // ---- test

  using lanes = Lanes<float>;
  using vector = typename lanes::vector;

  /// Tests P particles at once, so that each candidate is loaded once for all of them.
  template <int P>
  UPSWEEP_INLINE static void test_some(near_candidates const& c, int n, near_particles const& p, int first, std::uint32_t* words,
                                       std::uint32_t* perhaps) {
    int const each = n / 32;
    vector x[P], y[P], z[P], sure[P], open[P];
    for (int i = 0; i < P; ++i) {
      x[i] = lanes::all(p.x[first + i]);
      y[i] = lanes::all(p.y[first + i]);
      z[i] = lanes::all(p.z[first + i]);
      sure[i] = lanes::all(p.sure[first + i]);
      open[i] = lanes::all(p.perhaps[first + i]);
    }
    for (int w = 0; w < each; ++w) {
      typename lanes::word hits[P], maybe[P];
      UPSWEEP_UNROLL_PARTS
      for (int part = 0; part < 32; part += lanes::width) {
        int const k = 32 * w + part;
        vector const cx = lanes::load(c.x + k), cy = lanes::load(c.y + k), cz = lanes::load(c.z + k), squared = lanes::load(c.squared + k);
        UPSWEEP_UNROLL_PARTS
        for (int i = 0; i < P; ++i) {
          vector const d = lanes::fma(cz, z[i], lanes::fma(cy, y[i], lanes::fma(cx, x[i], squared)));
          lanes::put(hits[i], words + (first + i) * each + w, part, lanes::at_most(d, sure[i]));
          lanes::put(maybe[i], perhaps + (first + i) * each + w, part, lanes::at_most(d, open[i]));
        }
      }
    }
  }

  static std::uint64_t test(near_candidates const& c, int n, near_particles const& p, std::uint32_t* words, std::uint32_t* perhaps, int* hits) {
    int i = 0;
    for (; i + lanes::together <= p.count; i += lanes::together) test_some<lanes::together>(c, n, p, i, words, perhaps);
    for (; i < p.count; ++i) test_some<1>(c, n, p, i, words, perhaps);
    std::uint64_t doubts = 0;
    int const each = n / 32;
    for (i = 0; i < p.count; ++i, words += each, perhaps += each) {
      std::uint64_t differ = 0;
      int found = 0, w = 0;
      for (; w + 2 <= each; w += 2) {
        std::uint64_t sure, open;
        std::memcpy(&sure, words + w, sizeof sure);
        std::memcpy(&open, perhaps + w, sizeof open);
        differ |= sure ^ open;
        found += lanes::count(sure);
      }
      if (w < each) {
        differ |= words[w] ^ perhaps[w];
        found += lanes::count(words[w]);
      }
      hits[i] = found;
      doubts |= std::uint64_t(differ != 0) << i;
    }
    return doubts;
  }

  // ---- rows

  using indices = Lanes<int>;

  static int select(int const* in, std::uint32_t const* words, int n, int* out) {
    int* const begin = out;
    for (int first = 0; first < n; first += 32) {
      std::uint32_t const word = words[first / 32];
      UPSWEEP_UNROLL_PARTS
      for (int part = 0; part < 32; part += indices::width) {
        constexpr std::uint32_t all = indices::width < 32 ? (std::uint32_t(1) << indices::width) - 1 : ~std::uint32_t(0);
        out = indices::append(out, in + first + part, word >> part & all);
      }
    }
    return static_cast<int>(out - begin);
  }

  static void stream(int const* in, int n, int* out) { indices::stream(in, n, out); }
  static void will_stream(int const* first, int const* last) {
    if (first == last) return;
    indices::will_write(first);
    indices::will_write(last - 1);
  }
  static void will_store(int const* first, int const* last) {
    for (; first < last; first += 16) indices::will_write(first);
  }
  static void finish() { indices::finish(); }

  static constexpr host_hit_kernels<Real> table{relate, test, select, stream, will_stream, will_store, finish};
};

}  // namespace upsweep::detail
