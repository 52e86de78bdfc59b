// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "output_paths.hpp"

#include <string>
#include <vector>

namespace apps {

/// The name of a program as drawings have it, since gnuplot's titles take no hyphens: upsweep_nbody.
std::string without_hyphens(std::string program);

/// Refuses to replace a file that is not this program's: one that has the program's name, with or without hyphens,
/// nowhere in its first 1024 bytes. A file that does not exist, or is empty, may be written. The message names --force.
/// Throws: output_error.
void require_own_output(place const& output, std::string const& program);

/// Finds out before the work whether an output can be written: it is not there, or can be replaced, and is this
/// program's unless forced. Throws: output_error.
void require_replaceable(place const& output, std::string const& program, bool forced);

/// Finds out before the work what would keep outputs, that of --report among them, from being written: places that are
/// the same, or that of an input or of --config (require_apart), and what is not replaceable. Throws: output_error.
void check_outputs(output_options const& o, std::vector<place> const& inputs, std::vector<place> const& outputs,
                   std::string const& program);

}  // namespace apps
