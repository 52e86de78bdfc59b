// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What the gates share. They are compiled for a GPU backend and never linked or run: every function here is there to
// make a compiler produce the kernels behind the public templates.

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

namespace gate {

using space = Kokkos::DefaultExecutionSpace;
using memory = space::memory_space;
static_assert(upsweep::compat::is_gpu<space>,
              "The gate does not see the GPU backend: its headers come too late on the include path.");

template <class T>
using view = Kokkos::View<T*, memory>;
template <class T>
using strided_view = Kokkos::View<T*, Kokkos::LayoutStride, memory>;
template <class T>
using scalar_view = Kokkos::View<T, memory>;

/// Maps x -> scale * x + shift: a monoid whose state differs from input and output, and whose operands do not commute.
struct affine_maps {
  struct value_type {
    double scale, shift;
  };
  KOKKOS_FUNCTION value_type identity() const { return {1, 0}; }
  KOKKOS_FUNCTION value_type operator()(value_type const& left, value_type const& right) const {
    return {right.scale * left.scale, right.scale * left.shift + right.shift};
  }
  KOKKOS_FUNCTION value_type lift(float x) const { return {0.5, x}; }
  KOKKOS_FUNCTION double lower(value_type const& state) const { return state.shift; }
};

/// An input that is computed.
struct squares {
  KOKKOS_FUNCTION std::int64_t operator()(std::size_t i) const { return static_cast<std::int64_t>(i * i); }
};

}  // namespace gate
