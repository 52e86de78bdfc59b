// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "uniform.hpp"

template void perf::add_uniform<double>(std::size_t);
