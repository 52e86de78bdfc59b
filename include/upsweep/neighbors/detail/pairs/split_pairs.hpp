// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/neighbors/detail/rules/neighbor_search.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

struct split_pairs_kernel {
  imaged_neighbor const* both;
  int* neighbors;
  image* images;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    neighbors[k] = both[k].index;
    images[k] = both[k].shift;
  }
};

/// Pairs with their images into one array of each: indices alone are what sparse-matrix libraries read.
/// Waits for the instance, since the caller frees `both`.
template <class ExecutionSpace, class Both, class Neighbors, class Images>
void split_pairs(ExecutionSpace const& space, Both const& both, Neighbors const& neighbors, Images const& images) {
  internal::for_each_index(space, "upsweep::neighbor_list::split_pairs", both.extent(0),
                           split_pairs_kernel{both.data(), neighbors.data(), images.data()});
  space.fence("upsweep::neighbor_list::split_pairs");
}

}  // namespace upsweep::neighbors::detail
