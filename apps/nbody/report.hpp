// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "early_end.hpp"
#include "measurements/thermo.hpp"
#include "decomposition/neighbors.hpp"
#include "options.hpp"
#include "phases.hpp"

#include <upsweep/mpi/communicator.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace nbody {

/// One number a rank, over ranks.
struct spread {
  double min = 0, mean = 0, max = 0;

  /// How much longer the ranks take for the one that has most: 1 is balanced, and so is nothing at all.
  double imbalance() const { return mean > 0 ? max / mean : 1; }
};

/// What a run found and what it took.
struct results {
  std::int64_t particles = 0;
  std::int64_t steps = 0;             ///< done by this run
  std::int64_t last_step = 0;         ///< after the last one
  end_cause cause = end_cause::none;  ///< why that is not the step of --steps
  std::string transport;              ///< how messages travel between ranks
  std::vector<thermo_row> thermo;
  std::vector<list_summary> lists;
  std::int64_t rebuilds = 0;
  std::uint64_t state = 0;  ///< hash of positions and velocities after the last step (state_hash.hpp)
  std::array<spread, phase_names.size()> phases{};
  spread owned, ghosts, pairs;  ///< of the last list, a rank
  std::int64_t cuts = 0;        ///< how often the box was cut for balance
  spread loop;                  ///< all time steps, without start and output
};

/// The spread of one number a rank. Collective.
spread over_ranks(upsweep::mpi::communicator const& comm, double mine);

std::string thermo_header();
std::string to_line(thermo_row const& row);
std::string to_line(list_summary const& list);
/// The hash of the state after the last step.
std::string state_text(results const& r);
/// Why the run ended early and how it goes on, as a line; empty where it did not.
std::string end_text(results const& r, options const& o);
/// Seconds, steps a second and rebuilds, as lines for people.
std::string timing_text(results const& r, options const& o);

/// The report of --report.
std::string to_json(results const& r, options const& o, upsweep::mpi::communicator const& comm,
                    upsweep::mpi::rank_grid const& grid);

}  // namespace nbody
