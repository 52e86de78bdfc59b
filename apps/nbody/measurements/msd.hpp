// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../atoms.hpp"
#include "averages_record.hpp"

#include <upsweep/mpi/communicator.hpp>
#include <upsweep/neighbors/box.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace nbody {

/// The mean squared displacement of particles from their first positions, unwrapped. The first positions stay in host
/// memory in order of ids, 24 bytes per particle. A sample brings positions into this order, as a frame of a trajectory
/// does. The same bits on any number of ranks.
class msd {
 public:
  msd(upsweep::mpi::communicator const& comm, space_type const& space, std::int64_t particles)
      : comm_(comm), space_(space), particles_(particles) {}

  /// Goes on from a checkpoint. Local.
  void resume(std::vector<msd_row> rows, std::vector<double> reference) {
    rows_ = std::move(rows);
    reference_ = std::move(reference);
  }

  /// Adds a row. The first sample keeps the positions as the reference, and its displacement is 0. Collective; throws
  /// on all ranks alike.
  void sample(atoms const& a, upsweep::box<double> const& box, std::int64_t step);

  std::vector<msd_row> const& rows() const { return rows_; }
  /// The first positions of this rank's even range of ids.
  std::vector<double> const& reference() const { return reference_; }

 private:
  upsweep::mpi::communicator comm_;
  space_type space_;
  std::int64_t particles_;
  std::vector<msd_row> rows_;
  std::vector<double> reference_;
};

/// Lines "step time msd".
std::string msd_text(std::vector<msd_row> const& rows, double dt);

}  // namespace nbody
