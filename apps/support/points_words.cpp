// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "points_words.hpp"

#include <algorithm>
#include <cstddef>

namespace apps {

void read_box(std::string const& word, std::array<double, 3>& lengths, std::array<double, 3>& tilt) {
  auto const numbers = numbers_in("--box", word, 3, 6, any_number());
  bool const good = numbers.size() != 4 && numbers.size() != 5 &&
                    std::all_of(numbers.begin(), numbers.begin() + 3, [](double x) { return x > 0; });
  if (!good) throw bad_option("--box", word, "three lengths above 0, or these and xy, xz, yz");
  for (std::size_t d = 0; d < 3; ++d) {
    lengths[d] = numbers[d];
    tilt[d] = numbers.size() == 6 ? numbers[3 + d] : 0;
  }
}

void require_style_fits(std::string const& atom_style, std::string const& input) {
  if (!atom_style.empty() && points_format_of(input) != points_format::lammps_data)
    throw bad_option("--atom-style", atom_style, "no style for an extended XYZ or NumPy file");
}

void require_no_box_of_file(std::string const& box, std::string const& input) {
  if (points_format_of(input) != points_format::npy)
    throw bad_option("--box", box, "no box for a LAMMPS data or extended XYZ file, which has one");
}

void require_box_to_open(std::string const& open, std::string const& box, std::string const& input) {
  if (!open.empty() && box.empty() && points_format_of(input) == points_format::npy)
    throw bad_option("--open", open, "--box, too: without one all directions are open");
}

points_words::points_words(CLI::App& app, points_options& into) : values(into) {
  input_option = word_option(
      app, "--input", into.input,
      "Points: a LAMMPS data or extended XYZ (.xyz, .extxyz) file, plain or .gz, or a NumPy file (n, 3) (.npy)",
      "FILE");
  word_option(app, "--atom-style", into.atom_style,
              "Atom style of a LAMMPS data file that does not name it: full, \"hybrid charge sphere\"", "STYLE")
      ->needs(input_option);
  box_option = word_option(app, "--box", box,
                           "Lengths of the periodic box of a NumPy file, and how far its edges lean; none: open, "
                           "around the points",
                           "X,Y,Z[,XY,XZ,YZ]")
                   ->needs(input_option);
  open_option =
      word_option(app, "--open", open,
                  "Directions in which the box is open: xy; none: those of pbc in an extended XYZ file", "DIRECTIONS");
}

void points_words::finish() {
  require_style_fits(values.atom_style, values.input);
  if (!box.empty()) {
    require_no_box_of_file(box, values.input);
    read_box(box, values.box, values.tilt);
  }
  if (!origin.empty()) {
    if (!values.input.empty() && box.empty()) throw bad_option("--origin", origin, "--box, too");
    values.origin = three_numbers_in("--origin", origin, any_number());
  }
  values.open = open_directions_in("--open", open);
  require_box_to_open(open, box, values.input);
}

}  // namespace apps
