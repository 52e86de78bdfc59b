// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "atoms.hpp"
#include "averages_record.hpp"

#include <upsweep/mpi/communicator.hpp>
#include <upsweep/neighbors/box.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace nbody {

/// The mean of squared distances from where particles were first, edges of the box that wrapping took off counted. The
/// first positions lie in order of ids in memory of the host, 24 bytes per particle, and those of a sample
/// are brought into this order: about the cost of a frame of a trajectory. The same bits on any number of ranks.
class msd {
 public:
  msd(upsweep::mpi::communicator const& comm, space_type const& space, std::int64_t particles)
      : comm_(comm), space_(space), particles_(particles) {}

  /// Goes on from a checkpoint. Local.
  void resume(std::vector<msd_row> rows, std::vector<double> reference) {
    rows_ = std::move(rows);
    reference_ = std::move(reference);
  }

  /// Takes the first sample's positions, of which the displacement is 0, or a later one's. Collective; throws on all
  /// ranks alike.
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
