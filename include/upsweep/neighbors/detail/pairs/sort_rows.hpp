// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/grid/particle_order.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// The rows of a list, and what orders their neighbours: ascending (id, image).
struct sort_rows_kernel {
  std::size_t const* offsets;
  int* neighbors;
  image* pair_images;         ///< null where they are not kept
  std::int64_t const* ids;    ///< of what neighbours index
  image const* ghost_images;  ///< likewise

  /// One row, whose elements are known by their numbers.
  struct row {
    sort_rows_kernel const& list;
    int* v;
    image* s;

    KOKKOS_FUNCTION std::int64_t id(int j) const { return list.ids == nullptr ? j : list.ids[j]; }
    KOKKOS_FUNCTION bool before(int a, int b) const {
      if (id(v[a]) != id(v[b])) return id(v[a]) < id(v[b]);
      if (s != nullptr && !(s[a] == s[b])) return s[a] < s[b];
      image const* const ghosts = list.ghost_images;
      if (ghosts != nullptr && !(ghosts[v[a]] == ghosts[v[b]])) return ghosts[v[a]] < ghosts[v[b]];
      return v[a] < v[b];
    }
    KOKKOS_FUNCTION void swap(int a, int b) const {
      Kokkos::kokkos_swap(v[a], v[b]);
      if (s != nullptr) Kokkos::kokkos_swap(s[a], s[b]);
    }
  };

  KOKKOS_FUNCTION int size(std::int64_t i) const { return static_cast<int>(offsets[i + 1] - offsets[i]); }
  KOKKOS_FUNCTION row at(std::int64_t i) const {
    return {*this, neighbors + offsets[i], pair_images == nullptr ? nullptr : pair_images + offsets[i]};
  }

  /// Row i, by one thread.
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    row const r = at(i);
    sort_in_place(size(i), [&](int a, int b) { return r.before(a, b); }, [&](int a, int b) { r.swap(a, b); });
  }
};

}  // namespace upsweep::neighbors::detail
