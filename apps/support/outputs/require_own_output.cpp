// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "require_own_output.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace apps {

std::string without_hyphens(std::string program) {
  std::replace(program.begin(), program.end(), '-', '_');
  return program;
}

void require_own_output(place const& output, std::string const& program) {
  std::error_code error;
  // Other kinds of files are refused when they are replaced.
  if (output.path.empty() || !std::filesystem::is_regular_file(output.path, error)) return;
  std::ifstream file(output.path, std::ios::binary);
  std::string start(1024, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  if (start.empty() && file.eof()) return;
  if (start.find(program) == std::string::npos && start.find(without_hyphens(program)) == std::string::npos)
    throw upsweep::output_error(output.option + " " + output.path + ": exists, and is no file of " + program +
                                " (--force replaces it)");
}

void require_replaceable(place const& output, std::string const& program, bool forced) {
  if (output.path.empty()) return;
  if (!forced) require_own_output(output, program);
  upsweep::check_writable(output.path);
}

void check_outputs(output_options const& o, std::vector<place> const& inputs, std::vector<place> const& outputs,
                   std::string const& program) {
  auto const all = all_outputs(o, outputs);
  require_apart(all_inputs(o, inputs), all);
  for (auto const& output : all) require_replaceable(output, program, o.force);
}

}  // namespace apps
