// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "options.hpp"

#include "../support/options/options.hpp"
#include "../support/options/output_words.hpp"
#include "../support/points/points_words.hpp"

namespace interpolate {
namespace {

constexpr char purpose[] =
    "Values at scattered points become values at other points, or on a grid: by Shepard's weighted means, or by moving "
    "least squares.";

}  // namespace

command_line parse(std::vector<std::string> const& arguments) {
  apps::program<command_line> app("upsweep-interpolate", purpose);
  auto& o = app.line.values;
  std::string grid, from, to, wanted = "linear";
  using apps::number_option, apps::word_option;
  apps::points_words points(app, o, {.may_be_flat = true});
  points.input_option->required();
  word_option(app, "--values", o.values, "The values: a .npy array (n), or (n, fields)", "FILE")->required();
  apps::renamed_option(app, "--points", "--input");
  auto* const targets =
      word_option(app, "--targets", o.targets, "Where values are wanted: a .npy array (m, 2) or (m, 3)", "FILE");
  auto* const on_grid =
      word_option(app, "--grid", grid, "Instead, on a grid of so many points each way", "A,B[,C]")->excludes(targets);
  word_option(app, "--from", from, "First corner of the grid; if not given, of the points, or of the box", "X,Y[,Z]")
      ->needs(on_grid);
  word_option(app, "--to", to, "Its last corner", "X,Y[,Z]")->needs(on_grid);
  word_option(app, "--method", wanted,
              "Weighted means, or moving least squares of degree 1 or 2, less where points are too few",
              "shepard|linear|quadratic");
  number_option(app, "--radius", o.radius, apps::reach(), "How far points are used")->required()->default_str("");
  word_option(app, "--output", o.output, "Write the values to this .npy file; nan where a target has no points", "FILE")
      ->required();
  apps::add_output_words(app, o);
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
    points.finish();
  });
}

}  // namespace interpolate
