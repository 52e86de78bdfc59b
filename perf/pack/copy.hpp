// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// A copy of as many elements: what moving them costs at best.

#include "implementation.hpp"

#include <vector>

namespace perf::pack {

template <class T>
std::vector<implementation<T>> packs<T>::by_copy() {
  return {{"copy", {operation::copy}, [](problem<T> const& p) -> prepared {
             return {[p] { copy_bytes(p.instance, p.out.data(), p.in.data(), p.n() * sizeof(T)); }};
           }}};
}

}  // namespace perf::pack
