// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nbody {

/// The coefficients of one pair of types.
struct pair_coefficient {
  std::int32_t first = 1, second = 1;  ///< from 1, first <= second
  double epsilon = 1, sigma = 1;
  double cutoff = 0;  ///< 0: that of --cutoff
};

/// The largest number of a type. It keeps the table of all pairs small.
inline constexpr std::int32_t largest_type = 1000;

/// Reads lines "type type epsilon sigma [cutoff]"; what follows a # is a comment. Each pair of types is given once at
/// most. Throws: input_error "name:line: message (what was expected)".
std::vector<pair_coefficient> read_coefficients(std::string const& name, std::string_view text);

/// Throws input_error where a type from 1 to the largest has no pair with itself, from which pairs that are not given
/// are mixed, and where a cutoff is above `cutoff`.
void require_complete(std::string const& name, std::vector<pair_coefficient> const& given, double cutoff);

/// The largest type.
std::int32_t types_of(std::vector<pair_coefficient> const& given);

/// The coefficients of all pairs of types; types a and b are at (a - 1) * types + b - 1. Pairs that are not given are
/// mixed: sqrt(epsilon_a epsilon_b), (sigma_a + sigma_b) / 2, and `cutoff`.
std::vector<pair_coefficient> all_pairs(std::vector<pair_coefficient> const& given, double cutoff);

}  // namespace nbody
