// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "hit_tables.hpp"

#include "../base/x86_intrinsics.hpp"
#include "../base/target.hpp"

#if defined(UPSWEEP_CPU_KERNELS) && defined(__x86_64__)

#include <cstring>

UPSWEEP_TARGET("avx512f,avx512dq,avx512bw,avx512vl,fma,popcnt,prfchw")

#include "hit_loops.hpp"

namespace upsweep::neighbors::detail {

template <>
struct vectors_avx512<float> {
  using vector = __m512;
  static constexpr int width = 16, together = 4;
  UPSWEEP_INLINE static vector all(float x) { return _mm512_set1_ps(x); }
  UPSWEEP_INLINE static vector load(float const* p) { return _mm512_loadu_ps(p); }
  UPSWEEP_INLINE static void store(float* p, vector x) { _mm512_storeu_ps(p, x); }
  /// (p - origin) + shift.
  template <bool Shifted>
  UPSWEEP_INLINE static vector relative(float const* p, vector origin, vector shift) {
    vector const d = _mm512_sub_ps(load(p), origin);
    return Shifted ? _mm512_add_ps(d, shift) : d;
  }
  UPSWEEP_INLINE static vector mul(vector a, vector b) { return _mm512_mul_ps(a, b); }
  UPSWEEP_INLINE static vector max(vector a, vector b) { return _mm512_max_ps(a, b); }
  UPSWEEP_INLINE static vector fma(vector a, vector b, vector c) { return _mm512_fmadd_ps(a, b, c); }
  UPSWEEP_INLINE static __mmask16 at_most(vector a, vector b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
  // Bits go from the mask register to memory: through a general register they would take a port that the products need.
  struct word {};
  UPSWEEP_INLINE static void put(word&, std::uint32_t* at, int part, __mmask16 bits) {
    std::memcpy(reinterpret_cast<char*>(at) + part / 8, &bits, sizeof bits);
  }
  UPSWEEP_INLINE static int count(std::uint64_t bits) { return static_cast<int>(_mm_popcnt_u64(bits)); }
};

template <>
struct vectors_avx512<double> {
  using vector = __m512d;
  UPSWEEP_INLINE static vector all(double x) { return _mm512_set1_pd(x); }
  template <bool Shifted>
  UPSWEEP_INLINE static __m256 half(double const* p, vector origin, vector shift) {
    vector const d = _mm512_sub_pd(_mm512_loadu_pd(p), origin);
    return _mm512_cvtpd_ps(Shifted ? _mm512_add_pd(d, shift) : d);
  }
  template <bool Shifted>
  UPSWEEP_INLINE static __m512 relative(double const* p, vector origin, vector shift) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(half<Shifted>(p, origin, shift)),
                              half<Shifted>(p + 8, origin, shift), 1);
  }
};

template <>
struct vectors_avx512<int> {
  static constexpr int width = 16;
  UPSWEEP_INLINE static __m512i all(int x) { return _mm512_set1_epi32(x); }
  UPSWEEP_INLINE static __m512i load(int const* p) { return _mm512_loadu_si512(p); }
  UPSWEEP_INLINE static std::uint32_t greater(__m512i a, __m512i b) { return _mm512_cmpgt_epi32_mask(a, b); }
  UPSWEEP_INLINE static std::uint32_t equal(__m512i a, __m512i b) { return _mm512_cmpeq_epi32_mask(a, b); }
  UPSWEEP_INLINE static std::uint32_t odd(__m512i a) { return _mm512_test_epi32_mask(a, all(1)); }
  /// The bits of 32 marks, which it clears.
  UPSWEEP_INLINE static std::uint32_t take_marks(unsigned char* marks) {
    auto* const at = reinterpret_cast<__m256i*>(marks);
    __m256i const all = _mm256_loadu_si256(at);
    _mm256_storeu_si256(at, _mm256_setzero_si256());
    return _mm256_test_epi8_mask(all, all);
  }
  UPSWEEP_INLINE static __mmask16 first(int n) { return static_cast<__mmask16>((1u << n) - 1); }
  UPSWEEP_INLINE static int* append(int* out, int const* in, std::uint32_t bits) {
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), _mm512_loadu_si512(in)));
    return out + _mm_popcnt_u32(bits);
  }
  UPSWEEP_INLINE static void stream(int const* in, int n, int* out) {
    int const odd = static_cast<int>(-(reinterpret_cast<std::uintptr_t>(out) / sizeof(int)) % width);
    int k = odd < n ? odd : n;
    _mm512_mask_storeu_epi32(out, first(k), _mm512_maskz_loadu_epi32(first(k), in));
    for (; k + width <= n; k += width)
      _mm512_stream_si512(reinterpret_cast<__m512i*>(out + k), _mm512_loadu_si512(in + k));
    _mm512_mask_storeu_epi32(out + k, first(n - k), _mm512_maskz_loadu_epi32(first(n - k), in + k));
  }
  UPSWEEP_INLINE static void prefetch_write(int const* p) { _m_prefetchw(const_cast<int*>(p)); }
  UPSWEEP_INLINE static void finish() { _mm_sfence(); }
};

template cpu_hit_kernels<float> const& hits_of<vectors_avx512, float>() noexcept;
template cpu_hit_kernels<double> const& hits_of<vectors_avx512, double>() noexcept;

}  // namespace upsweep::neighbors::detail

UPSWEEP_TARGET_END

#endif
