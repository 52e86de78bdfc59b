// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/detail/agree_and_scan/find_heads.hpp>
#include <upsweep/mpi/detail/agree_and_scan/gather_states.hpp>
#include <upsweep/mpi/detail/agree_and_scan/segment_marks.hpp>

#include <cstddef>
#include <cstring>

namespace upsweep::mpi::detail {

// Runs of equal neighbours that cross the borders of ranks. A run belongs to the rank where it begins.

/// What other ranks learn of the runs of one: whether it has elements, and its first and last one.
template <class Ends>
struct run_ends {
  bool has_elements;
  Ends ends;
};

/// The record of a rank, of the type that all ranks gave.
template <class Record>
Record record_of(gathered_states const& all, int rank, Record const& like) {
  Record result = like;
  std::memcpy(static_cast<void*>(&result), all.first + static_cast<std::size_t>(rank) * all.stride, sizeof(result));
  return result;
}

/// Whether this rank's first element belongs to a run that begins on a rank below.
template <class Record, class Marks>
bool goes_on_from_below(gathered_states const& all, int rank, Record const& mine, Marks const& marks) {
  if (!mine.has_elements) return false;
  for (int r = rank - 1; r >= 0; --r) {
    Record const before = record_of(all, r, mine);
    if (before.has_elements) return marks.goes_on(before.ends, mine.ends);
  }
  return false;
}

}  // namespace upsweep::mpi::detail
