// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
// The note of upsweep-nbody, for what needs.cpp was compiled for.
#include "../../apps/support/missing_fma.hpp"

int main() {
  apps::note_missing_fma("upsweep-nbody");
  return 0;
}
