// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <string>

namespace apps {

/// A gnuplot string: quotes inside are doubled.
std::string quoted(std::string const& text);

/// Draws an SVG file of so many points: `draw_svg("a.svg", 640, 480, "plot sin(x)\n");` An older file stays where
/// gnuplot fails.
/// Throws: output_error; runtime_error where gnuplot does not run.
void draw_svg(std::string const& file, int width, int height, std::string const& script);

}  // namespace apps
