// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "candidates.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace upsweep::neighbors::detail {

/// The gathered candidates of a group as rows name them: by their indices and, where asked for, by their images, each
/// as one word. Without `Kept` it has no memory for them.
template <bool Kept = true>
struct candidate_names {
  int index[Kept ? cpu_padded_chunk : 1];
  int shift[Kept ? cpu_padded_chunk : 1];
  bool shifted = false;  ///< some are not image(0, 0, 0)

  // Not an aggregate, whose initialisation would clear all of it.
  candidate_names() {}

  /// n particles of a run, from place k on, become candidates behind `fill` others.
  template <class Real, class Systems>
  void add(binned_particles<Real, Systems> const& p, candidate_run const& run, int k, int n, int fill, bool imaged) {
    if (p.first_candidate == 0) std::copy(p.order + k, p.order + k + n, index + fill);
    else std::transform(p.order + k, p.order + k + n, index + fill, [&](int j) { return j - p.first_candidate; });
    if (!imaged) return;
    static_assert(sizeof(image) == sizeof(int));
    if (p.images != nullptr) {
      std::memcpy(shift + fill, p.images + k, sizeof(int) * static_cast<std::size_t>(n));
      shifted = true;
    } else {
      int word;
      std::memcpy(&word, &run.shift, sizeof word);
      std::fill_n(shift + fill, n, word);
      shifted = shifted || !(run.shift == image(0, 0, 0));
    }
  }
};

}  // namespace upsweep::neighbors::detail
