// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
// A program compiled for more than any CPU has: FMA4 and XOP are AMD's of 2011 to 2017, AVX-512 came later.
#include "../../apps/support/cpu/features.hpp"

#include <cstdio>

#define TEST_NEEDED(macro, name) true,

constinit bool const apps::cpu_needs[] = {APPS_CPU_FEATURES(TEST_NEEDED)};

struct speaks_early {
  speaks_early() { std::puts("a static object"); }
} const early;

int main() {
  std::puts("main");
  return 0;
}
