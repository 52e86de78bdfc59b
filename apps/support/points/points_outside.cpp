// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "points_outside.hpp"

#include "../outputs/standard_output.hpp"

#include <array>
#include <cstddef>

namespace apps {

std::string points_outside(points_options const& o, std::vector<double> const& positions,
                           upsweep::box<double> const& box) {
  if (!o.has_box()) return {};
  std::size_t outside = 0;
  std::array<bool, 3> along{};
  for (std::size_t i = 0; i < positions.size(); i += 3) {
    auto const x = box.upright({positions[i], positions[i + 1], positions[i + 2]});
    bool is_outside = false;
    for (int d = 0; d < 3; ++d) {
      if (!box.periodic(d) || (x[d] >= box.lo(d) && x[d] < box.hi(d))) continue;
      along[static_cast<std::size_t>(d)] = is_outside = true;
    }
    if (is_outside) ++outside;
  }
  if (outside == 0) return {};
  std::string letters;
  for (std::size_t d = 0; d < 3; ++d)
    if (along[d]) letters += "xyz"[d];
  std::string axes;
  for (std::size_t k = 0; k < letters.size(); ++k)
    axes += std::string(k == 0 ? "" : k + 1 == letters.size() ? " and " : ", ") + letters[k];
  return std::to_string(outside) + " of " + std::to_string(positions.size() / 3) + " points of " + o.input +
         (outside == 1 ? " is" : " are") + " outside of --box along " + axes + ", and wrapped into it";
}

void note_points_outside(std::string const& program, points_options const& o, std::vector<double> const& positions,
                         upsweep::box<double> const& box) {
  if (auto const text = points_outside(o, positions, box); !text.empty()) complain(program, text);
}

}  // namespace apps
