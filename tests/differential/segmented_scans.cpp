// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Segmented scans of numbers: by flags, by offsets, by keys.

#include "segmented_case.hpp"

namespace differential {
namespace {

void segmented_sum(trial& t) {
  auto const n = t.size(std::size_t(1) << 20);
  segmented(t, upsweep::plus<int>{}, oracle::random_values<int>(n, -99, 99, static_cast<unsigned>(t.random()())));
}
void segmented_double_sum(trial& t) {
  auto const n = t.size(std::size_t(1) << 19);
  segmented(t, upsweep::plus<double>{}, oracle::random_values<double>(n, -99, 99, static_cast<unsigned>(t.random()())));
}

}  // namespace

std::vector<operation> segmented_scans() {
  return {{"segmented_sum", segmented_sum}, {"segmented_double_sum", segmented_double_sum}};
}

}  // namespace differential
