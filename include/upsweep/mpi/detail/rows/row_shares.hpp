// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/internal/fingerprint.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace upsweep::mpi::detail {

/// Rows of this rank that go to each rank, and rows that come from each, both one behind the other: rows
/// leaving[r] ... leaving[r + 1] - 1 go to rank r. An entry more than ranks.
struct row_ranges {
  std::vector<std::size_t> leaving, arriving;
  /// Whether a row changes its rank, on any rank.
  bool moves = false;
};

/// Where the share of each rank begins when `total` rows are divided by weight, rounded down; the last entry is the
/// total. Weights count as multiples of 2^-32 of the largest. Allocates nothing: begins has an entry more than weights.
/// Pre: weights are finite and not negative, and one is positive.
void divide_rows(std::uint64_t total, std::vector<double> const& weights, std::vector<std::size_t>& begins);

/// Which rows move so that a rank with rows now[rank] ... now[rank + 1] - 1 of all gets then[rank] ... Allocates
/// nothing: the ranges have their lengths.
void cut_ranges(std::vector<std::size_t> const& now, std::vector<std::size_t> const& then, int rank,
                row_ranges& ranges);

struct share_plan {
  row_ranges ranges;
  rank_offset share{};  ///< which rows are this rank's, and how many there are
};

/// The ranges that divide the rows of all ranks by weight, in their order. `local` is what went wrong here before.
/// Collective: one gather, which agrees. Throws on all ranks alike: what failed on one, precondition_error for weights
/// that are not finite, negative, or all 0, and for arguments that differ, overflow_error for more than 2^64 rows.
share_plan plan_shares(communicator const& comm, failure local, internal::fingerprint const& arguments,
                       std::size_t rows, double weight, char const* function);

}  // namespace upsweep::mpi::detail
