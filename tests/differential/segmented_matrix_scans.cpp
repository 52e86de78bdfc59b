// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Segmented scans of matrices. Their product does not commute.

#include "../oracle/monoids.hpp"
#include "segmented_case.hpp"

namespace differential {
namespace {

void segmented_matrices(trial& t) {
  std::vector<oracle::matrix> values(t.size(std::size_t(1) << 18));
  for (auto& m : values) m = oracle::matrix_product{}.lift(static_cast<int>(t.below(1000000)));
  segmented(t, oracle::matrix_product{}, values);
}

}  // namespace

std::vector<operation> segmented_matrix_scans() { return {{"segmented_matrices", segmented_matrices}}; }

}  // namespace differential
