// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

// Every snippet is one function with one mistake in it. RIGHT_OR_WRONG(right, wrong) is the place of it: control.cpp,
// which includes all snippets, compiles what is right there, so that nothing but the mistake can be what is refused.
// SNIPPET_SPACE is the place of an execution space that is forgotten.
#if defined(UPSWEEP_CONTROL)
#define RIGHT_OR_WRONG(right, wrong) right
#define SNIPPET_SPACE snippet::space(),
#else
#define RIGHT_OR_WRONG(right, wrong) wrong
#define SNIPPET_SPACE
#endif

// A comma inside of RIGHT_OR_WRONG.
#define COMMA ,

namespace snippet {

using space = Kokkos::DefaultExecutionSpace;
template <class T>
using view = Kokkos::View<T, space::memory_space>;

/// A monoid, or a functor whose identity nobody knows.
struct sum_of_two {
  using value_type = int;
  RIGHT_OR_WRONG(KOKKOS_FUNCTION int identity() const { return 0; }, )
  KOKKOS_FUNCTION int operator()(int left, int right) const { return left + right; }
};

}  // namespace snippet
