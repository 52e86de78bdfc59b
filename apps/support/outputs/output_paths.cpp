// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "output_paths.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>

#include <cstddef>

namespace apps {
namespace {

void compare(place const& output, place const& other) {
  if (output.path.empty() || other.path.empty() || !upsweep::same_place(output.path, other.path)) return;
  throw upsweep::output_error(output.option + " " + output.path + ": is the same file as that of " + other.option);
}

}  // namespace

std::vector<place> all_inputs(config_files const& o, std::vector<place> inputs) {
  for (auto const& file : o.config) inputs.push_back({"--config", file});
  return inputs;
}

std::vector<place> all_outputs(output_options const& o, std::vector<place> outputs) {
  outputs.push_back({"--report", o.report_file()});
  return outputs;
}

void require_apart(std::vector<place> const& inputs, std::vector<place> const& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (auto const& input : inputs) compare(outputs[i], input);
    for (std::size_t j = 0; j < i; ++j) compare(outputs[i], outputs[j]);
    compare(outputs[i], {"standard output", "/dev/stdout"});
  }
}

}  // namespace apps
