// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "checkpoint_header.hpp"
#include "msd.hpp"
#include "neighbors.hpp"
#include "options.hpp"
#include "rdf.hpp"
#include "run_start.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nbody {

/// The averages of a run, --rdf and --msd. A restart goes on with those of the checkpoint.
class averages {
 public:
  /// Collective; throws on all ranks alike.
  averages(upsweep::mpi::communicator const& comm, space_type const& space, options const& o, run_start const& start);

  /// Whether a step has a sample.
  bool wants(std::int64_t step) const { return wants_rdf(step) || wants_msd(step); }

  /// Takes the samples of a step. The radial distribution function skips the first step, which is no equilibrium; the
  /// displacement begins there. Collective.
  void sample(atoms const& a, neighborhood const& near, std::int64_t step);

  /// Adds what a restart needs to the header of a checkpoint. Collective.
  void add_to(checkpoint_header& header) const;
  /// The array msd_reference of a checkpoint, or null.
  std::vector<double> const* reference() const { return msd_ ? &msd_->reference() : nullptr; }

  /// Writes the files of --rdf and --msd, and draws --plot. Collective; throws on all ranks alike.
  void write_files(std::int64_t particles, double volume) const;

 private:
  bool wants_rdf(std::int64_t step) const { return rdf_ && step > first_step_ && step % options_.rdf_every == 0; }
  bool wants_msd(std::int64_t step) const {
    return msd_ && (msd_->rows().empty() || (step % options_.msd_every == 0 && msd_->rows().back().step < step));
  }

  upsweep::mpi::communicator comm_;
  options options_;
  std::int64_t first_step_;
  std::optional<rdf> rdf_;
  std::optional<msd> msd_;
};

}  // namespace nbody
