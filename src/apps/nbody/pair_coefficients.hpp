// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nbody {

/// What two types of particles have between them.
struct pair_coefficient {
  std::int32_t first = 1, second = 1;  ///< from 1, first <= second
  double epsilon = 1, sigma = 1;
  double cutoff = 0;  ///< 0: that of --cutoff
};

/// Types are at most this, so that a table of all pairs is small.
inline constexpr std::int32_t largest_type = 1000;

/// Reads lines "type type epsilon sigma [cutoff]"; what follows a # is a comment. Each pair of types is given once at
/// most. Throws: input_error "name:line: message (what was expected)".
std::vector<pair_coefficient> read_coefficients(std::string const& name, std::string_view text);

/// Throws input_error unless every type from 1 to the largest has a pair with itself, so that those between types that
/// are not given can be mixed, and no cutoff is above `cutoff`.
void require_complete(std::string const& name, std::vector<pair_coefficient> const& given, double cutoff);

/// The largest type.
std::int32_t types_of(std::vector<pair_coefficient> const& given);

/// The coefficients of all pairs of types, (a - 1) types + b - 1 for a and b. Those that are not given are mixed:
/// sqrt(epsilon epsilon), (sigma + sigma) / 2, and the given cutoff.
std::vector<pair_coefficient> all_pairs(std::vector<pair_coefficient> const& given, double cutoff);

}  // namespace nbody
