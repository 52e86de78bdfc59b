// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "sorted_rows.hpp"

#include "../checks.hpp"

#include <upsweep/base/error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace nbody {

sorted_rows sort_rows(std::span<std::int64_t const> ids, std::size_t const* offsets, std::int64_t const* neighbors,
                      upsweep::image const* images, std::int64_t first, std::int64_t n) {
  auto const rows = static_cast<std::size_t>(n);
  if (ids.size() != rows)
    throw upsweep::precondition_error("write_list: " + std::to_string(ids.size()) + " rows arrived for " +
                                      std::to_string(n) + " ids");
  // Which row holds id first + k; counts become offsets.
  std::vector<std::size_t> row_of(rows, rows);
  for (std::size_t i = 0; i < rows; ++i) {
    bool const good = ids[i] >= first && ids[i] < first + n && row_of[static_cast<std::size_t>(ids[i] - first)] == rows;
    if (!good)
      throw upsweep::precondition_error("write_list: a row for id " + std::to_string(ids[i]) +
                                        " arrived twice or at the wrong rank");
    row_of[static_cast<std::size_t>(ids[i] - first)] = i;
  }
  sorted_rows result;
  result.offsets.assign(rows + 1, 0);
  for (std::size_t k = 0; k < rows; ++k)
    result.offsets[k + 1] = result.offsets[k] + static_cast<std::int64_t>(offsets[row_of[k] + 1] - offsets[row_of[k]]);
  result.neighbors.reserve(static_cast<std::size_t>(result.offsets[rows]));
  result.images.reserve(3 * static_cast<std::size_t>(result.offsets[rows]));
  std::vector<std::pair<std::int64_t, upsweep::image>> row;
  for (std::size_t k = 0; k < rows; ++k) {
    row.clear();
    for (std::size_t at = offsets[row_of[k]]; at < offsets[row_of[k] + 1]; ++at)
      row.emplace_back(neighbors[at], images[at]);
    std::sort(row.begin(), row.end(), [](auto const& a, auto const& b) {
      return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    for (auto const& [id, s] : row) {
      result.neighbors.push_back(id);
      for (int d = 0; d < 3; ++d) result.images.push_back(narrow<std::int8_t>(s[d], "write_list", "image"));
    }
  }
  return result;
}

}  // namespace nbody
