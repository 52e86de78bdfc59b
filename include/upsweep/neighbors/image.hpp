// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>

namespace upsweep {

/// Which periodic image of a particle is meant: whole box lengths in x, y and z, each from -512 to 511, in 32 bits.
/// image(0, 0, 0) is the particle itself, and what zeroed memory and image{} are; image(1, 0, 0) stands one box length
/// to its right. Ordered by z, then y, then x.
class image {
 public:
  static constexpr int limit = 512;

  image() = default;
  KOKKOS_FUNCTION constexpr image(int x, int y, int z) : packed_(bits(x) | bits(y) << 10 | bits(z) << 20) {}
  /// The image of that order().
  KOKKOS_FUNCTION static constexpr image of_order(std::uint32_t order) {
    image result{};
    result.packed_ = order ^ signs;
    return result;
  }

  KOKKOS_FUNCTION constexpr int x() const { return component(0); }
  KOKKOS_FUNCTION constexpr int y() const { return component(10); }
  KOKKOS_FUNCTION constexpr int z() const { return component(20); }
  KOKKOS_FUNCTION constexpr int operator[](int dimension) const { return component(10 * dimension); }
  KOKKOS_FUNCTION constexpr image operator-() const { return {-x(), -y(), -z()}; }
  KOKKOS_FUNCTION friend constexpr image operator+(image a, image b) {
    return {a.x() + b.x(), a.y() + b.y(), a.z() + b.z()};
  }
  KOKKOS_FUNCTION friend constexpr bool operator==(image a, image b) { return a.packed_ == b.packed_; }
  KOKKOS_FUNCTION friend constexpr bool operator<(image a, image b) { return a.order() < b.order(); }
  /// A number of 30 bits that images are ordered by.
  KOKKOS_FUNCTION constexpr std::uint32_t order() const { return packed_ ^ signs; }

 private:
  /// The bits that are the signs of components, which have ten bits each, in two's complement.
  static constexpr std::uint32_t signs = 1u << 9 | 1u << 19 | 1u << 29;

  KOKKOS_FUNCTION static constexpr std::uint32_t bits(int component) {
    return static_cast<std::uint32_t>(component) & 1023u;
  }
  KOKKOS_FUNCTION constexpr int component(int shift) const {
    return static_cast<std::int32_t>(packed_ << (22 - shift)) >> 22;
  }
  // No default member initialiser: Views of images are filled by kernels.
  std::uint32_t packed_;
};

}  // namespace upsweep
