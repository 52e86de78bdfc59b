// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "options.hpp"

#include "../support/options.hpp"
#include "../support/points_words.hpp"

#include <array>

namespace interpolate {
namespace {

constexpr char purpose[] =
    "Values at scattered points become values at other points, or on a grid: by Shepard's weighted means, or by moving "
    "least squares.";

}  // namespace

command_line parse(std::vector<std::string> const& arguments) {
  apps::program<command_line> app("upsweep-interpolate", purpose);
  auto& o = app.line.values;
  std::string grid, from, to, box, open, wanted = "linear";
  using apps::number_option, apps::word_option;
  word_option(app, "--input", o.points,
              "Where values are known: a .npy array (n, 2) or (n, 3), or a LAMMPS data or extended XYZ (.xyz, .extxyz) "
              "file, plain or .gz",
              "FILE")
      ->required();
  word_option(app, "--atom-style", o.atom_style,
              "Atom style of a LAMMPS data file that does not name it: full, \"hybrid charge sphere\"", "STYLE");
  word_option(app, "--values", o.values, "The values: a .npy array (n), or (n, fields)", "FILE")->required();
  apps::renamed_option(app, "--points", "--input");
  auto* const targets =
      word_option(app, "--targets", o.targets, "Where values are wanted: a .npy array (m, 2) or (m, 3)", "FILE");
  auto* const on_grid =
      word_option(app, "--grid", grid, "Instead, on a grid of so many points each way", "A,B[,C]")->excludes(targets);
  word_option(app, "--from", from, "First corner of the grid; if not given, of the points, or of the box", "X,Y[,Z]")
      ->needs(on_grid);
  word_option(app, "--to", to, "Its last corner", "X,Y[,Z]")->needs(on_grid);
  word_option(app, "--box", box, "Lengths of the periodic box of a .npy file, from 0, and how far its edges lean",
              "X,Y[,Z[,XY,XZ,YZ]]");
  word_option(app, "--open", open,
              "Directions in which the box is open: xy; none: those of pbc in an extended XYZ file", "DIRECTIONS");
  word_option(app, "--method", wanted,
              "Weighted means, or moving least squares of degree 1 or 2, less where points are too few",
              "shepard|linear|quadratic");
  number_option(app, "--radius", o.radius, apps::positive(), "How far points are used")->required();
  word_option(app, "--output", o.output, "Write the values to this .npy file; nan where a target has no points", "FILE")
      ->required();
  word_option(app, "--report", o.report,
              "Write counts and times to this JSON file; - is standard output, without the table", "FILE");
  app.add_flag("--force", o.force, "Replace files of others")->disable_flag_override();
  return app.read(arguments, [&] {
    if (o.targets.empty() && grid.empty())
      throw apps::bad_option("--targets", "(none)", "either --targets FILE or --grid A,B,C");
    if (wanted == "shepard") o.wanted = method::shepard;
    else if (wanted == "linear") o.wanted = method::linear;
    else if (wanted == "quadratic") o.wanted = method::quadratic;
    else throw apps::bad_option("--method", wanted, "shepard, linear or quadratic");
    if (!grid.empty()) o.grid = apps::numbers_in("--grid", grid, 2, 3, apps::from_to<std::int64_t>(1, 1'000'000));
    if (!from.empty()) o.from = apps::numbers_in("--from", from, 2, 3, apps::any_number());
    if (!to.empty()) o.to = apps::numbers_in("--to", to, 2, 3, apps::any_number());
    apps::require_style_fits(o.atom_style, o.points);
    if (!box.empty()) {
      apps::require_no_box_of_file(box, o.points);
      if (apps::split(box, ',').size() == 2) {
        o.box = apps::numbers_in("--box", box, 2, 2, apps::positive());
      } else {
        std::array<double, 3> lengths{};
        apps::read_box(box, lengths, o.tilt);
        o.box.assign(lengths.begin(), lengths.end());
      }
    }
    o.open = apps::open_directions_in("--open", open);
    apps::require_box_to_open(open, box, o.points);
  });
}

}  // namespace interpolate
