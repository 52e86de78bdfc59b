// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nbody {

/// Rows of a list in order of ids, each sorted by id of the neighbour, then image (z, then y, then x).
struct sorted_rows {
  std::vector<std::int64_t> offsets;  ///< one more than rows, from 0
  std::vector<std::int64_t> neighbors;
  std::vector<std::int8_t> images;  ///< three per pair
};

/// Brings rows of ids first ... first + n - 1, in any order, into the order above.
/// Throws: precondition_error where they are not those ids; overflow_error for an image beyond int8.
sorted_rows sort_rows(std::span<std::int64_t const> ids, std::size_t const* offsets, std::int64_t const* neighbors,
                      upsweep::image const* images, std::int64_t first, std::int64_t n);

}  // namespace nbody
