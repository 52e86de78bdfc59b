// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/text_of.hpp>

#include <array>
#include <cstddef>
#include <string>

namespace upsweep::neighbors::detail {

/// How high a box of any edges is, and how high it has to be.
struct box_heights {
  std::array<bool, 3> periodic{};
  std::array<double, 3> height{};  ///< in a periodic direction: of the edge over the other periodic edges
  double least = 0;                ///< that rounding leaves room for
  double least_of_edges = 0;       ///< the same if the origin was 0
  double size = 0;                 ///< sum of the sizes of all components of the origin and of periodic edges

  bool is_low(std::size_t k) const { return periodic[k] && !(height[k] >= least); }
  bool any_low() const { return is_low(0) || is_low(1) || is_low(2); }
};

/// Why a box that is too low is refused, in words, with numbers behind them. Pre: box.any_low().
inline std::string describe_flat_box(box_heights const& box, int roundings) {
  std::string edges, low;
  int const count = box.periodic[0] + box.periodic[1] + box.periodic[2];
  bool far_origin = true;
  for (std::size_t k = 0, named = 0; k < 3; ++k) {
    if (!box.periodic[k]) continue;
    ++named;
    edges += (edges.empty() ? "" : static_cast<int>(named) == count ? " and " : ", ") + std::string(1, "abc"[k]);
    if (!box.is_low(k)) continue;
    std::string const height = internal::text_of_measured(box.height[k]);
    if (low.empty()) low = std::string("edge ") + "abc"[k] + " is only " + height + (count == 1 ? " long" : " high");
    else low += std::string(", ") + "abc"[k] + " " + height;
    far_origin = far_origin && box.height[k] >= box.least_of_edges;
  }
  std::string const what = far_origin   ? "the origin is so far away that the box is lost in its rounding"
                           : count == 3 ? "the periodic edges " + edges + " lie nearly in one plane"
                           : count == 2 ? "the periodic edges " + edges + " are nearly parallel"
                                        : "the periodic edge " + edges + " is too short";
  char const* const over = count == 3 ? "over the plane of the other two, " : count == 2 ? "over the other one, " : "";
  return what + ": " + over + low + "; at least " + internal::text_of_measured(box.least) + " is needed, " +
         std::to_string(roundings) + " roundings of the edges and the origin, whose components add up to " +
         internal::text_of_measured(box.size);
}

}  // namespace upsweep::neighbors::detail
