// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
// Compiled with the options of the programs. Constants only, since nothing here may run before check.cpp.
#include "features.hpp"

#define APPS_TEXT(x) #x
// The macro of an instruction set is 1, or remains a word.
#define APPS_NEEDED(macro, name) (APPS_TEXT(macro)[0] == '1'),

namespace apps {

constinit bool const cpu_needs[] = {APPS_CPU_FEATURES(APPS_NEEDED)};

}  // namespace apps
