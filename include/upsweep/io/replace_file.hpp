// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace upsweep {

/// Writes a whole file in one step: replace_file("out.json", text) leaves the new contents or, after an error, the old
/// file untouched. The bytes go to a temporary file in the same folder, which is renamed at the end.
/// Throws: output_error naming the file and the system's reason; the temporary file is removed.
void replace_file(std::filesystem::path const& path, std::string_view contents);

/// Creates an empty temporary file beside `path` and returns its name, unused so far: for writers that fill it by other
/// means and rename it themselves.
/// Throws: output_error where the folder does not exist or cannot be written to.
std::filesystem::path make_temporary_beside(std::filesystem::path const& path);

/// Finds out before long work whether `path` could be written, without touching an older file.
/// Throws: output_error naming the file and the system's reason.
void check_writable(std::filesystem::path const& path);

/// Gives a complete temporary file its final name; an older file of that name is replaced.
/// Throws: output_error; the temporary file is removed.
void rename_into_place(std::filesystem::path const& temporary, std::filesystem::path const& path);

}  // namespace upsweep
