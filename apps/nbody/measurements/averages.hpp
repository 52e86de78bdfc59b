// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../checkpoint/checkpoint_header.hpp"
#include "../decomposition/neighbors.hpp"
#include "../options.hpp"
#include "../start/run_start.hpp"
#include "msd.hpp"
#include "rdf.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nbody {

/// The averages of a run, --rdf and --msd. A restart goes on with those of the checkpoint. Those that it is not asked
/// for go to its own checkpoints as they are.
class averages {
 public:
  /// Collective; throws on all ranks alike, where the box is open and so has no density for --rdf, too.
  averages(upsweep::mpi::communicator const& comm, space_type const& space, options const& o, run_start const& start);

  /// Whether a step has a sample.
  bool wants(std::int64_t step) const { return wants_rdf(step) || wants_msd(step); }

  /// Takes the samples of a step. Both begin with the first step at which they are asked for. Collective.
  void sample(atoms const& a, neighborhood const& near, upsweep::box<double> const& box, std::int64_t step);

  /// Adds what a restart needs to the header of a checkpoint. Collective.
  void add_to(checkpoint_header& header) const;
  /// The array msd_reference of a checkpoint, or null.
  std::vector<double> const* reference() const {
    if (msd_) return &msd_->reference();
    return idle_msd_.empty() ? nullptr : &idle_reference_;
  }
  /// The options whose averages come from the checkpoint and get no samples.
  std::vector<std::string> idle() const;

  /// Writes the files of --rdf and --msd, and draws --plot. Collective; throws on all ranks alike.
  void write_files(std::int64_t particles, double volume) const;

 private:
  /// last: the step of the last sample, or -1.
  static bool is_due(std::int64_t step, std::int64_t last, std::int64_t every) {
    return last < 0 || (step % every == 0 && last < step);
  }
  bool wants_rdf(std::int64_t step) const { return rdf_ && is_due(step, rdf_->last_step(), options_.rdf_every); }
  bool wants_msd(std::int64_t step) const {
    return msd_ && is_due(step, msd_->rows().empty() ? -1 : msd_->rows().back().step, options_.msd_every);
  }

  upsweep::mpi::communicator comm_;
  options options_;
  std::optional<rdf> rdf_;
  std::optional<msd> msd_;
  // Of the checkpoint, where this run is not asked for them.
  std::optional<rdf_record> idle_rdf_;
  std::vector<msd_row> idle_msd_;
  std::vector<double> idle_reference_;
};

}  // namespace nbody
