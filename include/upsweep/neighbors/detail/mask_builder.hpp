// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/neighbor_search.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

template <class ExecutionSpace, class Real>
class mask_builder {
 public:
  static constexpr bool exists = false;
  struct counted { std::size_t total = 0, largest_row = 0; };
  explicit mask_builder(ExecutionSpace const&) {}
  int group_size(std::int64_t) const { return 32; }
  std::size_t bytes() const { return 0; }
  template <class Grid, class Offsets>
  counted count(ExecutionSpace const&, Grid&, neighbor_search<Real> const&, Offsets const&, std::size_t) { return {}; }
  template <class Grid, class Offsets, class Neighbors, class Images>
  void emit(ExecutionSpace const&, Grid&, Offsets const&, Neighbors const&, Images const&) {}
};

}  // namespace upsweep::detail
