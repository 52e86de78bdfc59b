// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "serial.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace oracle {
namespace {

std::size_t root_of(std::vector<std::size_t>& parent, std::size_t i) {
  while (parent[i] != i) i = parent[i];
  return i;
}

/// Unites where allowed(i, j); the smallest index is the root.
template <class Allowed>
std::vector<std::size_t> unite(neighbor_rows const& rows, Allowed const& allowed) {
  std::vector<std::size_t> parent(rows.size());
  std::iota(parent.begin(), parent.end(), std::size_t(0));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (auto const& pair : rows[i]) {
      auto const j = static_cast<std::size_t>(std::get<0>(pair));
      if (!allowed(i, j)) continue;
      std::size_t const a = root_of(parent, i), b = root_of(parent, j);
      parent[std::max(a, b)] = std::min(a, b);
    }
  for (std::size_t i = 0; i < rows.size(); ++i) parent[i] = root_of(parent, i);
  return parent;
}

}  // namespace

serial_groups friends(neighbor_rows const& rows) {
  auto const root = unite(rows, [](std::size_t, std::size_t) { return true; });
  serial_groups groups{{}, std::vector<bool>(rows.size(), true)};
  for (std::size_t const r : root) groups.label.push_back(static_cast<std::int64_t>(r));
  return groups;
}

serial_groups dbscan(neighbor_rows const& rows, std::size_t min_points) {
  serial_groups groups{std::vector<std::int64_t>(rows.size(), -1), {}};
  for (auto const& row : rows) groups.core.push_back(row.size() + 1 >= min_points);
  auto const root = unite(rows, [&](std::size_t i, std::size_t j) { return groups.core[i] && groups.core[j]; });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto& label = groups.label[i];
    if (groups.core[i]) {
      label = static_cast<std::int64_t>(root[i]);
      continue;
    }
    for (auto const& pair : rows[i]) {
      auto const j = static_cast<std::size_t>(std::get<0>(pair));
      auto const of_core = static_cast<std::int64_t>(root[j]);
      if (groups.core[j] && (label < 0 || of_core < label)) label = of_core;
    }
  }
  return groups;
}

std::vector<serial_group> follow_links(serial_groups const& of, neighbor_rows const& rows, point_list const& x,
                                       cell_box<double> const& box) {
  std::map<std::int64_t, serial_group> groups;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (of.label[i] >= 0) groups[of.label[i]].members.push_back(static_cast<std::int64_t>(i));
  std::vector<std::array<int, 3>> lengths(rows.size());
  std::vector<bool> known(rows.size(), false);
  std::vector<serial_group> result;
  for (auto& [label, group] : groups) {
    std::vector<std::size_t> reached{static_cast<std::size_t>(group.members[0])};
    known[reached[0]] = true;
    for (std::size_t next = 0; next < reached.size(); ++next) {
      std::size_t const i = reached[next];
      for (auto const& [other, sx, sy, sz] : rows[i]) {
        auto const j = static_cast<std::size_t>(other);
        if (of.label[j] != label || !(of.core[i] || of.core[j])) continue;
        std::array<int, 3> const there{lengths[i][0] + sx, lengths[i][1] + sy, lengths[i][2] + sz};
        if (known[j]) {
          group.spans = group.spans || there != lengths[j];
          continue;
        }
        known[j] = true;
        lengths[j] = there;
        reached.push_back(j);
      }
    }
    for (auto const member : group.members) {
      auto const i = static_cast<std::size_t>(member);
      for (std::size_t c = 0; c < 3; ++c) {
        group.centre[c] += x[i][c] / static_cast<double>(group.members.size());
        for (int d = 0; d < 3; ++d)
          group.centre[c] +=
              lengths[i][static_cast<std::size_t>(d)] * box.edge(d)[c] / static_cast<double>(group.members.size());
      }
    }
    result.push_back(group);
  }
  return result;
}

}  // namespace oracle
