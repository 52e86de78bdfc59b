// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
// A program that links what programs share has the table of what this build is compiled for.
#include "../../apps/support/cpu/features.hpp"

#include <cstdio>
#include <cstring>

namespace {

struct feature {
  char const* name;
  bool is_compiled;
};
constexpr feature features[] = {
#ifdef __SSE3__
    {"sse3", true},
#else
    {"sse3", false},
#endif
#ifdef __AVX2__
    {"avx2", true},
#else
    {"avx2", false},
#endif
#ifdef __FMA__
    {"fma", true},
#else
    {"fma", false},
#endif
#ifdef __AVX512F__
    {"avx512f", true},
#else
    {"avx512f", false},
#endif
};

#define TEST_NAME(macro, name) name,
constexpr char const* names[] = {APPS_CPU_FEATURES(TEST_NAME)};

}  // namespace

int main() {
  int found = 0;
  for (feature const& f : features)
    for (int k = 0; char const* const name : names) {
      if (std::strcmp(name, f.name) == 0) {
        ++found;
        if (apps::cpu_needs[k] != f.is_compiled) return std::printf("wrong for %s\n", name), 1;
      }
      ++k;
    }
  if (found != 4) return std::puts("a feature has no name"), 1;
#ifdef __FMA__
  bool const lacks = false;
#else
  bool const lacks = __builtin_cpu_supports("fma") != 0;
#endif
  if (apps::lacks_fma() != lacks) return std::puts("wrong about FMA"), 1;
  std::puts("the table is that of the build");
  return 0;
}
