// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Names that __builtin_cpu_supports of Clang takes from version 19 on, that of g++ 12 and newer always. A CPU without
// lzcnt runs it as another instruction, with wrong results.
#if !defined(__clang__) || __clang_major__ >= 19
#define APPS_NEWER_CPU_FEATURES(X) \
  X(__LZCNT__, "lzcnt") X(__MOVBE__, "movbe") X(__F16C__, "f16c") X(__AVX512FP16__, "avx512fp16")
#else
#define APPS_NEWER_CPU_FEATURES(X)
#endif

/// Instruction sets that compilers use unasked: the macro that says so, and the name that the CPU is asked for.
// Not here is what every CPU with AVX has: crc32, lahf and sahf, cmpxchg16b, xsave.
// clang-format off
#define APPS_CPU_FEATURES(X)                                                                       \
  X(__SSE3__, "sse3") X(__SSSE3__, "ssse3") X(__SSE4_1__, "sse4.1") X(__SSE4_2__, "sse4.2")         \
  X(__POPCNT__, "popcnt") X(__AVX__, "avx") X(__AVX2__, "avx2") X(__FMA__, "fma")                   \
  X(__BMI__, "bmi") X(__BMI2__, "bmi2") X(__FMA4__, "fma4") X(__XOP__, "xop")                       \
  X(__AVX512F__, "avx512f") X(__AVX512CD__, "avx512cd") X(__AVX512DQ__, "avx512dq")                 \
  X(__AVX512BW__, "avx512bw") X(__AVX512VL__, "avx512vl") X(__AVX512IFMA__, "avx512ifma")           \
  X(__AVX512VBMI__, "avx512vbmi") X(__AVX512VBMI2__, "avx512vbmi2")                                 \
  X(__AVX512VNNI__, "avx512vnni") X(__AVX512BITALG__, "avx512bitalg")                               \
  X(__AVX512VPOPCNTDQ__, "avx512vpopcntdq") X(__AVX512BF16__, "avx512bf16")                         \
  X(__GFNI__, "gfni") APPS_NEWER_CPU_FEATURES(X)
// clang-format on

namespace apps {

/// Which of the features the program was compiled for, in their order.
extern bool const cpu_needs[];

/// Whether the CPU has FMA instructions that the program was compiled without.
bool lacks_fma();

}  // namespace apps
