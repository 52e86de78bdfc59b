// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "output_paths.hpp"

#include <string>
#include <vector>

namespace apps {

/// Makes the folder where it does not exist, and finds out whether `files` can be written there. NumPy files do not say
/// whose they are, so the last of the files is a summary that names the program: others are replaced where it is beside
/// them, or if forced. Throws: output_error.
void prepare_folder(place const& folder, std::vector<std::string> const& files, std::string const& program,
                    bool forced);

}  // namespace apps
