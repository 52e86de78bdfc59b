// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "options.hpp"

#include "../support/options/options.hpp"
#include "../support/options/output_words.hpp"
#include "../support/points/points_words.hpp"
#include "write_mesh.hpp"

namespace surface {
namespace {

constexpr char purpose[] =
    "The surface where a scalar field has one value, as triangles: of values on a regular grid, or of a smooth density "
    "that particles make (metaballs).";

}  // namespace

command_line parse(std::vector<std::string> const& arguments) {
  apps::program<command_line> app("upsweep-surface", purpose);
  auto& o = app.line.values;
  std::string spacing;
  using apps::number_option, apps::word_option;
  auto* const field =
      word_option(app, "--field", o.field, "Values at the points of a grid, a .npy array a[i, j, k]", "FILE");
  apps::points_words points(app, o);
  points.input_option->excludes(field);
  points.open_option->needs(points.input_option);
  points.origin_option->remove_needs(points.input_option);
  points.origin_option->description("Where point (0, 0, 0) of the field is, or the lower corner of --box");
  apps::renamed_option(app, "--particles", "--input");
  number_option(app, "--iso", o.iso, apps::any_number(), "The value of the surface; at it and above is inside");
  word_option(
      app, "--spacing", spacing,
      "Distance of grid points: H, or of a field HX,HY,HZ; if not given, 1, of particles a quarter of the radius",
      "H|HX,HY,HZ");
  auto* const radius =
      number_option(app, "--radius", o.radius, apps::reach(), "Reach of a particle, whose density is (1 - r^2/R^2)^3")
          ->needs(points.input_option)
          ->default_str("");
  word_option(app, "--output", o.output, "Write the mesh here, in the format of its suffix: .stl, .ply, .vtk", "FILE");
  apps::add_output_words(app, o);
  number_option(app, "--repeat", o.repeat, apps::from_to<std::int64_t>(1, 1000),
                "Extract so many times; times are those of the median");
  return app.read(arguments, [&] {
    if (o.field.empty() && o.input.empty())
      throw apps::bad_option("--field", "(none)", "either --field FILE or --input FILE --radius R");
    if (!o.input.empty() && radius->count() == 0)
      throw apps::bad_option("--radius", "(none)", "the reach of a particle with --input");
    if (!spacing.empty()) {
      auto const one = apps::read_number<double>(spacing);
      if (one && *one > 0) o.spacing = {*one, *one, *one};
      else if (o.field.empty())
        throw apps::bad_option("--spacing", spacing, apps::positive().text + " (only a --field may have three)");
      else if (auto const three = apps::read_numbers(spacing, apps::positive()); three && three->size() == 3)
        o.spacing = {(*three)[0], (*three)[1], (*three)[2]};
      else
        throw apps::bad_option("--spacing", spacing,
                               "one number, or three with commas between them, each " + apps::positive().text);
    }
    points.finish();
    apps::require_use_of_force(o, !o.output.empty());
    if (!o.output.empty() && !format_of(o.output))
      throw apps::bad_option("--output", o.output, "a name that ends with .stl, .ply or .vtk");
  });
}

}  // namespace surface
