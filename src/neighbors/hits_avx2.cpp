// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "hit_tables.hpp"

#include "../base/target.hpp"

#if defined(UPSWEEP_CPU_KERNELS) && defined(__x86_64__)

#include "../base/x86_intrinsics.hpp"

#include <array>

UPSWEEP_TARGET("avx2,fma,popcnt,prfchw")

#include "hit_loops.hpp"

namespace upsweep::neighbors::detail {

/// For each byte, the numbers of the bits that are set: the permutation, a nibble per lane, that moves these lanes to
/// the front.
struct front_table {
  std::uint32_t order[256] = {};
  constexpr front_table() {
    for (unsigned bits = 0; bits < 256; ++bits)
      for (unsigned k = 0, at = 0; k < 8; ++k)
        if (bits >> k & 1) order[bits] |= k << 4 * at++;
  }
};
inline constexpr front_table fronts;

/// The permutation as eight indices.
UPSWEEP_INLINE __m256i front_of(std::uint32_t bits) {
  __m256i const shifts = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
  return _mm256_srlv_epi32(_mm256_set1_epi32(static_cast<int>(fronts.order[bits])), shifts);
}

template <>
struct vectors_avx2<float> {
  using vector = __m256;
  static constexpr int width = 8, together = 2;
  UPSWEEP_INLINE static vector all(float x) { return _mm256_set1_ps(x); }
  UPSWEEP_INLINE static vector load(float const* p) { return _mm256_loadu_ps(p); }
  UPSWEEP_INLINE static void store(float* p, vector x) { _mm256_storeu_ps(p, x); }
  /// (p - origin) + shift.
  template <bool Shifted>
  UPSWEEP_INLINE static vector relative(float const* p, vector origin, vector shift) {
    vector const d = _mm256_sub_ps(load(p), origin);
    return Shifted ? _mm256_add_ps(d, shift) : d;
  }
  UPSWEEP_INLINE static vector mul(vector a, vector b) { return _mm256_mul_ps(a, b); }
  UPSWEEP_INLINE static vector max(vector a, vector b) { return _mm256_max_ps(a, b); }
  UPSWEEP_INLINE static vector fma(vector a, vector b, vector c) { return _mm256_fmadd_ps(a, b, c); }
  UPSWEEP_INLINE static std::uint32_t at_most(vector a, vector b) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ)));
  }
  struct word {};
  UPSWEEP_INLINE static void put(word&, std::uint32_t* at, int part, std::uint32_t bits) {
    reinterpret_cast<unsigned char*>(at)[part / 8] = static_cast<unsigned char>(bits);
  }
  UPSWEEP_INLINE static int count(std::uint64_t bits) { return static_cast<int>(_mm_popcnt_u64(bits)); }
};

template <>
struct vectors_avx2<double> {
  using vector = __m256d;
  UPSWEEP_INLINE static vector all(double x) { return _mm256_set1_pd(x); }
  template <bool Shifted>
  UPSWEEP_INLINE static __m128 half(double const* p, vector origin, vector shift) {
    vector const d = _mm256_sub_pd(_mm256_loadu_pd(p), origin);
    return _mm256_cvtpd_ps(Shifted ? _mm256_add_pd(d, shift) : d);
  }
  template <bool Shifted>
  UPSWEEP_INLINE static __m256 relative(double const* p, vector origin, vector shift) {
    return _mm256_set_m128(half<Shifted>(p + 4, origin, shift), half<Shifted>(p, origin, shift));
  }
};

template <>
struct vectors_avx2<int> {
  static constexpr int width = 8;
  UPSWEEP_INLINE static __m256i all(int x) { return _mm256_set1_epi32(x); }
  UPSWEEP_INLINE static __m256i load(int const* p) { return _mm256_loadu_si256(reinterpret_cast<__m256i const*>(p)); }
  /// The first bits of eight numbers.
  UPSWEEP_INLINE static std::uint32_t signs(__m256i a) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(a)));
  }
  UPSWEEP_INLINE static std::uint32_t greater(__m256i a, __m256i b) { return signs(_mm256_cmpgt_epi32(a, b)); }
  UPSWEEP_INLINE static std::uint32_t equal(__m256i a, __m256i b) { return signs(_mm256_cmpeq_epi32(a, b)); }
  UPSWEEP_INLINE static std::uint32_t odd(__m256i a) { return signs(_mm256_slli_epi32(a, 31)); }
  /// The bits of 32 marks, which it clears.
  UPSWEEP_INLINE static std::uint32_t take_marks(unsigned char* marks) {
    auto* const at = reinterpret_cast<__m256i*>(marks);
    __m256i const none = _mm256_setzero_si256(), all = _mm256_loadu_si256(at);
    _mm256_storeu_si256(at, none);
    return ~static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(all, none)));
  }
  UPSWEEP_INLINE static int* append(int* out, int const* in, std::uint32_t bits) {
    __m256i const all = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(in));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_permutevar8x32_epi32(all, front_of(bits)));
    return out + _mm_popcnt_u32(bits);
  }
  UPSWEEP_INLINE static void stream(int const* in, int n, int* out) {
    int k = 0;
    for (; k < n && reinterpret_cast<std::uintptr_t>(out + k) % 64 != 0; ++k) out[k] = in[k];
    for (; k + 16 <= n; k += 16)
      for (int half = k; half < k + 16; half += width)
        _mm256_stream_si256(reinterpret_cast<__m256i*>(out + half),
                            _mm256_loadu_si256(reinterpret_cast<__m256i const*>(in + half)));
    for (; k < n; ++k) out[k] = in[k];
  }
  UPSWEEP_INLINE static void prefetch_write(int const* p) { _m_prefetchw(const_cast<int*>(p)); }
  UPSWEEP_INLINE static void finish() { _mm_sfence(); }
};

template cpu_hit_kernels<float> const& hits_of<vectors_avx2, float>() noexcept;
template cpu_hit_kernels<double> const& hits_of<vectors_avx2, double>() noexcept;

}  // namespace upsweep::neighbors::detail

UPSWEEP_TARGET_END

#endif
