// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "options.hpp"

#include "../support/options.hpp"
#include "write_mesh.hpp"

namespace surface {
namespace {

constexpr char purpose[] =
    "The surface where a scalar field has one value, as triangles: of values on a regular grid, or of a smooth density "
    "that particles make (metaballs).";

}  // namespace

bool is_npy(std::string const& path) { return path.ends_with(".npy"); }

command_line parse(std::vector<std::string> const& arguments) {
  apps::program<command_line> app("upsweep-surface", purpose);
  auto& o = app.line.values;
  std::string spacing, origin, box;
  using apps::number_option, apps::word_option;
  auto* const field =
      word_option(app, "--field", o.field, "Values at the points of a grid, a .npy array a[i, j, k]", "FILE");
  auto* const particles = word_option(app, "--input", o.particles,
                                      "Particles: a LAMMPS data file, plain or .gz, or a .npy array (n, 3)", "FILE")
                              ->excludes(field);
  apps::renamed_option(app, "--particles", "--input");
  word_option(app, "--atom-style", o.atom_style,
              "Atom style of a LAMMPS data file that does not name it: full, \"hybrid charge sphere\"", "STYLE")
      ->needs(particles);
  number_option(app, "--iso", o.iso, apps::any_number(), "The value of the surface; at it and above is inside");
  word_option(
      app, "--spacing", spacing,
      "Distance of grid points: H, or of a field HX,HY,HZ; if not given, 1, of particles a quarter of the radius",
      "H|HX,HY,HZ");
  word_option(app, "--origin", origin, "Where point (0, 0, 0) of the field is", "X,Y,Z")->needs(field);
  auto* const radius = number_option(app, "--radius", o.radius, apps::positive(),
                                     "Reach of a particle, whose density is (1 - r^2/R^2)^3")
                           ->needs(particles);
  auto* const open = app.add_flag("--open", o.open, "Particles of a data file without their periodic box")
                         ->disable_flag_override()
                         ->needs(particles);
  word_option(app, "--box", box, "Periodic box, from 0, of positions in a .npy file", "X,Y,Z")
      ->needs(particles)
      ->excludes(open);
  word_option(app, "--output", o.output, "Write the mesh here, in the format of its suffix: .stl, .ply, .vtk", "FILE");
  word_option(app, "--report", o.report,
              "Write counts, measures and times to this JSON file; - is standard output, without the table", "FILE");
  app.add_flag("--force", o.force, "Replace output files that are not of this program")->disable_flag_override();
  number_option(app, "--repeat", o.repeat, apps::from_to<std::int64_t>(1, 1000),
                "Extract so many times; times are those of the median");
  return app.read(arguments, [&] {
    if (o.field.empty() && o.particles.empty())
      throw apps::bad_option("--field", "(none)", "either --field FILE or --input FILE --radius R");
    if (!o.particles.empty() && radius->count() == 0)
      throw apps::bad_option("--radius", "(none)", "the reach of a particle with --input");
    if (!spacing.empty()) {
      auto const one = apps::read_number<double>(spacing);
      if (one && *one > 0) o.spacing = {*one, *one, *one};
      else if (o.field.empty()) throw apps::bad_option("--spacing", spacing, apps::positive().text);
      else o.spacing = apps::three_numbers_in("--spacing", spacing, apps::positive());
    }
    if (!origin.empty()) o.origin = apps::three_numbers_in("--origin", origin, apps::any_number());
    if (!box.empty()) {
      if (!is_npy(o.particles)) throw apps::bad_option("--box", box, "positions in a .npy file: others have a box");
      o.box = apps::three_numbers_in("--box", box, apps::positive());
    }
    if (!o.atom_style.empty() && is_npy(o.particles))
      throw apps::bad_option("--atom-style", o.atom_style, "no style for a NumPy file");
    if (o.open && is_npy(o.particles)) throw apps::bad_option("--open", o.particles, "a data file, which has a box");
    if (!o.output.empty() && !format_of(o.output))
      throw apps::bad_option("--output", o.output, "a name that ends with .stl, .ply or .vtk");
  });
}

}  // namespace surface
