// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "hit_tables.hpp"

#include "../base/vectors/target.hpp"

#if defined(UPSWEEP_CPU_KERNELS) && defined(__x86_64__)

#include "../base/vectors/x86_intrinsics.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

UPSWEEP_TARGET("avx2,fma,popcnt,prfchw")

#include "../base/vectors/avx2.hpp"
#include "hit_loops.hpp"
#include "words_by_network.hpp"

namespace upsweep::neighbors::detail {

template <>
struct hit_vectors_avx2<float> : internal::avx2<float> {
  static constexpr int together = 2;
  /// (p - origin) + shift.
  template <bool Shifted>
  UPSWEEP_INLINE static vector relative(float const* p, vector origin, vector shift) {
    vector const d = _mm256_sub_ps(load(p), origin);
    return Shifted ? _mm256_add_ps(d, shift) : d;
  }
  UPSWEEP_INLINE static vector mul(vector a, vector b) { return _mm256_mul_ps(a, b); }
  UPSWEEP_INLINE static vector max(vector a, vector b) { return _mm256_max_ps(a, b); }
  UPSWEEP_INLINE static vector fma(vector a, vector b, vector c) { return _mm256_fmadd_ps(a, b, c); }
  UPSWEEP_INLINE static __m256 at_most(vector a, vector b) { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
  /// Those where a - b is negative. Of the result signs alone are looked at.
  UPSWEEP_INLINE static __m256 halved(__m256 some, internal::avx2<int>::vector a, internal::avx2<int>::vector b) {
    return _mm256_and_ps(some, (__m256)_mm256_sub_epi32((__m256i)a, (__m256i)b));
  }
  struct word {};
  UPSWEEP_INLINE static void put(word&, std::uint32_t* at, int part, __m256 which) {
    reinterpret_cast<unsigned char*>(at)[part / 8] = static_cast<unsigned char>(_mm256_movemask_ps(which));
  }
  /// Whether some number that is within a limit is above what is certain: the largest of them shows it.
  using open_pairs = vector;
  UPSWEEP_INLINE static vector no_open(vector certain) { return certain; }
  UPSWEEP_INLINE static void note_open(vector& most, __m256 within, vector d, vector) {
    most = _mm256_max_ps(most, _mm256_blendv_ps(most, d, within));
  }
  UPSWEEP_INLINE static bool any_open(vector most, vector certain) {
    return _mm256_movemask_ps(_mm256_cmp_ps(most, certain, _CMP_GT_OQ)) != 0;
  }
  UPSWEEP_INLINE static int ones(std::uint64_t bits) { return static_cast<int>(_mm_popcnt_u64(bits)); }
};

template <>
struct hit_vectors_avx2<double> : internal::avx2<double> {
  template <bool Shifted>
  UPSWEEP_INLINE static __m128 half(double const* p, vector origin, vector shift) {
    vector const d = _mm256_sub_pd(load(p), origin);
    return _mm256_cvtpd_ps(Shifted ? _mm256_add_pd(d, shift) : d);
  }
  template <bool Shifted>
  UPSWEEP_INLINE static __m256 relative(double const* p, vector origin, vector shift) {
    return _mm256_set_m128(half<Shifted>(p + 4, origin, shift), half<Shifted>(p, origin, shift));
  }
};

template <>
struct hit_vectors_avx2<int> : internal::avx2<int> {
  /// The first bits of eight numbers.
  UPSWEEP_INLINE static std::uint32_t signs(__m256i a) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(a)));
  }
  UPSWEEP_INLINE static std::uint32_t greater(vector a, vector b) {
    return signs(_mm256_cmpgt_epi32((__m256i)a, (__m256i)b));
  }
  UPSWEEP_INLINE static std::uint32_t equal(vector a, vector b) {
    return signs(_mm256_cmpeq_epi32((__m256i)a, (__m256i)b));
  }
  UPSWEEP_INLINE static std::uint32_t odd(vector a) { return signs(_mm256_slli_epi32((__m256i)a, 31)); }
  /// The bits of 32 marks, which it clears.
  UPSWEEP_INLINE static std::uint32_t take_marks(unsigned char* marks) {
    auto* const at = reinterpret_cast<__m256i*>(marks);
    __m256i const none = _mm256_setzero_si256(), all = _mm256_loadu_si256(at);
    _mm256_storeu_si256(at, none);
    return ~static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(all, none)));
  }
  UPSWEEP_INLINE static int* append(int* out, int const* in, std::uint32_t bits) {
    store_chosen(out, count, bits, load(in));
    return out + _mm_popcnt_u32(bits);
  }
  UPSWEEP_INLINE static void stream_all(int const* in, int n, int* out) {
    int k = 0;
    for (; k < n && reinterpret_cast<std::uintptr_t>(out + k) % 64 != 0; ++k) out[k] = in[k];
    for (; k + 16 <= n; k += 16)
      for (int half = k; half < k + 16; half += count) stream(out + half, load(in + half));
    for (; k < n; ++k) out[k] = in[k];
  }
  UPSWEEP_INLINE static void prefetch_write(int const* p) { _m_prefetchw(const_cast<int*>(p)); }
};

template <>
struct hit_vectors_avx2<std::uint32_t> : words_by_network<std::uint32_t, internal::avx2> {};
template <>
struct hit_vectors_avx2<std::uint64_t> : words_by_network<std::uint64_t, internal::avx2> {};

template cpu_hit_kernels<float> const& hits_of<hit_vectors_avx2, float>() noexcept;
template cpu_hit_kernels<double> const& hits_of<hit_vectors_avx2, double>() noexcept;

}  // namespace upsweep::neighbors::detail

UPSWEEP_TARGET_END

#endif
