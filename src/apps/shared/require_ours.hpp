// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "places.hpp"

#include <string>

namespace apps {

/// Refuses to replace a file that is not this program's: one that has `mark`, such as the program's name, nowhere in
/// its first 1024 bytes. A file that does not exist, or is empty, may be written. The message names --force.
/// Throws: output_error.
void require_ours(place const& output, std::string const& mark);

}  // namespace apps
