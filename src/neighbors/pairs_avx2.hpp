// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../base/inline.hpp"

#include <upsweep/neighbors/detail/box/moved_particle.hpp>

#include <cstdint>

// Eight pairs of floats in vectors of 256 bits, for AVX2 and AVX-512. Include it behind <immintrin.h> and the target.

namespace upsweep::neighbors::detail {

/// Whether some particles were moved by other edges. `Lanes`: for whom it is compiled.
template <class Lanes>
struct edge_notes_avx2 {
  template <class Particles>
  UPSWEEP_INLINE static __m256i note_others(__m256i noted, Particles const& c, __m256i edges) {
    return _mm256_or_si256(noted, _mm256_xor_si256(c.edges, edges));
  }
  UPSWEEP_INLINE static bool any(__m256i noted) { return _mm256_testz_si256(noted, noted) == 0; }
};

template <class Lanes>
struct float_pairs_avx2 : edge_notes_avx2<Lanes> {
  static constexpr int pairs_width = 8;
  struct eight {
    __m256 x, y, z;
    __m256i edges;
  };
  UPSWEEP_INLINE static __m256 all_pairs(float x) { return _mm256_set1_ps(x); }
  UPSWEEP_INLINE static __m256i all_edges(std::uint32_t edges) { return _mm256_set1_epi32(static_cast<int>(edges)); }
  /// Two particles side by side.
  UPSWEEP_INLINE static __m256 two(moved_particle<float> const* from, int a, int b) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(&from[a].x)), _mm_load_ps(&from[b].x), 1);
  }
  UPSWEEP_INLINE static eight gather(moved_particle<float> const* from, int const* j) {
    __m256 const a = two(from, j[0], j[4]), b = two(from, j[1], j[5]);
    __m256 const c = two(from, j[2], j[6]), d = two(from, j[3], j[7]);
    __m256 const xy = _mm256_unpacklo_ps(a, b), xy2 = _mm256_unpacklo_ps(c, d);
    __m256 const ze = _mm256_unpackhi_ps(a, b), ze2 = _mm256_unpackhi_ps(c, d);
    return {_mm256_shuffle_ps(xy, xy2, 0x44), _mm256_shuffle_ps(xy, xy2, 0xee), _mm256_shuffle_ps(ze, ze2, 0x44),
            _mm256_castps_si256(_mm256_shuffle_ps(ze, ze2, 0xee))};
  }
  UPSWEEP_INLINE static std::uint32_t within(eight const& c, __m256 x, __m256 y, __m256 z, __m256 cutoff) {
    __m256 const dx = _mm256_sub_ps(c.x, x), dy = _mm256_sub_ps(c.y, y), dz = _mm256_sub_ps(c.z, z);
    __m256 const r2 = _mm256_fmadd_ps(dz, dz, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dx, dx)));
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(r2, cutoff, _CMP_LE_OQ)));
  }
  UPSWEEP_INLINE static std::uint32_t are_not(int const* images, eight const& c, __m256i from_origin) {
    __m256i const s = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(images));
    __m256i const are = _mm256_cmpeq_epi32(_mm256_sub_epi32(s, c.edges), from_origin);
    return ~static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(are))) & 255u;
  }
  UPSWEEP_INLINE static std::uint32_t have_other_edges(eight const& c, __m256i edges) {
    return ~static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(c.edges, edges)))) &
           255u;
  }
};

}  // namespace upsweep::neighbors::detail
