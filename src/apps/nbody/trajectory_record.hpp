// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>
#include <vector>

namespace nbody {

/// The length of a trajectory when a checkpoint was written, and the checksum by which a restart knows the file.
struct trajectory_record {
  std::uint64_t bytes = 0;           ///< in the file; 0: one file per frame
  std::uint64_t last_frame_at = 0;   ///< where the last frame begins
  std::uint32_t last_checksum = 0;   ///< CRC-32 of the last frame
  std::vector<std::int64_t> frames;  ///< their steps
};

}  // namespace nbody
