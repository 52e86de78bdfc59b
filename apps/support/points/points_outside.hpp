// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "points_options.hpp"

#include <upsweep/neighbors/box.hpp>

#include <string>
#include <vector>

namespace apps {

/// What to say of points outside of a box of --box, in periodic directions, where they are wrapped: "2 of 500 points of
/// p.npy are outside of --box along x and z, and wrapped into it". Empty where there are none, and where the box
/// is that of a file: files often have particles that have left it. positions: x, y, z of each point.
std::string points_outside(points_options const& o, std::vector<double> const& positions,
                           upsweep::box<double> const& box);

/// Says it on standard error. For one rank.
void note_points_outside(std::string const& program, points_options const& o, std::vector<double> const& positions,
                         upsweep::box<double> const& box);

}  // namespace apps
