// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <filesystem>

namespace upsweep::io::detail {

/// Throws output_error "path: what: the system's reason".
[[noreturn]] void fail_output(std::filesystem::path const& path, char const* what, int code);

/// The folder that holds `path`; "." for a bare name.
std::filesystem::path folder_of(std::filesystem::path const& path);

/// The file to replace when the caller says `path`: symbolic links are followed, to a missing file too.
/// Throws output_error unless that is a writable regular file or nothing in an existing folder.
std::filesystem::path replaceable_target(std::filesystem::path const& path);

/// Writes an open file through to the disk. Also true on file systems that cannot, or need not. Else errno is set.
bool synchronised(int file);

}  // namespace upsweep::io::detail
