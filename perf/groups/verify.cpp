// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "verify.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace perf::groups {
namespace {

std::int64_t root_of(std::vector<std::int64_t>& parent, std::int64_t i) {
  auto const above = [&](std::int64_t k) -> std::int64_t& { return parent[static_cast<std::size_t>(k)]; };
  while (above(i) != i) i = above(i) = above(above(i));
  return i;
}

/// Calls with each neighbour of point i.
template <class Call>
void for_neighbors(host_rows const& rows, std::size_t i, Call const& call) {
  for (std::size_t k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) call(static_cast<std::size_t>(rows.neighbors[k]));
}

/// Each group gets the number of its first core as name; a group without a core gets none.
void rename_by_cores(std::vector<std::uint8_t> const& core, std::vector<std::int64_t>& labels) {
  std::unordered_map<std::int64_t, std::int64_t> names;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (core[i] != 0 && labels[i] >= 0) names.try_emplace(labels[i], static_cast<std::int64_t>(i));
  for (auto& label : labels) {
    auto const name = names.find(label);
    if (label >= 0) label = name == names.end() ? -2 : name->second;
  }
}

}  // namespace

known_groups groups_of(host_rows rows, std::int64_t min_points) {
  std::size_t const n = rows.offsets.size() - 1;
  known_groups known{std::move(rows), std::vector<std::uint8_t>(n), std::vector<std::int64_t>(n, -1)};
  auto const& core = known.core;
  std::vector<std::int64_t> parent(n);
  for (std::size_t i = 0; i < n; ++i) {
    auto const count = static_cast<std::int64_t>(known.rows.offsets[i + 1] - known.rows.offsets[i]) + 1;
    known.core[i] = count >= min_points ? 1 : 0;
    parent[i] = static_cast<std::int64_t>(i);
  }
  for (std::size_t i = 0; i < n; ++i)
    for_neighbors(known.rows, i, [&](std::size_t j) {
      if (core[i] == 0 || core[j] == 0) return;
      auto const a = root_of(parent, static_cast<std::int64_t>(i)), b = root_of(parent, static_cast<std::int64_t>(j));
      parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    });
  for (std::size_t i = 0; i < n; ++i)
    if (core[i] != 0) known.label[i] = root_of(parent, static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < n; ++i)
    for_neighbors(known.rows, i, [&](std::size_t j) {
      auto& label = known.label[i];
      if (core[i] == 0 && core[j] != 0 && (label < 0 || known.label[j] < label)) label = known.label[j];
    });
  return known;
}

std::string verify(known_groups const& known, std::vector<std::int64_t> labels, bool exact) {
  std::size_t const n = known.label.size();
  if (labels.size() != n) return std::to_string(labels.size()) + " labels of " + std::to_string(n) + " points";
  auto const& core = known.core;
  if (!exact) {
    rename_by_cores(core, labels);
    for (std::size_t i = 0; i < n; ++i)
      if (labels[i] == -1 && core[i] != 0 && known.rows.offsets[i] == known.rows.offsets[i + 1])
        labels[i] = static_cast<std::int64_t>(i);
  }
  for (std::size_t i = 0; i < n; ++i) {
    bool right = labels[i] == known.label[i];
    if (!right && !exact && core[i] == 0)
      for_neighbors(known.rows, i,
                    [&](std::size_t j) { right = right || (core[j] != 0 && known.label[j] == labels[i]); });
    if (!right)
      return "point " + std::to_string(i) + " is in group " + std::to_string(labels[i]) + ", not " +
             std::to_string(known.label[i]);
  }
  return "";
}

}  // namespace perf::groups
