// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../options/output_options.hpp"

#include <string>
#include <vector>

namespace apps {

/// A file that an option names.
struct place {
  std::string option;
  std::string path;  ///< empty: the option was not given
};

/// All that a run reads: these files, and those of --config.
std::vector<place> all_inputs(config_files const& o, std::vector<place> inputs);

/// All that a run writes: these files, and that of --report.
std::vector<place> all_outputs(output_options const& o, std::vector<place> outputs);

/// Refuses a run that would write one file twice, or write what it reads: two outputs at one place, an output where an
/// input is, an output where standard output goes. Names of one place can differ: links and relative paths are
/// followed.
/// Throws: output_error that names both.
void require_apart(std::vector<place> const& inputs, std::vector<place> const& outputs);

}  // namespace apps
