// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/options/command_line.hpp"
#include "../support/options/output_options.hpp"
#include "../support/points/points_options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace clusters {

enum class method { friends, dbscan };

/// What the command line asks for.
struct options : apps::points_options, apps::output_options {
  std::string random;  ///< "uniform" or "clustered", where there is no file
  std::int64_t points = 1000000;
  std::uint64_t seed = 1;
  method how = method::friends;
  double length = 0;  ///< 0: from spacings
  double spacings = 0.2;
  std::int64_t min_points = 5;
  std::int64_t min_members = 1;
  std::string catalogue;  ///< folder
  std::string plot;
};

/// The options, or what to say instead of a run.
struct command_line : apps::command_line {
  options values;
};

/// Reads the arguments, without argv[0]. Prints nothing and throws nothing for bad arguments.
command_line parse(std::vector<std::string> const& arguments);

}  // namespace clusters
