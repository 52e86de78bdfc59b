// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/phase_times.hpp"
#include "inputs.hpp"
#include "measure.hpp"
#include "options.hpp"

#include <string>

namespace surface {

/// What a run has found.
struct results {
  surface::grid grid;
  bool single = false;  ///< values and vertices are float
  value_range range;
  measures measured;
  apps::phase_times extraction, rest;
};

/// For people.
std::string table(results const& r, options const& o);
std::string json(results const& r, options const& o);

}  // namespace surface
