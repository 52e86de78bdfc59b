// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>
#include <vector>

namespace nbody {

/// The length of a trajectory when a checkpoint was written, and the checksum by which a restart knows the file.
struct trajectory_record {
  std::uint64_t bytes = 0;           ///< in the file, or in the last of `files`
  std::uint64_t last_frame_at = 0;   ///< where the last frame begins; with `files` 0
  std::uint32_t last_checksum = 0;   ///< CRC-32 of the last frame, or of the last of `files`
  std::vector<std::int64_t> frames;  ///< their steps
  std::vector<std::int64_t> files;   ///< VTK and H5MD: the step of the first frame in each file
};

}  // namespace nbody
