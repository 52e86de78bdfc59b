// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstdint>
#include <string_view>

namespace upsweep {

/// Options of a neighbour list: `neighbor_list nl(space, positions, box, cutoff, {.rows = owned, .ids = ids});`
/// Views given here are read at each build and must stay alive until the last one.
struct neighbor_options {
  template <class T>
  using input = Kokkos::View<T const*, Kokkos::AnonymousSpace>;

  /// Only particles 0 .. rows-1 get rows, the others are candidates only (ghosts); negative: all of them.
  std::int64_t rows = -1;
  /// Global identities, unique but for ghosts; they order the particles of a cell and enter the hash. Empty: the index.
  input<std::int64_t> ids = {};
  /// The image that each particle stands for; image(0, 0, 0) for those with rows. A ghost carries its owner's wrapped,
  /// unshifted coordinates. With images, the caller has made all ghosts, and the list adds no periodic images itself.
  input<image> images = {};
  /// Keep the image of every pair beside its index (4 bytes a pair more; 8 more while building).
  bool pair_images = false;
  std::string_view label = {};
};

}  // namespace upsweep
