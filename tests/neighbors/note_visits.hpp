// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../oracle/brute_force.hpp"

#include <upsweep/neighbors/detail/pairs/pair_visitor.hpp>

#include <cstddef>

namespace oracle {

/// Notes the pairs that kernels with lockstep lanes visit, by row. Without locks: lanes are fibres of one thread.
struct note_visits {
  neighbor_rows* rows;
  KOKKOS_FUNCTION void operator()([[maybe_unused]] int i, [[maybe_unused]] int j,
                                  [[maybe_unused]] upsweep::image s) const {
    KOKKOS_IF_ON_HOST(((*rows)[static_cast<std::size_t>(i)].emplace_back(j, s.x(), s.y(), s.z());))
  }
};
using visitor_of_rows = upsweep::neighbors::detail::pair_visitor<note_visits>;

}  // namespace oracle
