// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "output_folder.hpp"

#include "require_own_output.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>

#include <filesystem>
#include <system_error>

namespace apps {

void prepare_folder(place const& folder, std::vector<std::string> const& files, std::string const& program,
                    bool forced) {
  namespace fs = std::filesystem;
  fs::path const path = folder.path;
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw upsweep::output_error(path.string() + ": cannot be made: " + error.message());
  auto const summary = path / files.back();
  for (auto const& name : files) {
    if (!forced && fs::exists(path / name, error)) {
      if (!fs::exists(summary, error))
        throw upsweep::output_error(folder.option + " " + (path / name).string() + ": exists, without a " +
                                    files.back() + " beside it (--force replaces it)");
      require_own_output({folder.option, summary.string()}, program);
    }
    upsweep::check_writable(path / name);
  }
}

}  // namespace apps
