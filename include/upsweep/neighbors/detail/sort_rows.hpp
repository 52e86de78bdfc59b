// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/grid/particle_order.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// One thread per row: its neighbours in ascending (id, image).
struct sort_rows_kernel {
  std::size_t const* offsets;
  int* neighbors;
  image* pair_images;         ///< null where they are not kept
  std::int64_t const* ids;    ///< of what neighbours index
  image const* ghost_images;  ///< likewise

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    int* const v = neighbors + offsets[row];
    image* const s = pair_images == nullptr ? nullptr : pair_images + offsets[row];
    auto const id = [&](int j) { return ids == nullptr ? static_cast<std::int64_t>(j) : ids[j]; };
    sort_in_place(
        static_cast<int>(offsets[row + 1] - offsets[row]),
        [&](int a, int b) {
          if (id(v[a]) != id(v[b])) return id(v[a]) < id(v[b]);
          if (s != nullptr && !(s[a] == s[b])) return s[a] < s[b];
          if (ghost_images != nullptr && !(ghost_images[v[a]] == ghost_images[v[b]]))
            return ghost_images[v[a]] < ghost_images[v[b]];
          return v[a] < v[b];
        },
        [&](int a, int b) {
          Kokkos::kokkos_swap(v[a], v[b]);
          if (s != nullptr) Kokkos::kokkos_swap(s[a], s[b]);
        });
  }
};

}  // namespace upsweep::neighbors::detail
