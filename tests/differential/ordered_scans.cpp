// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Scans of operations whose operands may not change places.

#include "../oracle/monoids.hpp"
#include "operations.hpp"
#include "scan_case.hpp"

namespace differential {
namespace {

std::vector<oracle::matrix> matrices(trial& t) {
  std::vector<oracle::matrix> values(t.size(std::size_t(1) << 19));
  for (auto& m : values) {
    auto const number = [&] { return static_cast<std::uint32_t>(t.below(oracle::matrix_product::p)); };
    m = {number(), number(), number(), number()};
  }
  return values;
}
void matrix_product(trial& t) { scan_case<oracle::matrix>(t, oracle::matrix_product{}, matrices(t), {2, 1, 7, 4}); }
void matrix_product_strided(trial& t) {
  scan_case<oracle::matrix>(t, oracle::matrix_product{}, matrices(t), {2, 1, 7, 4}, true);
}
void adjacent_runs(trial& t) {
  std::vector<oracle::run> values(t.size(std::size_t(1) << 19));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = {std::int64_t(i) + 1, std::int64_t(i) + 2};
  scan_case<oracle::run>(t, oracle::adjacent_only{}, values, {0, 1});
}
void affine_maps(trial& t) {
  auto const values = oracle::random_values<std::uint64_t>(t.size(std::size_t(1) << 20), 0, 1 << 30,
                                                           static_cast<unsigned>(t.random()()));
  scan_case<std::uint64_t>(t, oracle::affine_composition{}, values, {3, 5});
}

}  // namespace

std::vector<operation> ordered_scans() {
  return {{"matrix_product", matrix_product},
          {"matrix_product_strided", matrix_product_strided},
          {"adjacent_runs", adjacent_runs},
          {"affine_maps", affine_maps}};
}

}  // namespace differential
