// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/io/particle_data.hpp>

#include "reorder.hpp"

#include <algorithm>
#include <numeric>

namespace upsweep {

std::optional<std::int64_t> sort_by_id(particle_data& data) {
  if (!std::is_sorted(data.ids.begin(), data.ids.end())) {
    std::vector<std::size_t> order(data.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return data.ids[a] < data.ids[b]; });
    io::detail::reorder(data.ids, order, 1);
    io::detail::reorder(data.types, order, 1);
    io::detail::reorder(data.positions, order, 3);
    auto const sort = [&](auto& values, std::size_t width) {
      if (!values.empty()) io::detail::reorder(values, order, width);
    };
    sort(data.velocities, 3);
    sort(data.image_flags, 3);
    sort(data.particle_masses, 1);
    sort(data.charges, 1);
    sort(data.radii, 1);
    sort(data.molecules, 1);
    if (!data.bonds.empty()) {
      std::vector<std::int64_t> place(order.size());
      for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::int64_t>(i);
      for (auto& particle : data.bonds) particle = place[static_cast<std::size_t>(particle)];
    }
  }
  auto const twice = std::adjacent_find(data.ids.begin(), data.ids.end());
  if (twice == data.ids.end()) return std::nullopt;
  return *twice;
}

}  // namespace upsweep
