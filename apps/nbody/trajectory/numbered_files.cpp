// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "numbered_files.hpp"

#include <upsweep/base/error.hpp>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

namespace nbody {

namespace fs = std::filesystem;

fs::path numbered_file(std::string const& name, std::int64_t step) {
  fs::path path(name);
  auto const suffix = path.extension().string();
  return path.replace_extension("." + std::to_string(step) + suffix);
}

std::optional<std::int64_t> step_in_name(std::string const& name, fs::path const& file) {
  fs::path const path(name);
  auto const start = path.stem().string() + ".", end = path.extension().string(), found = file.filename().string();
  if (found.size() <= start.size() + end.size() || !found.starts_with(start) || !found.ends_with(end)) return {};
  auto const digits = std::string_view(found).substr(start.size(), found.size() - start.size() - end.size());
  std::int64_t step = 0;
  auto const [stop, code] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
  if (code != std::errc{} || stop != digits.data() + digits.size() || digits != std::to_string(step)) return {};
  return step;
}

std::vector<std::int64_t> numbered_files_after(std::string const& name, std::int64_t step) {
  std::vector<std::int64_t> steps;
  fs::path const path(name);
  std::error_code error;
  auto const folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (fs::directory_iterator entry(folder, error), none; !error && entry != none; entry.increment(error))
    if (auto const found = step_in_name(name, entry->path()); found && *found > step) steps.push_back(*found);
  if (error) throw upsweep::output_error(folder.string() + ": cannot be read: " + error.message());
  std::sort(steps.begin(), steps.end());
  return steps;
}

}  // namespace nbody
