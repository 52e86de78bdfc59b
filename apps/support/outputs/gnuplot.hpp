// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <string>

namespace apps {

/// A gnuplot string: quotes inside are doubled.
std::string quoted(std::string const& text);

/// Finds out before long work whether there is a gnuplot. Throws: output_error.
void require_gnuplot();

/// Draws an SVG of this size with gnuplot, with the program's name as its title, by which require_own_output knows it.
/// An older file is replaced in one step. Throws: output_error.
void draw(std::string const& program, std::string const& file, int width, int height, std::string const& script);

}  // namespace apps
