// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace study {

/// Something counted, beside what the source of the algorithm says. Absent where it has no meaning or no formula.
struct figure {
  std::optional<std::uint64_t> counted;
  std::optional<double> formula;
};

/// One algorithm at one number of elements.
struct row {
  std::string layer;  ///< "team" or "device"
  std::string algorithm;
  std::uint64_t n = 0;
  figure operations;  ///< calls of the monoid
  figure barriers;    ///< passed by every thread
  figure span;        ///< operations that wait for each other: the longest chain behind any result
  figure scratch_reads, scratch_writes;
  figure reads, writes;  ///< of elements in global memory
  figure launches;
  figure workspace_bytes;
};

using rows = std::vector<row>;

}  // namespace study
