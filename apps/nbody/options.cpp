// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "options.hpp"

#include "../support/options/options.hpp"
#include "../support/options/output_words.hpp"
#include "../support/points/points_words.hpp"
#include "trajectory/h5md_file.hpp"
#include "trajectory/trajectory_format.hpp"

namespace nbody {
namespace {

constexpr char purpose[] =
    "Molecular dynamics in reduced units on MPI ranks: a neighbour list with skin, velocity Verlet, Lennard-Jones or "
    "other pairs, constant energy or a thermostat.";

/// "4,2,1" as three integers.
std::array<std::int64_t, 3> three(std::string const& words, std::string const& option, std::int64_t least) {
  auto const refuse = [&] {
    throw apps::bad_option(option, words,
                           "three integers from " + std::to_string(least) + " to 1000000, such as 4,2,1");
  };
  auto const parts = apps::split(words, ',');
  if (parts.size() != 3) refuse();
  std::array<std::int64_t, 3> result{};
  for (std::size_t d = 0; d < 3; ++d) {
    auto const number = apps::read_number<std::int64_t>(parts[d]);
    if (!number || *number < least || *number > 1'000'000) refuse();
    result[d] = *number;
  }
  return result;
}

}  // namespace

bool options::reads_xyz() const { return apps::points_format_of(input) == apps::points_format::extended_xyz; }

std::string open_letters(std::array<bool, 3> const& periodic) {
  std::string letters;
  for (std::size_t d = 0; d < 3; ++d)
    if (!periodic[d]) letters += "xyz"[d];
  return letters;
}

std::string thermostat_mistake(options const& o, bool has_temperature) {
  auto const given = [&](char const* option) { return o.given.contains(option); };
  bool const kept = o.thermostat != "none";
  for (auto const* option : {"--thermostat-temperature", "--thermostat-time"})
    if (given(option) && !kept) return std::string(option) + ": expected --thermostat langevin or rescale, too";
  if (kept && !has_temperature) return "--thermostat " + o.thermostat + ": expected --thermostat-temperature, too";
  if (given("--seed") && !o.draws_velocities() && !kept)
    return "--seed " + std::to_string(o.seed) + ": expected --lattice, --temperature or --thermostat, too";
  return {};
}

std::string ranks_grid_mistake(options const& o, int ranks) {
  std::int64_t bricks = 1;  // without those that are chosen; no number is above 10^6 (three)
  bool chooses = false;
  for (int const n : o.ranks_grid) {
    if (n == 0) chooses = true;
    else bricks *= n;
  }
  if (bricks == ranks || (chooses && ranks % bricks == 0)) return {};
  auto const words =
      std::to_string(o.ranks_grid[0]) + "," + std::to_string(o.ranks_grid[1]) + "," + std::to_string(o.ranks_grid[2]);
  return "--ranks-grid " + words + ": expected as many bricks as ranks, " + std::to_string(ranks) +
         " (a 0 is chosen, where the others divide it)";
}

command_line parse(std::vector<std::string> const& arguments) {
  apps::program<command_line> app("upsweep-nbody", purpose);
  auto& o = app.line.values;
  std::string cells, grid, balanced;
  using apps::number_option, apps::word_option;
  apps::points_words points(app, o, {.needs_box = true});
  auto* const input = points.input_option;
  auto* const lattice =
      word_option(app, "--lattice", o.lattice, "Start from a lattice instead", "fcc")->excludes(input);
  auto* const restart =
      word_option(app, "--restart", o.restart,
                  "Go on from this checkpoint; --steps counts from the first start, other options may be given again",
                  "FILE")
          ->excludes(input, lattice);
  word_option(app, "--velocities", o.velocities, "Velocities of a NumPy start: a .npy array (n, 3); none: 0", "FILE")
      ->needs(input);
  word_option(app, "--masses", o.masses, "Masses of a NumPy start, above 0: a .npy array of n numbers; none: 1", "FILE")
      ->needs(input);
  word_option(app, "--types", o.types, "Types of a NumPy start, from 1: a .npy array of n integers; none: 1", "FILE")
      ->needs(input);
  word_option(app, "--ids", o.ids,
              "Ids of a NumPy start, each once, by which particles are ordered: a .npy array of n integers; none: the "
              "order of the file",
              "FILE")
      ->needs(input);
  word_option(app, "--cells", cells, "Unit cells of the lattice in x, y, z: 20,20,20", "A,B,C")->needs(lattice);
  number_option(app, "--density", o.density, apps::positive(), "Particles a volume of the lattice")->needs(lattice);
  number_option(app, "--temperature", o.temperature, apps::not_negative(),
                "Temperature at which velocities of the start are drawn; none: 1.44 for a lattice, else "
                "those of the file")
      ->excludes(restart);
  number_option(app, "--seed", o.seed, apps::at_least<std::uint64_t>(0),
                "Seed of the start's velocities and of a thermostat's noise");
  number_option(app, "--cutoff", o.cutoff, apps::reach(), "Range of the force");
  number_option(app, "--skin", o.skin, apps::not_negative(), "How much farther the neighbour list reaches");
  number_option(app, "--dt", o.dt, apps::positive(), "Time step");
  word_option(app, "--pair", o.pair,
              "Lennard-Jones, soft spheres 1 / r^12, or the pair of apps/nbody/forces/own_pair.hpp", "lj|soft|own");
  word_option(app, "--pair-coefficients", o.pair_coefficients,
              "Read lines \"type type epsilon sigma [cutoff]\"; pairs of types that are not given are mixed", "FILE");
  app.add_flag("--shift", o.shift, "Shift energies of pairs so that they are zero at the cutoff; forces stay the same")
      ->disable_flag_override();
  word_option(app, "--thermostat", o.thermostat,
              "Keep a temperature: by friction and noise on each particle, or by a random factor of all velocities",
              "none|langevin|rescale");
  number_option(app, "--thermostat-temperature", o.thermostat_temperature, apps::not_negative(), "Temperature to keep");
  number_option(app, "--thermostat-time", o.thermostat_time, apps::positive(),
                "Relaxation time of velocities (langevin) or of the kinetic energy (rescale)");
  number_option(app, "--steps", o.steps, apps::at_least<std::int64_t>(0), "Number of steps");
  number_option(app, "--thermo", o.thermo, apps::at_least<std::int64_t>(0),
                "Steps between lines of the table; 0: first and last only");
  number_option(app, "--max-hours", o.max_hours, apps::positive(),
                "End early, as after SIGTERM, at the first step that is done later than this after the start");
  auto* const ranks_grid = word_option(app, "--ranks-grid", grid, "Ranks along x, y, z: 2,2,1; a 0 is chosen", "A,B,C");
  app.add_flag("--bisect", o.bisect,
               "Bricks with equal numbers of particles at the start, by recursive bisection, instead of a grid")
      ->disable_flag_override()
      ->excludes(ranks_grid);
  auto* const balance_option =
      word_option(app, "--balance", balanced,
                  "Bisect, and again while the run goes on: equal numbers of pairs, or equal times of the force loop",
                  "pairs|time")
          ->excludes(ranks_grid);
  number_option(app, "--balance-every", o.balance_every, apps::at_least<std::int64_t>(1),
                "Steps after which the box is cut again, at the next rebuild of the list")
      ->needs(balance_option);
  apps::add_output_words(app, o, "; a trajectory that exists already, too, if it is not that of --restart");
  auto* const write_list = word_option(
      app, "--write-list", o.write_list,
      "Write the last step's neighbour list to offsets.npy, neighbors.npy and images.npy in this folder", "FOLDER");
  auto* const half =
      app.add_flag(
             "--half", o.half,
             "Compute each pair once, from half lists, and send forces on ghosts back; positions and velocities are "
             "the same bits")
          ->disable_flag_override()
          ->excludes(write_list);
  app.add_flag("--overlap", o.overlap, "Compute rows without ghosts while positions of ghosts travel")
      ->disable_flag_override()
      ->excludes(half);
  auto* const checkpoint = word_option(
      app, "--checkpoint", o.checkpoint,
      "Write what --restart needs to this file at the last step; the one before is kept as FILE.previous", "FILE");
  number_option(app, "--checkpoint-every", o.checkpoint_every, apps::at_least<std::int64_t>(1),
                "Steps after which it is written, too")
      ->needs(checkpoint);
  auto* const trajectory = word_option(
      app, "--trajectory", o.trajectory,
      "Write frames to this file: .xyz or .extxyz (extended XYZ), .dump or .lammpstrj (LAMMPS), .vtk (a file a frame), "
      ".h5 or .h5md (H5MD, a file a checkpoint)",
      "FILE");
  auto* const trajectory_every = number_option(app, "--trajectory-every", o.trajectory_every,
                                               apps::at_least<std::int64_t>(1), "Steps between frames");
  trajectory->needs(trajectory_every);
  trajectory_every->needs(trajectory);
  auto* const rdf =
      word_option(app, "--rdf", o.rdf, "Write the radial distribution function up to the cutoff to this file", "FILE");
  number_option(app, "--rdf-every", o.rdf_every, apps::at_least<std::int64_t>(1), "Steps between its samples")
      ->needs(rdf);
  auto* const msd = word_option(app, "--msd", o.msd, "Write the mean squared displacement to this file", "FILE");
  number_option(app, "--msd-every", o.msd_every, apps::at_least<std::int64_t>(1), "Steps between its samples")
      ->needs(msd);
  word_option(app, "--plot", o.plot, "Draw --rdf and --msd to this SVG file (needs gnuplot)", "FILE");
  app.add_flag(
         "--keep-going", o.keep_going,
         "Go on where energies are no finite numbers (null in the report) or have grown to 1000 times their start, as "
         "long as particles have places in the box")
      ->disable_flag_override();
  app.footer(
      "A file of --config has lines such as cutoff = 2.5, cells = [10, 10, 10] and half = true. "
      "Options that start with --kokkos- go to Kokkos. Numbers are plain decimals. Exit codes: 0 good, 2 bad input or "
      "unwritable output.");
  app.lacks = [&]() -> std::string {
    if (input->count() + lattice->count() + restart->count() > 0) return {};
    return "--input (none): expected either --input FILE or --lattice fcc --cells a,b,c, or --restart FILE";
  };
  return app.read(arguments, [&] {
    for (auto const* option : app.get_options())
      if (option->count() > 0) o.given.insert(option->get_name());
    // A file that describes a start without a thermostat has its seed for the start.
    if (!o.restart.empty() && app.from_file->left_some_out() && app.from_file->gives("--seed") &&
        o.thermostat == "none") {
      o.given.erase("--seed");
      app.from_file->leave_out("--seed");
    }
    points.finish();
    if (!o.starts_from_npy())
      for (auto const* option : {"--velocities", "--masses", "--types", "--ids"})
        if (o.given.contains(option))
          throw apps::bad_option(std::string(option) + ": expected a NumPy file (.npy) at --input, others have all");
    if (o.given.contains("--temperature") && !o.velocities.empty())
      throw apps::bad_option("--temperature: expected no --velocities, too");
    if (!o.lattice.empty()) {
      if (o.lattice != "fcc") throw apps::bad_option("--lattice", o.lattice, "fcc");
      o.cells = three(cells, "--cells", 1);
    }
    if (o.thermostat != "none" && o.thermostat != "langevin" && o.thermostat != "rescale")
      throw apps::bad_option("--thermostat", o.thermostat, "none, langevin or rescale");
    if (o.restart.empty()) {  // else the checkpoint may have what is missing here
      auto const mistake = thermostat_mistake(o, o.given.contains("--thermostat-temperature"));
      if (!mistake.empty()) throw apps::bad_option(mistake);
    }
    if (!is_pair(o.pair)) throw apps::bad_option("--pair", o.pair, "lj, soft or own");
    if (!balanced.empty()) {
      if (balanced != "pairs" && balanced != "time") throw apps::bad_option("--balance", balanced, "pairs or time");
      o.balanced = balanced == "pairs" ? balance::pairs : balance::time;
      if (o.half && o.balanced == balance::time)
        throw apps::bad_option("--balance", balanced,
                               "pairs with --half, whose ranks wait for each other in the force loop");
    }
    if (!o.trajectory.empty() && format_of(o.trajectory) == trajectory_format::none)
      throw apps::bad_option("--trajectory", o.trajectory,
                             "a name with .xyz, .extxyz, .dump, .lammpstrj, .vtk, .h5 or .h5md");
    if (format_of(o.trajectory) == trajectory_format::h5md && !has_hdf5())
      throw apps::bad_option("--trajectory", o.trajectory,
                             "a name with .xyz, .extxyz, .dump, .lammpstrj or .vtk: built without HDF5");
    if (!o.plot.empty() && o.rdf.empty() && o.msd.empty())
      throw apps::bad_option("--plot " + o.plot + ": expected --rdf or --msd, too");
    apps::require_use_of_force(
        o, !o.write_list.empty() || !o.rdf.empty() || !o.msd.empty() || !o.checkpoint.empty() || !o.trajectory.empty());
    if (!grid.empty()) {
      auto const wanted = three(grid, "--ranks-grid", 0);
      for (std::size_t d = 0; d < 3; ++d) o.ranks_grid[d] = static_cast<int>(wanted[d]);
    }
  });
}

}  // namespace nbody
