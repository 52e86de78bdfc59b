// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

namespace upsweep::internal {

// Vectors of elements of type T, one class for each instruction set. Kernels are templates over such a class and are
// instantiated in a file of each instruction set, where the target is set to it.
template <class T>
struct portable;
template <class T>
struct avx2;
template <class T>
struct avx512;

}  // namespace upsweep::internal
