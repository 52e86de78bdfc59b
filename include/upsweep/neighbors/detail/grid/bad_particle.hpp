// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// Which particles cannot be used: those with a fault in the box, and those that have a row and an image.
template <class Positions, class Real>
struct bad_particle {
  Positions positions;
  box<Real> sim_box;
  image const* images;
  std::int64_t rows;

  KOKKOS_FUNCTION bool has_row_and_image(std::size_t i) const {
    return images != nullptr && static_cast<std::int64_t>(i) < rows && !(images[i] == image(0, 0, 0));
  }

  /// What operator() gives for a particle whose position is good.
  KOKKOS_FUNCTION std::uint64_t of_image(std::size_t i) const {
    return has_row_and_image(i) ? ~static_cast<std::uint64_t>(i) : 0;
  }

  /// The complement of i for a particle at x that cannot be used, 0 for a good one: the largest names the first.
  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t i, typename box<Real>::vector const& x,
                                           typename box<Real>::vector const& wrapped) const {
    return has_row_and_image(i) || sim_box.fault(x, wrapped) ? ~static_cast<std::uint64_t>(i) : 0;
  }
};

/// What binning does about particles that cannot be used.
enum class bad_particles {
  thrown,  ///< it waits for the check of all of them, and throws
  noted    ///< it notes the first one on the device, where that saves a wait; the caller reads the note, and throws
};

}  // namespace upsweep::neighbors::detail
