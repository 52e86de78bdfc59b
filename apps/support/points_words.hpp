// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "options.hpp"
#include "points_options.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <string>

namespace apps {

/// The word of --box: lengths, and how far edges lean. Throws: bad_option.
void read_box(std::string const& word, std::array<double, 3>& lengths, std::array<double, 3>& tilt);

/// Throws: bad_option for an atom style where the file of points is no LAMMPS data file.
void require_style_fits(std::string const& atom_style, std::string const& input);

/// Throws: bad_option for the word of --box where the file has a box of its own.
void require_no_box_of_file(std::string const& box, std::string const& input);

/// Throws: bad_option for the word of --open where a NumPy file has no box.
void require_box_to_open(std::string const& open, std::string const& box, std::string const& input);

/// The options of a program that reads points, while its command line is read: --input, --atom-style, --box and --open.
/// `values` gets them. The program adds --origin, which may be that of other things, too.
struct points_words {
  points_options& values;
  std::string box, origin, open;
  CLI::Option *input_option, *box_option, *open_option;

  points_words(CLI::App& app, points_options& into);

  /// Reads the words. Throws: bad_option for those that are wrong, or do not go with the file's format.
  void finish();
};

}  // namespace apps
