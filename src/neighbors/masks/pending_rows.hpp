// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "sorted_candidates.hpp"

#include <upsweep/neighbors/detail/masks/hits.hpp>

#include <algorithm>

namespace upsweep::neighbors::detail {

/// Pieces of rows before they are written: some dozens are put together in the nearest cache, and copied one behind the
/// other. A processor that copies a row right after it was made waits: it reads what it has just stored in other
/// pieces; and where rows are streamed, stores to caches wait behind those to memory. 256,000 doubles, one core of an
/// EPYC with Zen 5, emission: 29 ms where each row is streamed at once, 24 with 4 rows, 21 with 8, 19 with those of a
/// group (2026-11-28).
template <class Real>
class pending_rows {
 public:
  pending_rows(cpu_hit_kernels<Real> const& kernels, bool streams) : kernels_(kernels), streams_(streams) {}

  /// Where the next piece, or what is needed for it, is made: there is room for the most candidates that are selected
  /// from, and 32 more.
  int* next() {
    if (used_ > burst || pieces_ == most_pieces) flush();
    return made_ + used_;
  }
  /// The n numbers at next() go to `to`.
  void add(int n, int* to) {
    piece_[pieces_++] = {to, n};
    used_ += n;
  }
  void flush() {
    int const* from = made_;
    for (int k = 0; k < pieces_; from += piece_[k++].n) {
      if (streams_) kernels_.stream(from, piece_[k].n, piece_[k].to);
      else std::copy(from, from + piece_[k].n, piece_[k].to);
    }
    pieces_ = used_ = 0;
  }

 private:
  static constexpr int burst = 4096, most_pieces = 128;
  struct piece {
    int* to;
    int n;
  };

  cpu_hit_kernels<Real> const& kernels_;
  bool streams_;
  int pieces_ = 0, used_ = 0;
  piece piece_[most_pieces];
  int made_[burst + sorted_candidates<Real>::most + 32];
};

}  // namespace upsweep::neighbors::detail
