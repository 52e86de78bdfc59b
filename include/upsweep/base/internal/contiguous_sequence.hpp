// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

namespace upsweep::internal {

/// Defined in sequence.hpp. Files that are compiled for several instruction sets need the name alone, and must not
/// compile inline functions that other files share.
template <class T>
struct contiguous_sequence;

}  // namespace upsweep::internal
