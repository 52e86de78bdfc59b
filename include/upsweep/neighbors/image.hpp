// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>

namespace upsweep {

/// Which periodic image of a particle is meant: whole box lengths in x, y and z, each from -512 to 511, in 32 bits.
/// image(0, 0, 0) is the particle itself; image(1, 0, 0) stands one box length to its right. Ordered by z,
/// then y, then x.
class image {
 public:
  static constexpr int limit = 512;

  image() = default;
  KOKKOS_FUNCTION constexpr image(int x, int y, int z)
      : packed_(static_cast<std::uint32_t>(x + limit) | static_cast<std::uint32_t>(y + limit) << 10 |
                static_cast<std::uint32_t>(z + limit) << 20) {}

  KOKKOS_FUNCTION constexpr int x() const { return component(0); }
  KOKKOS_FUNCTION constexpr int y() const { return component(10); }
  KOKKOS_FUNCTION constexpr int z() const { return component(20); }
  KOKKOS_FUNCTION constexpr int operator[](int dimension) const { return component(10 * dimension); }
  KOKKOS_FUNCTION constexpr image operator-() const { return {-x(), -y(), -z()}; }
  KOKKOS_FUNCTION friend constexpr image operator+(image a, image b) {
    return {a.x() + b.x(), a.y() + b.y(), a.z() + b.z()};
  }
  KOKKOS_FUNCTION friend constexpr bool operator==(image a, image b) { return a.packed_ == b.packed_; }
  KOKKOS_FUNCTION friend constexpr bool operator<(image a, image b) { return a.packed_ < b.packed_; }

 private:
  KOKKOS_FUNCTION constexpr int component(int shift) const {
    return static_cast<int>(packed_ >> shift & 1023u) - limit;
  }
  // No default member initialiser: Views of images are filled by kernels. Zeroed memory is not image(0, 0, 0).
  std::uint32_t packed_;
};

}  // namespace upsweep
