// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/options/command_line.hpp"
#include "../support/options/output_options.hpp"
#include "../support/points/points_options.hpp"
#include "forces/pair_coefficients.hpp"

#include <upsweep/mpi/domain.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace nbody {

/// What ranks shall have equal shares of while a run goes on.
enum class balance { none, pairs, time };

/// The words of --pair.
inline bool is_pair(std::string const& word) { return word == "lj" || word == "soft" || word == "own"; }

/// What the command line asks for.
struct options : apps::points_options, apps::output_options {
  std::string lattice;  ///< "fcc", or empty
  std::string restart;  ///< checkpoint to go on from, or empty
  std::array<std::int64_t, 3> cells{0, 0, 0};
  std::string velocities, masses, types, ids;  ///< NumPy files beside that of `input`, or empty
  double density = 0.8442;
  double temperature = 1.44;
  std::uint64_t seed = 1;
  double cutoff = 2.5;
  double skin = 0.3;
  double dt = 0.005;
  std::string pair = "lj";                     ///< or "soft", "own"
  std::string pair_coefficients;               ///< file of `coefficients`, or empty
  std::vector<pair_coefficient> coefficients;  ///< empty: epsilon = sigma = 1 for all types
  bool shift = false;                          ///< energies of pairs are zero at the cutoff
  std::string thermostat = "none";             ///< or "langevin", "rescale"
  double thermostat_temperature = 1;           ///< temperature to keep
  double thermostat_time = 1;                  ///< relaxation time of velocities (langevin) or of the kinetic energy
  std::int64_t steps = 100;
  std::int64_t thermo = 50;
  double max_hours = std::numeric_limits<double>::infinity();  ///< the run ends early after these
  upsweep::mpi::rank_grid ranks_grid{0, 0, 0};
  bool bisect = false;  ///< bricks of a bisection instead of a grid
  balance balanced = balance::none;
  std::int64_t balance_every = 100;  ///< least number of steps between two cuts
  bool overlap = false;              ///< forces of interior rows while positions of ghosts travel
  bool half = false;                 ///< half lists, and forces that go back to the owners of ghosts
  std::string write_list;
  std::string checkpoint;             ///< written at the last step, and every so many steps
  std::int64_t checkpoint_every = 0;  ///< 0: at the last step alone
  std::string trajectory;             ///< file of frames; its suffix says how they are written
  std::int64_t trajectory_every = 0;  ///< steps
  std::string rdf, msd;               ///< files of the radial distribution function and mean squared displacement
  std::int64_t rdf_every = 10, msd_every = 10;
  std::string plot;         ///< drawing of both
  bool keep_going = false;  ///< also when energies are no longer physics (health.hpp)

  std::set<std::string> given;  ///< the options that the command line or the file of --config gives

  bool starts_from_npy() const { return apps::points_format_of(input) == apps::points_format::npy; }
  /// Whether the start's velocities are drawn: a file's remain unless --temperature is given.
  bool draws_velocities() const { return !lattice.empty() || (!input.empty() && given.contains("--temperature")); }
  double list_cutoff() const { return cutoff + skin; }
  /// Whether the input is an extended XYZ file, by its name.
  bool reads_xyz() const;
  /// Whether bricks are those of a bisection.
  bool bisects() const { return bisect || balanced != balance::none; }
};

/// The directions in which a box is not periodic, as --open has them: "xz".
std::string open_letters(std::array<bool, 3> const& periodic);

/// What is wrong with the combination of thermostat options, or an empty text. has_temperature: the temperature to keep
/// was given, on this command line or before the checkpoint.
std::string thermostat_mistake(options const& o, bool has_temperature);

/// What is wrong with --ranks-grid on so many ranks, or an empty text.
std::string ranks_grid_mistake(options const& o, int ranks);

/// The options, or what to say instead of a run.
struct command_line : apps::command_line {
  options values;
};

/// Reads the arguments, without argv[0], and the file of options that they name. Prints nothing and throws nothing for
/// bad arguments.
command_line parse(std::vector<std::string> const& arguments);

}  // namespace nbody
