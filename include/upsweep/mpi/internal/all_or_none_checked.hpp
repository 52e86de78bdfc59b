// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/agree.hpp>

namespace upsweep::internal {

using mpi::detail::all_or_none_checked;

}  // namespace upsweep::internal
