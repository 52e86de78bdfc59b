// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

namespace upsweep::internal {

/// Defined in sequence.hpp, which is not for what the library compiles once: what it counts depends on a macro of the
/// program.
template <class T>
struct contiguous_sequence;

}  // namespace upsweep::internal
