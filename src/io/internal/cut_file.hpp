// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>
#include <filesystem>

namespace upsweep::internal {

/// Makes the file if it does not exist, else cuts it to `size` bytes, and waits for the disk. Links are followed.
/// Throws: output_error for what file_replacement refuses, and for a file of fewer bytes.
void cut_file(std::filesystem::path const& path, std::uint64_t size);

}  // namespace upsweep::internal
