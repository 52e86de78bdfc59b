// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: do not compile it with -ffast-math
// Options: -ffast-math

#include "snippet.hpp"

#include <upsweep/base/kokkos_compat.hpp>

bool fast_math() { return upsweep::compat::is_gpu<snippet::space>; }
