// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// A particle as the pairs of a narrowing read it, all of it in one line of memory: where it is now, wrapped, and by
/// how many edges wrapping has moved it since the list was built, as the word of an image.
template <class Real>
struct alignas(4 * sizeof(Real)) moved_particle {
  using edges_word = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;

  Real x, y, z;
  edges_word edges;
};
static_assert(sizeof(moved_particle<float>) == 16 && sizeof(moved_particle<double>) == 32);

}  // namespace upsweep::neighbors::detail
