// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "mask_kernels.hpp"

namespace upsweep::neighbors::detail {

template struct cpu_mask_kernels<float, one_system<float>>;
template struct cpu_mask_kernels<float, many_systems<float>>;

}  // namespace upsweep::neighbors::detail
