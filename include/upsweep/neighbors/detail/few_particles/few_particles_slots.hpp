// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/pairs/pair_arrays.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>

namespace upsweep::neighbors::detail {

/// Where the builder for few particles writes pairs. The memory is that of an earlier list, since the number of pairs
/// is not known yet when they are written: rows that do not fit are left out, and written again once there is more.
template <class Real>
struct few_particles_slots {
  int* neighbors = nullptr;
  image* images = nullptr;  ///< null where they are not kept
  pair_slots<Real> values = {};
  std::size_t capacity = 0;  ///< pairs

  few_particles_slots() = default;
  /// What there is of a list's arrays. Values of pairs may be stored later.
  template <class Arrays>
  few_particles_slots(Arrays const& arrays, pair_contents const& kept, bool with_values)
      : neighbors(arrays.neighbors.data()), capacity(arrays.capacity(kept)) {
    if (kept.has_images()) images = arrays.images.data();
    if (with_values) values = arrays.slots(kept, nullptr);
  }

  KOKKOS_FUNCTION bool hold(std::size_t pairs) const { return pairs <= capacity; }
};

}  // namespace upsweep::neighbors::detail
