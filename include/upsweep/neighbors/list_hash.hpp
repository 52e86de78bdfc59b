// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/mix.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep {

/// The share of the pair (i, j, image of j as seen from i) in a list's hash.
KOKKOS_FUNCTION constexpr std::uint64_t pair_hash(std::int64_t i, std::int64_t j, image s) {
  constexpr std::int64_t bias = std::int64_t(1) << 20;
  auto const packed = static_cast<std::uint64_t>(s.x() + bias) + (static_cast<std::uint64_t>(s.y() + bias) << 21) +
                      (static_cast<std::uint64_t>(s.z() + bias) << 42);
  return neighbors::detail::mix(
      neighbors::detail::mix(neighbors::detail::mix(static_cast<std::uint64_t>(i)) ^ static_cast<std::uint64_t>(j)) ^
      packed);
}

namespace neighbors::detail {

/// Hash of one row. Images come from the pair where kept, else from the ghost; else there are none.
struct row_hash {
  std::size_t const* offsets;
  int const* neighbors;
  std::int64_t const* ids;
  image const* pair_images;
  image const* ghost_images;
  bool half = false;  ///< the other direction of each pair counts, too

  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t i) const {
    std::int64_t const id = ids == nullptr ? static_cast<std::int64_t>(i) : ids[i];
    std::uint64_t sum = 0;
    for (std::size_t k = offsets[i]; k < offsets[i + 1]; ++k) {
      int const j = neighbors[k];
      image const s = pair_images != nullptr    ? pair_images[k]
                      : ghost_images != nullptr ? ghost_images[j]
                                                : image(0, 0, 0);
      std::int64_t const other = ids == nullptr ? j : ids[j];
      sum += pair_hash(id, other, s);
      if (half) sum += pair_hash(other, id, -s);
    }
    return sum;
  }
};

template <class ExecutionSpace>
std::uint64_t hash_list(ExecutionSpace const& space, row_hash const& rows, std::size_t n) {
  return reduce(space, n, rows);
}

}  // namespace neighbors::detail
}  // namespace upsweep
