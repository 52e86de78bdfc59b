// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../base/vectors/inline.hpp"
#include "hit_tables.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

// The kernels of masks/hits.hpp over `Lanes<Real>`: vectors of `count` numbers, with the operations that kernels
// need.

namespace upsweep::neighbors::detail {

/// An integer as wide as a number: vectors of both have as many lanes.
template <int Bytes>
struct count_of {
  using type = std::int32_t;
};
template <>
struct count_of<8> {
  using type = std::int64_t;
};

template <class Real, template <class> class Lanes>
struct hit_loops {
  using lanes = Lanes<float>;
  using indices = Lanes<int>;
  using vector = typename lanes::vector;
  using index_vector = typename indices::vector;

  template <bool Shifted>
  UPSWEEP_INLINE static void relate_all(filter_source<Real> const& from, int n, Real const* origin, Real const* shift,
                                        filter_candidates const& out) {
    using source = Lanes<Real>;
    auto const ox = source::all(origin[0]), oy = source::all(origin[1]), oz = source::all(origin[2]);
    auto const sx = source::all(shift[0]), sy = source::all(shift[1]), sz = source::all(shift[2]);
    filter_candidates const to = out;
    int k = 0;
    // Whole vectors: what stands behind the last candidate is written over, or never looked at.
    for (; k < n && k + lanes::count <= from.readable; k += lanes::count) {
      vector const x = source::template relative<Shifted>(from.x + k, ox, sx);
      vector const y = source::template relative<Shifted>(from.y + k, oy, sy);
      vector const z = source::template relative<Shifted>(from.z + k, oz, sz);
      lanes::store(to.x + k, x);
      lanes::store(to.y + k, y);
      lanes::store(to.z + k, z);
      lanes::store(to.squared + k, lanes::fma(z, z, lanes::fma(y, y, lanes::mul(x, x))));
    }
    for (; k < n; ++k) {
      float const x = static_cast<float>(from.x[k] - origin[0] + shift[0]);
      float const y = static_cast<float>(from.y[k] - origin[1] + shift[1]);
      float const z = static_cast<float>(from.z[k] - origin[2] + shift[2]);
      to.x[k] = x;
      to.y[k] = y;
      to.z[k] = z;
      to.squared[k] = x * x + y * y + z * z;
    }
  }

  static void relate(filter_source<Real> const& from, int n, Real const* origin, Real const* shift,
                     filter_candidates const& out) {
    // The next group's runs begin a cell later.
    for (int k = n + 16; k < n + 40; k += 64 / static_cast<int>(sizeof(Real))) {
      __builtin_prefetch(from.x + k);
      __builtin_prefetch(from.y + k);
      __builtin_prefetch(from.z + k);
    }
    if (shift[0] != 0 || shift[1] != 0 || shift[2] != 0) relate_all<true>(from, n, origin, shift, out);
    else relate_all<false>(from, n, origin, shift, out);
  }

  static float largest(float const* of, int n) {
    vector most = lanes::load(of);
    for (int k = lanes::count; k < n; k += lanes::count) most = lanes::max(most, lanes::load(of + k));
    alignas(64) float each[lanes::count];
    lanes::store(each, most);
    for (int k = 1; k < lanes::count; ++k) each[0] = each[k] > each[0] ? each[k] : each[0];
    return each[0];
  }

  /// Tests P particles at once, so that each candidate is loaded once for all of them: the candidates whose squares are
  /// at most `limits`. Returns, as bits, the particles that have some of them which are not certain.
  template <int P, bool Radii, bool Half>
  UPSWEEP_INLINE static std::uint64_t test_some(filter_candidates const& c, int n, filter_particles const& p, int first,
                                                float const* limits, std::uint32_t* words) {
    int const each = n / 32;
    vector x[P], y[P], z[P], radius[P], limit[P], certain[P];
    typename lanes::open_pairs open[P];
    index_vector number[P];
    for (int i = 0; i < P; ++i) {
      x[i] = lanes::all(p.x[first + i]);
      y[i] = lanes::all(p.y[first + i]);
      z[i] = lanes::all(p.z[first + i]);
      if constexpr (Radii) radius[i] = lanes::all(p.radius[first + i]);
      if constexpr (Half) number[i] = indices::all(p.half_number[first + i]);
      limit[i] = lanes::all(limits[first + i]);
      certain[i] = lanes::all(p.certain[first + i]);
      open[i] = lanes::no_open(certain[i]);
    }
    for (int w = 0; w < each; ++w) {
      typename lanes::word hits[P];
      UPSWEEP_UNROLL_PARTS
      for (int part = 0; part < 32; part += lanes::count) {
        int const k = 32 * w + part;
        vector const cx = lanes::load(c.x + k), cy = lanes::load(c.y + k), cz = lanes::load(c.z + k);
        vector const squared = lanes::load(c.squared + k);
        index_vector numbers{};
        if constexpr (Half) numbers = indices::load(c.half_numbers + k);
        UPSWEEP_UNROLL_PARTS
        for (int i = 0; i < P; ++i) {
          vector d = lanes::fma(cz, z[i], lanes::fma(cy, y[i], lanes::fma(cx, x[i], squared)));
          if constexpr (Radii) d = lanes::fma(lanes::load(c.radius + k), radius[i], d);
          auto within = lanes::at_most(d, limit[i]);
          if constexpr (Half) within = lanes::halved(within, number[i], numbers);
          lanes::put(hits[i], words + (first + i) * each + w, part, within);
          lanes::note_open(open[i], within, d, certain[i]);
        }
      }
    }
    std::uint64_t undecided = 0;
    for (int i = 0; i < P; ++i) undecided |= std::uint64_t(lanes::any_open(open[i], certain[i])) << (first + i);
    return undecided;
  }

  /// Certain and possible hits mostly are the same: both are found only for particles that have undecided pairs.
  template <bool Radii, bool Half>
  UPSWEEP_INLINE static std::uint64_t test_rows(filter_candidates const& c, int n, filter_particles const& p,
                                                std::uint32_t* words, std::uint32_t* possible) {
    std::uint64_t undecided = 0;
    int first = 0;
    for (; first + lanes::together <= p.count; first += lanes::together)
      undecided |= test_some<lanes::together, Radii, Half>(c, n, p, first, p.possible, words);
    for (; first < p.count; ++first) undecided |= test_some<1, Radii, Half>(c, n, p, first, p.possible, words);
    for (int i = 0; i < p.count; ++i) {
      if ((undecided >> i & 1) == 0) continue;
      std::memcpy(possible + i * (n / 32), words + i * (n / 32), static_cast<std::size_t>(n) / 8);
      test_some<1, Radii, Half>(c, n, p, i, p.certain, words);
    }
    return undecided;
  }

  template <bool Half>
  UPSWEEP_INLINE static std::uint64_t test_all(filter_candidates const& c, int n, filter_particles const& p,
                                               std::uint32_t* words, std::uint32_t* possible) {
    return c.radius != nullptr ? test_rows<true, Half>(c, n, p, words, possible)
                               : test_rows<false, Half>(c, n, p, words, possible);
  }
  static constexpr bool tests_halves = lanes::count > 1;
  static std::uint64_t test(filter_candidates const& c, int n, filter_particles const& p, std::uint32_t* words,
                            std::uint32_t* possible, int* hits) {
    std::uint64_t const undecided = tests_halves && c.half_numbers != nullptr
                                        ? test_all<tests_halves>(c, n, p, words, possible)
                                        : test_all<false>(c, n, p, words, possible);
    for (int i = 0; i < p.count; ++i, words += n / 32) hits[i] = count(words, n / 32);
    return undecided;
  }

  // ---- rules of ids

  /// Of 32 numbers, as bits: which are larger than `than`, which equal `to`.
  UPSWEEP_INLINE static std::uint32_t larger(int const* in, index_vector than) {
    std::uint32_t bits = 0;
    UPSWEEP_UNROLL_PARTS
    for (int part = 0; part < 32; part += indices::count)
      bits |= indices::greater(indices::load(in + part), than) << part;
    return bits;
  }
  UPSWEEP_INLINE static std::uint32_t equal(int const* in, index_vector to) {
    std::uint32_t bits = 0;
    UPSWEEP_UNROLL_PARTS
    for (int part = 0; part < 32; part += indices::count) bits |= indices::equal(indices::load(in + part), to) << part;
    return bits;
  }

  static void parities(int const* low, int n, std::uint32_t* words) {
    for (int first = 0; first < n; first += 32) {
      std::uint32_t bits = 0;
      UPSWEEP_UNROLL_PARTS
      for (int part = 0; part < 32; part += indices::count)
        bits |= indices::odd(indices::load(low + first + part)) << part;
      words[first / 32] = bits;
    }
  }

  template <bool Wide>
  UPSWEEP_INLINE static int keep_half_of(split_ids const& ids, std::uint32_t const* odd, int n, split_id own,
                                         std::uint32_t* words) {
    auto const low = indices::all(own.low), high = indices::all(own.high);
    std::uint32_t const own_odd = (own.low & 1) != 0 ? ~std::uint32_t(0) : 0;
    int left = 0;
    for (int w = 0; w < n / 32; ++w) {
      std::uint32_t above = larger(ids.low + 32 * w, low);
      if constexpr (Wide) above = larger(ids.high + 32 * w, high) | (equal(ids.high + 32 * w, high) & above);
      // Larger ones of the same parity, smaller ones of the other. The same id is neither.
      words[w] &= above ^ odd[w] ^ own_odd;
      left += lanes::ones(words[w]);
    }
    return left;
  }
  static int keep_half(split_ids const& ids, std::uint32_t const* odd, int n, split_id own, std::uint32_t* words) {
    return ids.high != nullptr ? keep_half_of<true>(ids, odd, n, own, words)
                               : keep_half_of<false>(ids, odd, n, own, words);
  }

  static void remove(split_ids const& ids, int n, split_id id, std::uint32_t* words) {
    auto const low = indices::all(id.low), high = indices::all(id.high);
    for (int first = 0; first < n; first += 32) {
      std::uint32_t const found = words[first / 32] & equal(ids.low + first, low);
      if (found == 0) continue;
      words[first / 32] ^= ids.high == nullptr ? found : found & equal(ids.high + first, high);
    }
  }

  static int count(std::uint32_t const* words, int n) {
    int bits = 0, w = 0;
    for (; w + 2 <= n; w += 2) {
      std::uint64_t two;
      std::memcpy(&two, words + w, sizeof two);
      bits += lanes::ones(two);
    }
    return w < n ? bits + lanes::ones(words[w]) : bits;
  }

  // ---- rows

  static void take_marks(unsigned char* marks, int n, std::uint32_t* words) {
    for (int w = 0; w < n / 32; ++w) words[w] = indices::take_marks(marks + 32 * w);
  }

  template <class Word>
  static void sort(Word* words, int n, int low, Word* other) {
    Lanes<Word>::sort(words, n, low, other);
  }

  /// One step of a transposition: exchanges the bits of `b` whose numbers lack the bit of value Bits with the bits of
  /// `a` whose numbers have it.
  template <int Bits>
  UPSWEEP_INLINE static void exchange(index_vector& a, index_vector& b) {
    constexpr int lower = Bits == 16  ? 0x0000ffff
                          : Bits == 8 ? 0x00ff00ff
                          : Bits == 4 ? 0x0f0f0f0f
                          : Bits == 2 ? 0x33333333
                                      : 0x55555555;
    index_vector const change = ((a >> Bits) ^ b) & lower;
    b ^= change;
    a ^= change << Bits;
  }
  template <int Count, int Bits>
  UPSWEEP_INLINE static void exchange_all(index_vector (&v)[8], int apart) {
    UPSWEEP_UNROLL_ALL
    for (int k = 0; k < Count; ++k)
      if ((k & apart) == 0) exchange<Bits>(v[k], v[k + apart]);
  }

  /// A lane is a word of each row: 32 of them are a square that is transposed by exchanges of halves, quarters, and so
  /// on (H. S. Warren, *Hacker's Delight*, 7-3), and no lane meets another.
  static void transpose(std::uint32_t const* in, int rows, int stride, int n, std::uint32_t* out) {
    static constexpr std::uint32_t nothing[indices::count] = {};
    for (int w = 0; w < n; w += indices::count) {
      index_vector part[32];
      for (int first = 0; first < 4; ++first) {
        auto const row = [&](int k) {
          std::uint32_t const* const at = first + 4 * k < rows ? in + (first + 4 * k) * stride + w : nothing;
          return reinterpret_cast<int const*>(at);
        };
        index_vector v[8];
        if (n - w >= indices::count) {
          UPSWEEP_UNROLL_ALL
          for (int k = 0; k < 8; ++k) v[k] = indices::load(row(k));
        } else {
          UPSWEEP_UNROLL_ALL
          for (int k = 0; k < 8; ++k) v[k] = indices::load_first(row(k), static_cast<std::size_t>(n - w));
        }
        exchange_all<8, 16>(v, 4);
        exchange_all<8, 8>(v, 2);
        exchange_all<8, 4>(v, 1);
        UPSWEEP_UNROLL_ALL
        for (int k = 0; k < 8; ++k) part[first + 4 * k] = v[k];
      }
      for (int first = 0; first < 32; first += 8) {
        index_vector v[8];
        UPSWEEP_UNROLL_ALL
        for (int k = 0; k < 8; ++k) v[k] = part[first + k];
        exchange_all<8, 2>(v, 2);
        exchange_all<8, 1>(v, 1);
        UPSWEEP_UNROLL_ALL
        for (int k = 0; k < 8; ++k) indices::store(reinterpret_cast<int*>(out + (first + k) * bit_column + w), v[k]);
      }
    }
  }

  /// Whether the hits of a word are none cannot be foreseen: a branch on it took as long as all else (78 neighbours, a
  /// third of the words 0, EPYC with Zen 5, 2026-11-28). Long rows have no hits in most of their candidates, side by
  /// side: those are left out by four words.
  static int select(int const* in, std::uint32_t const* words, int n, int* out) {
    constexpr int together = 4;
    int* const begin = out;
    int const all = (n + 31) / 32;
    int w = 0;
    for (; w + together <= all; w += together) {
      std::uint64_t halves[together / 2];
      std::memcpy(halves, words + w, sizeof halves);
      if ((halves[0] | halves[1]) == 0) continue;
      for (int k = w; k < w + together; ++k) out = append_word(in + 32 * k, words[k], out);
    }
    for (; w < all; ++w) out = append_word(in + 32 * w, words[w], out);
    return static_cast<int>(out - begin);
  }
  UPSWEEP_INLINE static int* append_word(int const* in, std::uint32_t word, int* out) {
    constexpr std::uint32_t one = 1, all = indices::count < 32 ? (one << indices::count) - 1 : ~std::uint32_t(0);
    UPSWEEP_UNROLL_PARTS
    for (int part = 0; part < 32; part += indices::count) out = indices::append(out, in + part, word >> part & all);
    return out;
  }

  static void stream(int const* in, int n, int* out) { indices::stream_all(in, n, out); }
  static void prefetch_for_stream(int const* first, int const* last) {
    if (first == last) return;
    indices::prefetch_write(first);
    indices::prefetch_write(last - 1);
  }
  static void prefetch_for_store(int const* first, int const* last) {
    for (; first < last; first += 16) indices::prefetch_write(first);
  }
  static void finish() { indices::drain(); }

  // ---- pairs of a list

  static void measure(pairs_of_particle<Real> const& pairs, int n, Real* displacements, Real* distances) {
    pairs_of_particle<Real> const p = pairs;
    for (int k = 0; k < n; ++k) {
      int const j = p.places[k];
      Real const x = (p.x[j] - p.own[0]) + p.shift[0];
      Real const y = (p.y[j] - p.own[1]) + p.shift[1];
      Real const z = (p.z[j] - p.own[2]) + p.shift[2];
      displacements[3 * k] = x;
      displacements[3 * k + 1] = y;
      displacements[3 * k + 2] = z;
      if (distances != nullptr) distances[k] = std::sqrt(std::fma(z, z, std::fma(y, y, x * x)));
    }
  }

  static void square(pairs_of_particle<Real> const& pairs, int n, Real* squared) {
    pairs_of_particle<Real> const p = pairs;
    for (int k = 0; k < n; ++k) {
      int const j = p.places[k];
      Real const x = (p.x[j] - p.own[0]) + p.shift[0], y = (p.y[j] - p.own[1]) + p.shift[1];
      Real const z = (p.z[j] - p.own[2]) + p.shift[2];
      squared[k] = std::fma(z, z, std::fma(y, y, x * x));
    }
  }

  /// Limits come near to the wanted number from both sides. Counting the numbers up to a limit is vectors' work, and
  /// has no branch that nobody could foresee: std::nth_element of all took five times as long.
  static numbers_in_range near_rank(Real const* of, int n, int wanted, Real most, Real* around) {
    constexpr int few = 12, most_steps = 20;
    Real low = -1, high = most;
    int below = 0, up_to = n;
    for (int step = 0; up_to - below > few && step < most_steps; ++step) {
      // If numbers were spread evenly, the limit would be a little above or below the wanted one.
      Real const first = low < 0 ? Real(0) : low, rank = static_cast<Real>(wanted - below + (step % 2 == 0 ? 3 : -3));
      Real part = rank / static_cast<Real>(up_to - below);
      part = part < Real(0.05) ? Real(0.05) : part > Real(0.95) ? Real(0.95) : part;
      Real const limit = first + (high - first) * part;
      if (!(limit > low && limit < high)) break;
      int const count = count_up_to(of, n, limit);
      if (count < wanted) low = limit, below = count;
      else high = limit, up_to = count;
    }
    numbers_in_range found{0, below};
    for (int k = 0; k < n; ++k) {
      around[found.count] = of[k];
      found.count += static_cast<int>(of[k] > low) & static_cast<int>(of[k] <= high);
    }
    return found;
  }

  static int count_up_to(Real const* of, int n, Real limit) {
    typename count_of<sizeof(Real)>::type count = 0;
    for (int k = 0; k < n; ++k) count += of[k] <= limit ? 1 : 0;
    return static_cast<int>(count);
  }

  static constexpr cpu_hit_kernels<Real> table{relate,
                                               largest,
                                               test,
                                               tests_halves,
                                               parities,
                                               keep_half,
                                               remove,
                                               count,
                                               take_marks,
                                               sort,
                                               sort,
                                               transpose,
                                               select,
                                               stream,
                                               prefetch_for_stream,
                                               prefetch_for_store,
                                               finish,
                                               measure,
                                               square,
                                               near_rank};
};

template <template <class> class Lanes, class Real>
cpu_hit_kernels<Real> const& hits_of() noexcept {
  return hit_loops<Real, Lanes>::table;
}

}  // namespace upsweep::neighbors::detail
