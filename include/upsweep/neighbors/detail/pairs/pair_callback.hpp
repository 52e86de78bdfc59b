// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/image.hpp>

#include <bit>

namespace upsweep::neighbors::detail {

/// How compiled kernels of CPUs call a visitor that they do not know. They call it once for some neighbours of a
/// particle, so that the call costs nothing beside the loop over these, in which the visitor is inlined.
struct pair_callback {
  void const* visitor;
  bool takes_image;
  /// The word of an image for each of n neighbours of particle i; null where all are image(0, 0, 0).
  void (*call)(void const* visitor, int i, int const* neighbors, int const* images, int n);

  void operator()(int i, int const* neighbors, int const* images, int n) const {
    call(visitor, i, neighbors, images, n);
  }
};

/// visitor(i, neighbour, image) for all of them.
template <class Visitor>
void visit_some(void const* visitor, int i, int const* neighbors, int const* images, int n) {
  static_assert(sizeof(image) == sizeof(int));
  auto const& visit = *static_cast<Visitor const*>(visitor);
  if (Visitor::takes_image && images != nullptr)
    for (int k = 0; k < n; ++k) visit(i, neighbors[k], std::bit_cast<image>(images[k]));
  else
    for (int k = 0; k < n; ++k) visit(i, neighbors[k], image(0, 0, 0));
}

/// Valid as long as the visitor.
template <class Visitor>
pair_callback callback_to(Visitor const& visitor) {
  return {&visitor, Visitor::takes_image, &visit_some<Visitor>};
}

}  // namespace upsweep::neighbors::detail
