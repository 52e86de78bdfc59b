// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "trial.hpp"

#include <string>
#include <vector>

namespace differential {

/// A kind of call. It makes its arguments from the trial's random numbers, calls the library, and throws `mismatch`
/// where the result differs from the oracle's.
struct operation {
  std::string name;
  void (*run)(trial&);
};

std::vector<operation> arithmetic_scans();
std::vector<operation> ordered_scans();
std::vector<operation> segmented_scans();
std::vector<operation> segmented_matrix_scans();
std::vector<operation> batched_scans();
std::vector<operation> scans_for_each();
std::vector<operation> reductions();
std::vector<operation> segment_reductions();
std::vector<operation> selections();
std::vector<operation> flagged_selections();
std::vector<operation> in_place();
std::vector<operation> runs();
std::vector<operation> sorts();
std::vector<operation> packings();
std::vector<operation> unique_rows();

}  // namespace differential
