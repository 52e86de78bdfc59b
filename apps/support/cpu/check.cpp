// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
// Ends a program that was compiled for instructions which the CPU lacks, before any other code of it runs. Compiled for
// every x86-64 CPU, and without templates and inline functions: the linker might take those of another file.
#include "features.hpp"

#include <string.h>
#include <unistd.h>

namespace apps {

#if defined(__x86_64__) && !defined(__NVCC__)

namespace {

void say(char const* text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) _exit(2);
}

// Before constructors of static objects, which have no priority.
[[gnu::constructor(101)]] void check_cpu() {
  __builtin_cpu_init();
  char const* missing[64];
  int count = 0, feature = 0;
#define APPS_CHECK(macro, name) \
  if (cpu_needs[feature++] && !__builtin_cpu_supports(name)) missing[count++] = name;
  APPS_CPU_FEATURES(APPS_CHECK)
#undef APPS_CHECK
  if (count == 0) return;
  say("This program was compiled for instructions that this CPU lacks:");
  for (int i = 0; i < count; ++i) {
    say(" ");
    say(missing[i]);
  }
  say(". Compile it on this machine, or with -march=x86-64-v3 or less.\n");
  _exit(2);
}

}  // namespace

bool lacks_fma() {
  int feature = 0;
#define APPS_UNUSED(macro, name)                                                                    \
  if (strcmp(name, "fma") == 0 && !cpu_needs[feature] && __builtin_cpu_supports(name)) return true; \
  ++feature;
  APPS_CPU_FEATURES(APPS_UNUSED)
#undef APPS_UNUSED
  return false;
}

#else

bool lacks_fma() { return false; }

#endif

}  // namespace apps
