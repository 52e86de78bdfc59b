// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace nbody {

// Files of a trajectory that is not one file: melt.100.vtk for melt.vtk and step 100.

std::filesystem::path numbered_file(std::string const& name, std::int64_t step);

/// The step in the file's name, if it is one of these names. A number that is spelt differently, as in melt.007.vtk, is
/// not. Folders do not count.
std::optional<std::int64_t> step_in_name(std::string const& name, std::filesystem::path const& file);

/// The steps after `step` of which there are files beside `name`, ascending. Throws: output_error, where the folder
/// cannot be read.
std::vector<std::int64_t> numbered_files_after(std::string const& name, std::int64_t step);

}  // namespace nbody
