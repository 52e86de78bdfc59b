// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/mpi/detail/agree_and_scan/gather_states.hpp>
#include <upsweep/mpi/detail/rows/row_shares.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

namespace upsweep::mpi::detail {

void divide_rows(std::uint64_t total, std::vector<double> const& weights, std::vector<std::size_t>& begins) {
  __extension__ typedef unsigned __int128 wide;
  double const largest = *std::max_element(weights.begin(), weights.end());
  // Integers, so that all ranks get the same borders however their compilers round.
  auto const units = [&](double weight) { return static_cast<std::uint64_t>(std::floor(weight / largest * 0x1p32)); };
  std::uint64_t all = 0, before = 0;
  for (double const weight : weights) all += units(weight);
  for (std::size_t r = 0; r < weights.size(); ++r) {
    begins[r] = static_cast<std::size_t>(wide(total) * before / all);
    before += units(weights[r]);
  }
  begins[weights.size()] = total;
}

void cut_ranges(std::vector<std::size_t> const& now, std::vector<std::size_t> const& then, int rank,
                row_ranges& ranges) {
  auto const at = static_cast<std::size_t>(rank);
  for (std::size_t r = 0; r < now.size(); ++r) {
    ranges.leaving[r] = std::clamp(then[r], now[at], now[at + 1]) - now[at];
    ranges.arriving[r] = std::clamp(now[r], then[at], then[at + 1]) - then[at];
  }
  ranges.moves = now != then;
}

share_plan plan_shares(communicator const& comm, failure local, internal::fingerprint const& arguments,
                       std::size_t rows, double weight, char const* function) {
  struct record {
    std::uint64_t rows;
    double weight;
  };
  auto const ranks = static_cast<std::size_t>(comm.size());
  share_plan plan;
  std::vector<std::size_t> now, then;
  std::vector<double> weights;
  try {
    internal::require(std::isfinite(weight) && weight >= 0, function,
                      [&] { return "the weight " + upsweep::internal::text_of(weight) + " is no share of rows"; });
    weights.resize(ranks);
    for (auto* offsets : {&now, &then, &plan.ranges.leaving, &plan.ranges.arriving}) offsets->resize(ranks + 1);
  } catch (...) {
    if (local.kind == error_kind::none) local = current_failure();
  }
  record const mine{rows, weight};
  auto const all =
      gather_states(comm, local, arguments, &mine, sizeof(mine), function, "numbers, types or columns of Views");
  for (std::size_t r = 0; r < ranks; ++r) {
    record theirs{};
    std::memcpy(&theirs, all.first + r * all.stride, sizeof(theirs));
    now[r + 1] = now[r] + theirs.rows;
    weights[r] = theirs.weight;
    if (now[r + 1] < now[r])
      throw overflow_error(std::string(function) + ": the rows of ranks 0 to " + std::to_string(r) +
                           " are more than 64 bits can count");
  }
  if (*std::max_element(weights.begin(), weights.end()) == 0)
    throw precondition_error(std::string(function) + ": the weights of all ranks are 0");
  divide_rows(now.back(), weights, then);
  cut_ranges(now, then, comm.rank(), plan.ranges);
  plan.share = {then[static_cast<std::size_t>(comm.rank())], now.back()};
  return plan;
}

}  // namespace upsweep::mpi::detail
