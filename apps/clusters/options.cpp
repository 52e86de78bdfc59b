// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "options.hpp"

#include "../support/options/options.hpp"
#include "../support/options/output_words.hpp"
#include "../support/points/points_words.hpp"

namespace clusters {
namespace {

constexpr char purpose[] =
    "Groups of points: friends of friends (all that chains of links of a given length connect), or DBSCAN, with their "
    "sizes, centres and members.";

}  // namespace

command_line parse(std::vector<std::string> const& arguments) {
  apps::program<command_line> app("upsweep-clusters", purpose);
  auto& o = app.line.values;
  std::string how = "friends";
  using apps::number_option, apps::word_option;
  apps::points_words points(app, o);
  auto* const random =
      word_option(app, "--random", o.random, "Random points instead, one a unit of volume, in a periodic cube",
                  "uniform|clustered")
          ->excludes(points.input_option);
  number_option(app, "--points", o.points, apps::from_to<std::int64_t>(1, 2'000'000'000'000), "Number of random points")
      ->needs(random);
  number_option(app, "--seed", o.seed, apps::at_least<std::uint64_t>(0), "Seed of the random points")->needs(random);
  word_option(app, "--method", how, "Friends of friends, or DBSCAN (on one rank)", "friends|dbscan");
  auto* const length =
      number_option(app, "--linking-length", o.length, apps::reach(),
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
  apps::add_output_words(app, o);
  word_option(app, "--plot", o.plot, "Draw the histogram of sizes to this SVG file (needs gnuplot)", "FILE");
  return app.read(arguments, [&] {
    if (o.input.empty() == o.random.empty())
      throw apps::bad_option("--input", o.input.empty() ? "(none)" : o.input,
                             "either --input FILE or --random uniform|clustered");
    if (!o.random.empty() && o.random != "uniform" && o.random != "clustered")
      throw apps::bad_option("--random", o.random, "uniform or clustered");
    points.finish();
    apps::require_use_of_force(o, !o.catalogue.empty() || !o.plot.empty());
    if (how != "friends" && how != "dbscan") throw apps::bad_option("--method", how, "friends or dbscan");
    o.how = how == "friends" ? method::friends : method::dbscan;
    if (o.how == method::friends && min_points->count() > 0)
      throw apps::bad_option("--min-points", std::to_string(o.min_points), "--method dbscan with it");
  });
}

}  // namespace clusters
