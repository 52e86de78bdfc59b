// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/mpi/detail/agree_and_scan/gather_states.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>
#include <upsweep/mpi/detail/rows/row_shares.hpp>
#include <upsweep/mpi/detail/sort/key_bits.hpp>
#include <upsweep/mpi/detail/sort/merge_steps.hpp>
#include <upsweep/mpi/detail/sort/move_in_steps.hpp>
#include <upsweep/mpi/detail/sort/splitters.hpp>
#include <upsweep/pack/internal/check_sort.hpp>
#include <upsweep/pack/sort.hpp>
#include <upsweep/scan/reduce.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace upsweep::mpi::detail {

/// Rows [begin, end) of a View whose rows are side by side.
template <class View>
auto rows_between(View const& view, std::size_t begin, std::size_t end) {
  return Kokkos::View<typename View::value_type*, typename View::device_type, Kokkos::MemoryUnmanaged>(
      view.data() + begin, end - begin);
}

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
  step_ranges ranges;

  void reserve(communicator const& comm, std::size_t steps) {
    auto const ranks = static_cast<std::size_t>(comm.size());
    weights.assign(ranks, 1);
    begins.resize(ranks + 1);
    resize(ranks, steps);
  }
  /// Allocates nothing for fewer steps than before.
  void resize(std::size_t ranks, std::size_t steps) {
    for (auto* counts : {&sent, &received}) counts->resize(ranks * steps);
    ranges.resize(ranks, steps);
  }

  /// Asks what each rank sends in each step. Collective.
  void exchange(communicator const& comm) {
    for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = ranges.announced(i / ranges.steps, i % ranges.steps);
    exchange_counts(comm, sent, received);
    ranges.set_arriving(received);
  }
};

/// The range of keys of all ranks. Throws overflow_error, on all ranks alike.
key_range range_of_ranks(gathered_states const& all, int ranks, char const* function);

/// The range of keys on this rank; waits for the instance. Local; may throw.
template <class ExecutionSpace, class Keys>
key_range range_of_keys(ExecutionSpace const& space, Keys const& keys,
                        key_bits<typename Keys::non_const_value_type> const& bits, call_options const& options) {
  using loaded = load_bits<Keys>;
  using word = typename loaded::word;
  auto const found =
      upsweep::reduce<shared_bits<word>>(space, keys.extent(0), loaded{keys, bits}, share_bits<word>{}, options);
  if (keys.extent(0) == 0) return {};
  return {keys.extent(0), found.in_all, found.in_any};
}

/// The range of keys that are sorted by these bits; waits for the instance. Local; may throw.
template <class ExecutionSpace, class Keys>
key_range range_of_sorted(ExecutionSpace const& space, Keys const& keys,
                          key_bits<typename Keys::non_const_value_type> const& bits, char const* function) {
  std::size_t const n = keys.extent(0);
  if (n == 0) return {};
  std::uint64_t const least = bits(internal::fetch_one(space, keys.data(), function));
  std::uint64_t const most = bits(internal::fetch_one(space, keys.data() + (n - 1), function));
  return {n, least & most, least | most};
}

/// Shares travel in steps of about this many bytes, so that what came is merged, or sorted, while the rest travels.
inline constexpr std::size_t sort_step_bytes = std::size_t(1) << 26;
inline constexpr std::size_t most_sort_steps = 8;

/// The whole call: keys, and values or nothing.
template <class ExecutionSpace, class Keys, class... Values>
rank_offset sort_call(communicator const& comm, ExecutionSpace const& space, sort_options const& options,
                      char const* function, std::size_t step_bytes, Keys& keys, Values&... values) {
  using key = typename Keys::non_const_value_type;
  using merger_type = step_merger<ExecutionSpace, Keys, Values...>;
  internal::fingerprint arguments;
  arguments.text(function).value(static_cast<int>(options.order)).value(options.first_bit).value(options.last_bit);
  (arguments.type<key>(), ..., arguments.type<typename Values::non_const_value_type>());
  auto const ranks = static_cast<std::size_t>(comm.size()), rank = static_cast<std::size_t>(comm.rank());
  splitter_search<ExecutionSpace, Keys> search(function, options.label);
  key_bits<key> const bits(options);
  sort_memory memory;
  std::optional<internal::temporary_memory> workspace;
  sort_options local = options;
  failure failed;
  key_range mine;
  auto const range_of_all = [&] {
    return range_of_ranks(gather_states(comm, failed, arguments, &mine, sizeof(mine), function, "types or options"),
                          comm.size(), function);
  };
  try {
    internal::check_sort(space, options, keys, values...);
    workspace.emplace(space, options.workspace);
    local.workspace = &workspace->get();
    if (ranks == 1) {
      sort_locally(space, local, keys, values...);
      space.fence(internal::label(function, "fence"));
    } else {
      memory.reserve(comm, most_sort_steps);
      search.reserve(comm, space);
    }
    mine.keys = keys.extent(0);
  } catch (...) {
    failed = current_failure();
  }
  std::uint64_t const total = range_of_all().keys;
  if (ranks == 1 || total == 0) return {0, total};
  divide_rows(total, memory.weights, memory.begins);
  std::uint64_t const share_bytes = total / ranks * (row_bytes(keys) + ... + row_bytes(values));
  memory.resize(ranks,
                static_cast<std::size_t>(std::clamp<std::uint64_t>(share_bytes / step_bytes, 1, most_sort_steps)));
  auto const& ranges = memory.ranges;

  // A round of merges costs less than a digit of a sort (2^29 keys of 32 bits on an H100: 2.4 and 2.6 ms, 2026-11-25).
  bool const merges = merger_type::rounds_of(ranks) <= (std::popcount(bits.mask) + 7) / 8;
  memory.ranges.aligned = merges && merger_type::lands_apart(ranks);
  merger_type merger(comm, ranges, bits, function, options.label);
  try {
    if (merges) {
      merger.sort(space, local, memory.begins[rank + 1] - memory.begins[rank], keys, values...);
      mine = range_of_sorted(space, std::get<0>(merger.sorted()), bits, function);
    } else {
      mine = range_of_keys(space, keys, bits, {.workspace = local.workspace, .label = options.label});
    }
  } catch (...) {
    failed = current_failure();
  }
  key_range const range = range_of_all();
  // All keys differ in these bits only.
  int const differing = range.differing_bits();
  auto const sort_range = [&](auto const& k, auto const&... v) {
    return [&](std::size_t begin, std::size_t end, int first, int last) {
      if (merges) return;  // all are sorted
      local.first_bit = bits.first + first;
      local.last_bit = bits.first + last;
      sort_locally(space, local, rows_between(k, begin, end), rows_between(v, begin, end)...);
    };
  };
  std::tuple<Keys, Values...> const own = merges ? merger.sorted() : std::tuple<Keys, Values...>(keys, values...);
  search.find(comm, space, std::get<0>(own), bits, range.common(), differing, memory.begins,
              sort_range(keys, values...), ranges.steps, memory.ranges.leaving);
  memory.exchange(comm);
  // Equal keys come in the order of ranks, and from each in its own: stable merges and sorts keep that. The keys of a
  // step are less than those of the next one.
  if (merges) {
    auto const move = [&](auto const&... from) {
      move_in_steps(
          comm, space, ranges, [&] { return merger.targets(); },
          [&](std::size_t k, auto const&...) { merger.merge(space, k); }, from...);
    };
    try {
      std::apply(move, own);
    } catch (communication_error const&) {
      throw;  // messages may be in flight
    } catch (...) {
      merger.put_back(space);
      throw;
    }
    std::tie(keys, values...) = std::move(merger.result());
  } else {
    auto const new_rows = [&](auto const& from) {
      auto const to = with_rows(space, from, ranges.arriving.back());
      copy_own(space, ranges, comm.rank(), from, to);
      return to;
    };
    auto const sort_step = [&](std::size_t k, auto const&... v) {
      sort_range(v...)(ranges.begin_of_step(k), ranges.begin_of_step(k + 1), 0, differing);
    };
    auto received = move_in_steps(
        comm, space, ranges, [&] { return std::tuple<Keys, Values...>(new_rows(keys), new_rows(values)...); },
        sort_step, keys, values...);
    std::tie(keys, values...) = std::move(received);
  }
  return {memory.begins[rank], total};
}

}  // namespace upsweep::mpi::detail
