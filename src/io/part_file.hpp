// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <filesystem>

namespace upsweep::io::detail {

/// A part file, open for writing and locked. The lock shows other processes that its writer lives.
struct part_file {
  std::filesystem::path path;
  int file = -1;
};

/// Creates a part file for `target` in its folder. `named` is the caller's name of the target, for messages.
/// Throws output_error.
part_file create_part(std::filesystem::path const& target, std::filesystem::path const& named);

/// Removes the part files of `target` whose writers are gone. Part files that a process still writes are left, and so
/// are those on file systems without locks, where nothing shows that. Errors are ignored: the parts are only litter.
void remove_stale_parts(std::filesystem::path const& target) noexcept;

}  // namespace upsweep::io::detail
