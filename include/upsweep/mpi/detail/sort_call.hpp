// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/detail/exchange_bytes.hpp>
#include <upsweep/mpi/detail/gather_states.hpp>
#include <upsweep/mpi/detail/move_ranges.hpp>
#include <upsweep/mpi/detail/row_shares.hpp>
#include <upsweep/mpi/detail/splitters.hpp>
#include <upsweep/pack/sort.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace upsweep::mpi::detail {

template <class ExecutionSpace, class Keys>
void sort_locally(ExecutionSpace const& space, sort_options const& options, Keys const& keys) {
  upsweep::sort(space, keys, options);
}
template <class ExecutionSpace, class Keys, class Values>
void sort_locally(ExecutionSpace const& space, sort_options const& options, Keys const& keys, Values const& values) {
  upsweep::sort_by_key(space, keys, values, options);
}

/// Host memory of a sort.
struct sort_memory {
  std::vector<double> weights;
  std::vector<std::size_t> begins;  ///< of shares
  std::vector<std::uint64_t> sent, received;
  row_ranges ranges;

  void reserve(communicator const& comm) {
    auto const ranks = static_cast<std::size_t>(comm.size());
    weights.assign(ranks, 1);
    for (auto* counts : {&sent, &received}) counts->resize(ranks);
    for (auto* offsets : {&begins, &ranges.leaving, &ranges.arriving}) offsets->resize(ranks + 1);
  }
};

/// The range of keys of all ranks. Throws overflow_error, on all ranks alike.
key_range range_of_ranks(gathered_states const& all, int ranks, char const* function);

/// The whole call: keys, and values or nothing.
template <class ExecutionSpace, class Keys, class... Values>
rank_offset sort_call(communicator const& comm, ExecutionSpace const& space, sort_options const& options,
                      char const* function, Keys& keys, Values&... values) {
  using key = typename Keys::non_const_value_type;
  internal::fingerprint arguments;
  arguments.text(function).value(static_cast<int>(options.order)).value(options.first_bit).value(options.last_bit);
  (arguments.type<key>(), ..., arguments.type<typename Values::non_const_value_type>());
  splitter_search<ExecutionSpace, Keys> search(function, options.label);
  key_bits<key> const bits(options);
  sort_memory memory;
  failure failed;
  key_range mine;
  try {
    sort_locally(space, options, keys, values...);
    memory.reserve(comm);
    search.reserve(comm, space);
    mine = search.range_of(space, keys, bits);
  } catch (...) {
    failed = current_failure();
  }
  key_range const range = range_of_ranks(
      gather_states(comm, failed, arguments, &mine, sizeof(mine), function, "types or options"), comm.size(), function);
  if (comm.size() == 1 || range.keys == 0) return {0, range.keys};

  divide_rows(range.keys, memory.weights, memory.begins);
  auto& ranges = memory.ranges;
  search.find(comm, space, keys, bits, range, memory.begins, ranges.leaving);
  for (std::size_t r = 0; r < memory.sent.size(); ++r) memory.sent[r] = ranges.leaving[r + 1] - ranges.leaving[r];
  exchange_counts(comm, memory.sent, memory.received);
  sum_counts(memory.received, ranges.arriving);
  auto received = move_ranges(comm, space, ranges, function, options.label, keys, values...);
  // What came from each rank is sorted, and equal keys came in the order of ranks: a stable sort merges them.
  all_or_none(comm, [&] {
    std::apply([&](auto const&... v) { sort_locally(space, options, v...); }, received);
    space.fence(internal::label(function, "fence"));
  });
  std::tie(keys, values...) = std::move(received);
  return {memory.begins[static_cast<std::size_t>(comm.rank())], range.keys};
}

}  // namespace upsweep::mpi::detail
