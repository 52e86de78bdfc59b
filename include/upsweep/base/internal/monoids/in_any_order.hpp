// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

namespace upsweep::internal {

/// A base for monoids of the library whose operands may be taken in any order, because nobody can see it. Not for
/// users' monoids, whose operands are always combined in order.
struct in_any_order {};

}  // namespace upsweep::internal
