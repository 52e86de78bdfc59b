// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// A copy of the same bytes: what a scan could cost at best.

#include "implementation.hpp"

#include <vector>

namespace perf {

template <class T>
std::vector<implementation<T>> scans<T>::by_copy(engine_names const&) {
  return {{"copy", "", {operation::copy}, [](operation, problem<T> const& p) -> prepared<T> {
             return {[p] { copy_bytes(p.instance, p.out.data(), p.in.data(), p.n() * sizeof(T)); }};
           }}};
}

}  // namespace perf
