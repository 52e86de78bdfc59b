// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "hit_tables.hpp"

#include "../base/vectors/x86_intrinsics.hpp"
#include "../base/vectors/target.hpp"

#if defined(UPSWEEP_CPU_KERNELS) && defined(__x86_64__)

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

UPSWEEP_TARGET("avx512f,avx512dq,avx512bw,avx512vl,bmi2,fma,popcnt,prfchw")

#include "../base/vectors/avx512.hpp"
#include "hit_loops.hpp"
#include "words_by_network.hpp"

namespace upsweep::neighbors::detail {

template <>
struct hit_vectors_avx512<float> : internal::avx512<float> {
  static constexpr int together = 4;
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
  /// Those where a - b is negative.
  UPSWEEP_INLINE static __mmask16 halved(__mmask16 some, internal::avx512<int>::vector a,
                                         internal::avx512<int>::vector b) {
    return _mm512_mask_cmplt_epi32_mask(some, _mm512_sub_epi32((__m512i)a, (__m512i)b), _mm512_setzero_si512());
  }
  // Bits go from the mask register to memory: through a general register they would take a port that the products need.
  struct word {};
  UPSWEEP_INLINE static void put(word&, std::uint32_t* at, int part, __mmask16 bits) {
    std::memcpy(reinterpret_cast<char*>(at) + part / 8, &bits, sizeof bits);
  }
  /// Whether some number that is within a limit is above what is certain: the largest of them shows it.
  using open_pairs = vector;
  UPSWEEP_INLINE static vector no_open(vector certain) { return certain; }
  UPSWEEP_INLINE static void note_open(vector& most, __mmask16 within, vector d, vector) {
    most = _mm512_mask_max_ps(most, within, most, d);
  }
  UPSWEEP_INLINE static bool any_open(vector most, vector certain) {
    return _mm512_cmp_ps_mask(most, certain, _CMP_GT_OQ) != 0;
  }
  UPSWEEP_INLINE static int ones(std::uint64_t bits) { return static_cast<int>(_mm_popcnt_u64(bits)); }
};

template <>
struct hit_vectors_avx512<double> : internal::avx512<double> {
  template <bool Shifted>
  UPSWEEP_INLINE static __m256 half(double const* p, vector origin, vector shift) {
    vector const d = _mm512_sub_pd(load(p), origin);
    return _mm512_cvtpd_ps(Shifted ? _mm512_add_pd(d, shift) : d);
  }
  template <bool Shifted>
  UPSWEEP_INLINE static __m512 relative(double const* p, vector origin, vector shift) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(half<Shifted>(p, origin, shift)),
                              half<Shifted>(p + 8, origin, shift), 1);
  }
};

template <>
struct hit_vectors_avx512<int> : internal::avx512<int> {
  UPSWEEP_INLINE static std::uint32_t greater(vector a, vector b) {
    return _mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b);
  }
  UPSWEEP_INLINE static std::uint32_t equal(vector a, vector b) {
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
  }
  UPSWEEP_INLINE static std::uint32_t odd(vector a) { return _mm512_test_epi32_mask((__m512i)a, (__m512i)all(1)); }
  /// The bits of 32 marks, which it clears.
  UPSWEEP_INLINE static std::uint32_t take_marks(unsigned char* marks) {
    auto* const at = reinterpret_cast<__m256i*>(marks);
    __m256i const all = _mm256_loadu_si256(at);
    _mm256_storeu_si256(at, _mm256_setzero_si256());
    return _mm256_test_epi8_mask(all, all);
  }
  UPSWEEP_INLINE static __mmask16 first_lanes(int n) { return static_cast<__mmask16>((1u << n) - 1); }
  UPSWEEP_INLINE static int* append(int* out, int const* in, std::uint32_t bits) {
    store(out, compress(bits, load(in)));
    return out + _mm_popcnt_u32(bits);
  }
  UPSWEEP_INLINE static void stream_all(int const* in, int n, int* out) {
    int const odd = static_cast<int>(-(reinterpret_cast<std::uintptr_t>(out) / sizeof(int)) % count);
    int k = odd < n ? odd : n;
    _mm512_mask_storeu_epi32(out, first_lanes(k), _mm512_maskz_loadu_epi32(first_lanes(k), in));
    for (; k + count <= n; k += count) stream(out + k, load(in + k));
    _mm512_mask_storeu_epi32(out + k, first_lanes(n - k), _mm512_maskz_loadu_epi32(first_lanes(n - k), in + k));
  }
  UPSWEEP_INLINE static void prefetch_write(int const* p) { _m_prefetchw(const_cast<int*>(p)); }
};

template <>
struct hit_vectors_avx512<std::uint32_t> : words_by_network<std::uint32_t, internal::avx512> {};
template <>
struct hit_vectors_avx512<std::uint64_t> : words_by_network<std::uint64_t, internal::avx512> {};

template cpu_hit_kernels<float> const& hits_of<hit_vectors_avx512, float>() noexcept;
template cpu_hit_kernels<double> const& hits_of<hit_vectors_avx512, double>() noexcept;

}  // namespace upsweep::neighbors::detail

UPSWEEP_TARGET_END

#endif
