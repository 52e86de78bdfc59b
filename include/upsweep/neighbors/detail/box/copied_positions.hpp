// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// Memory for positions, that of a View (n, 3).
template <class Real>
struct position_memory {
  Real* data;
  std::ptrdiff_t particle_stride, component_stride;
};

/// One thread per particle: what a functor says of it goes into memory.
template <class Positions, class Real>
struct copy_positions_kernel {
  Positions from;
  position_memory<Real> to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const x = from(static_cast<std::size_t>(i));
    for (int d = 0; d < 3; ++d) to.data[i * to.particle_stride + d * to.component_stride] = x[d];
  }
};

/// Copies what a functor says of n particles, so that what reads positions is compiled for Views alone. Asynchronous.
/// 24 bytes per particle in double; the functor is called once for each.
template <class ExecutionSpace, class Positions, class Real>
strided_positions<Real> copy_positions(ExecutionSpace const& space, std::size_t n, Positions const& positions,
                                       position_memory<Real> const& to, char const* function) {
  static_assert(std::is_same_v<position_real_t<Positions>, Real>,
                "upsweep: a functor of positions returns Kokkos::Array<Real, 3>, Real as in the box.");
  internal::for_each_index(
      space, [&] { return std::string("upsweep::") + function + "::copy_positions"; }, n,
      copy_positions_kernel<Positions, Real>{positions, to});
  return {to.data, to.particle_stride, to.component_stride};
}

/// The memory of such copies. Kept between builds.
template <class ExecutionSpace, class Real>
class copied_positions {
 public:
  /// Room for n particles. Throws out_of_memory_error.
  position_memory<Real> take(ExecutionSpace const& space, std::int64_t n, char const* function) {
    internal::grow(space, memory_, static_cast<std::size_t>(n), function, "positions");
    return {memory_.data(), compat::stride(memory_, 0), compat::stride(memory_, 1)};
  }
  /// Device memory held.
  std::size_t bytes() const { return 3 * sizeof(Real) * memory_.extent(0); }

 private:
  Kokkos::View<Real* [3], typename ExecutionSpace::memory_space> memory_;
};

}  // namespace upsweep::neighbors::detail
