// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "options.hpp"

#include "../support/options.hpp"

namespace clusters {
namespace {

constexpr char purpose[] =
    "Groups of points: friends of friends (all that chains of links of a given length connect), or DBSCAN, with their "
    "sizes, centres and members.";

}  // namespace

bool options::reads_lammps() const { return !input.empty() && !input.ends_with(".npy"); }

command_line parse(std::vector<std::string> const& arguments) {
  apps::program<command_line> app("upsweep-clusters", purpose);
  auto& o = app.line.values;
  std::string box, origin, open, how = "friends";
  using apps::number_option, apps::word_option;
  auto* const input = word_option(app, "--input", o.input,
                                  "Points: a LAMMPS data file, plain or .gz, or a NumPy file (n, 3) (.npy)", "FILE");
  word_option(app, "--atom-style", o.atom_style,
              "Atom style of a LAMMPS data file that does not name it: full, \"hybrid charge sphere\"", "STYLE")
      ->needs(input);
  auto* const random =
      word_option(app, "--random", o.random, "Random points instead, one a unit of volume, in a periodic cube",
                  "uniform|clustered")
          ->excludes(input);
  number_option(app, "--points", o.points, apps::from_to<std::int64_t>(1, 2'000'000'000'000), "Number of random points")
      ->needs(random);
  number_option(app, "--seed", o.seed, apps::at_least<std::uint64_t>(0), "Seed of the random points")->needs(random);
  auto* const box_option =
      word_option(app, "--box", box, "Lengths of the periodic box of a NumPy file; none: open, around the points",
                  "X,Y,Z")
          ->needs(input);
  word_option(app, "--origin", origin, "Lower corner of that box; none: 0,0,0", "X,Y,Z")->needs(box_option);
  word_option(app, "--open", open, "Directions in which the box is open: xy", "DIRECTIONS");
  word_option(app, "--method", how, "Friends of friends, or DBSCAN (on one rank)", "friends|dbscan");
  auto* const length =
      number_option(app, "--linking-length", o.length, apps::positive(),
                    "Longest link: the largest distance of friends, DBSCAN's eps; not given: from --spacings");
  length->default_str("");
  number_option(app, "--spacings", o.spacings, apps::positive(),
                "The same in mean spacings of the points, the cube root of the box's volume over their number")
      ->excludes(length);
  auto* const min_points = number_option(app, "--min-points", o.min_points, apps::at_least<std::int64_t>(1),
                                         "DBSCAN: points within the length, itself counted, that make a point a core");
  number_option(app, "--min-members", o.min_members, apps::at_least<std::int64_t>(1),
                "Smaller groups are left out of the catalogue; labels keep them");
  word_option(app, "--catalogue", o.catalogue, "Write labels and groups to this folder, as NumPy files", "FOLDER");
  app.add_flag("--force", o.force,
               "Replace a report, a plot and files of a catalogue, too, that are not of this program")
      ->disable_flag_override();
  word_option(app, "--report", o.report,
              "Write the summary and times to this JSON file; - is standard output, instead of the text", "FILE");
  word_option(app, "--plot", o.plot, "Draw the histogram of sizes to this SVG file (needs gnuplot)", "FILE");
  return app.read(arguments, [&] {
    if (o.input.empty() == o.random.empty())
      throw apps::bad_option("--input", o.input.empty() ? "(none)" : o.input,
                             "either --input FILE or --random uniform|clustered");
    if (!o.random.empty() && o.random != "uniform" && o.random != "clustered")
      throw apps::bad_option("--random", o.random, "uniform or clustered");
    if (!o.atom_style.empty() && !o.reads_lammps())
      throw apps::bad_option("--atom-style", o.atom_style, "no style for a NumPy file");
    if (!box.empty()) {
      if (o.reads_lammps()) throw apps::bad_option("--box", box, "no box for a LAMMPS data file, which has one");
      o.box = apps::three_numbers_in("--box", box, apps::positive());
    }
    if (!origin.empty()) o.origin = apps::three_numbers_in("--origin", origin, apps::any_number());
    o.open = apps::open_directions_in("--open", open);
    if (!open.empty() && !o.input.empty() && !o.reads_lammps() && box.empty())
      throw apps::bad_option("--open", open, "--box, too: without one all directions are open");
    if (how != "friends" && how != "dbscan") throw apps::bad_option("--method", how, "friends or dbscan");
    o.how = how == "friends" ? method::friends : method::dbscan;
    if (o.how == method::friends && min_points->count() > 0)
      throw apps::bad_option("--min-points", std::to_string(o.min_points), "--method dbscan with it");
  });
}

}  // namespace clusters
