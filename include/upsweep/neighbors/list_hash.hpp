// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/pairs/mix.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/neighbors/options.hpp>
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
  std::int64_t reversed = 0;  ///< of pairs with particles below this one the other direction counts, too: half lists

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
      if (j < reversed) sum += pair_hash(other, id, -s);
    }
    return sum;
  }
};

/// Throws precondition_error where a list built by these options has no hash. Pre: the box is that of the build.
template <class Real>
void check_hash(neighbor_options const& by, box<Real> const& box, bool two_sets) {
  constexpr char const* function = "neighbor_list::hash";
  bool const open = !box.periodic(0) && !box.periodic(1) && !box.periodic(2);
  internal::require(open || by.pair_images || by.images.given(), function,
                    "the images of pairs in a periodic box were not kept; build with pair_images = true");
  internal::require(by.ids.given() || !by.images.given(), function,
                    "the hash of a list with images needs ids: give each ghost the id of its owner");
  internal::require(!two_sets, function, "a list of two sets has no hash");
}

/// Of a list of so many particles. Pre: the options have ids of 64 bits (wide_ids).
inline row_hash rows_to_hash(neighbor_rows<> const& list, neighbor_options const& by, std::int64_t particles) {
  // Without newton, the ghost's owner has the other direction in its row.
  std::int64_t const reversed = !by.half ? 0 : by.newton ? particles : static_cast<std::int64_t>(list.rows);
  return {list.offsets, list.neighbors, by.ids.wide().data(), list.images, by.images.data(), reversed};
}

template <class ExecutionSpace>
std::uint64_t hash_list(ExecutionSpace const& space, row_hash const& rows, std::size_t n) {
  return reduce(space, n, rows);
}

}  // namespace neighbors::detail
}  // namespace upsweep
