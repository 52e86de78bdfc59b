// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "mask_kernels.hpp"

namespace upsweep::neighbors::detail {

template struct cpu_mask_kernels<double, one_system<double>>;
template struct cpu_mask_kernels<double, many_systems<double>>;

}  // namespace upsweep::neighbors::detail
