// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/groups/types.hpp"

#include <cstdint>

namespace clusters {

struct gather_numbers {
  numbers from;
  indices order;
  numbers to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to(i) = from(order(i)); }
};

/// from(order(0)), from(order(1)), ...
inline numbers gathered(space_type const& space, numbers const& from, indices const& order) {
  auto const to = make<numbers>(space, "gathered", order.extent(0));
  Kokkos::parallel_for("upsweep-clusters::gather", points_range(space, order.extent(0)),
                       gather_numbers{from, order, to});
  return to;
}

}  // namespace clusters
