// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "points_words.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace apps {

namespace {

/// The word of --box: lengths, and how far edges lean.
void read_box(std::string const& word, bool may_be_flat, points_options& into) {
  auto const numbers = read_numbers(word, any_number()).value_or(std::vector<double>());
  bool const is_flat = may_be_flat && numbers.size() == 2, leans = numbers.size() == 6;
  std::ptrdiff_t const lengths = is_flat ? 2 : 3;
  bool const good = (is_flat || leans || numbers.size() == 3) &&
                    std::all_of(numbers.begin(), numbers.begin() + lengths, [](double x) { return x > 0; });
  if (!good)
    throw bad_option("--box", word,
                     std::string(may_be_flat ? "2, 3" : "3") +
                         " or 6 finite numbers with commas between them: lengths above 0, and of 6 the last are xy, "
                         "xz, yz");
  into.box = into.tilt = {};
  std::copy_n(numbers.begin(), lengths, into.box.begin());
  if (leans) std::copy_n(numbers.begin() + 3, 3, into.tilt.begin());
}

}  // namespace

points_words::points_words(CLI::App& app, points_options& into, points_kind of) : values(into), kind(of) {
  std::string const shapes = kind.may_be_flat ? "(n, 2) or (n, 3)" : "(n, 3)";
  input_option = word_option(
      app, "--input", into.input,
      "Points: a LAMMPS data or extended XYZ (.xyz, .extxyz) file, plain or .gz, or a NumPy file " + shapes + " (.npy)",
      "FILE");
  word_option(app, "--atom-style", into.atom_style,
              "Atom style of a LAMMPS data file that does not name it: full, \"hybrid charge sphere\"", "STYLE")
      ->needs(input_option);
  word_option(app, "--box", box,
              std::string("Lengths of the periodic box of a NumPy file, and how far its edges lean") +
                  (kind.needs_box ? "" : "; none: open, around the points"),
              kind.may_be_flat ? "X,Y[,Z[,XY,XZ,YZ]]" : "X,Y,Z[,XY,XZ,YZ]")
      ->needs(input_option);
  origin_option = word_option(app, "--origin", origin, "Lower corner of that box; none: 0,0,0",
                              kind.may_be_flat ? "X,Y[,Z]" : "X,Y,Z")
                      ->needs(input_option);
  open_option =
      word_option(app, "--open", open,
                  "Directions in which the box is open: xy; none: those of pbc in an extended XYZ file", "DIRECTIONS");
}

void points_words::finish() {
  bool const is_npy = points_format_of(values.input) == points_format::npy;
  if (!values.atom_style.empty() && points_format_of(values.input) != points_format::lammps_data)
    throw bad_option("--atom-style", values.atom_style, "no style for an extended XYZ or NumPy file");
  if (kind.needs_box && is_npy && box.empty())
    throw bad_option("--input", values.input, "--box, too: a NumPy file has none");
  if (!box.empty()) {
    // The name may be that of a format that is not read, which --box is not to blame for.
    if (!is_npy)
      throw bad_option(
          "--input", values.input,
          std::string("a NumPy file (.npy), since --box is for these; others have a box; ") + formats_read);
    read_box(box, kind.may_be_flat, values);
  }
  if (!origin.empty()) {
    if (!values.input.empty() && !is_npy)
      throw bad_option("--origin", origin, "none for a LAMMPS data or extended XYZ file, which has a box");
    if (!values.input.empty() && box.empty()) throw bad_option("--origin", origin, "--box, too");
    std::size_t const numbers = values.has_flat_box() ? 2 : 3;
    auto const corner = numbers_in("--origin", origin, numbers, numbers, any_number());
    std::copy(corner.begin(), corner.end(), values.origin.begin());
  }
  values.open = open_directions_in("--open", open);
  if (!open.empty() && box.empty() && is_npy)
    throw bad_option("--open", open, "--box, too: without one all directions are open");
}

}  // namespace apps
