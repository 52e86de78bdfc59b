// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "force.hpp"

template void perf::add_forces_of<double>(std::size_t);
