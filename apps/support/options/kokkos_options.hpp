// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <string>
#include <vector>

namespace apps {

/// Finds what Kokkos::initialize would abort for, warn of or misread ("8x" as 8): in words that start with --kokkos-,
/// and in the environment variables of the same meaning. Returns a message that names the mistake, or an empty one.
std::string kokkos_mistake(std::vector<std::string> const& words);

/// Whether the words ask Kokkos for its own help, after which Kokkos::initialize ends the program.
bool asks_kokkos_for_help(std::vector<std::string> const& words);

}  // namespace apps
