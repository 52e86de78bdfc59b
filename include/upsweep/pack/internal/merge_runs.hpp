// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/sort/key_order.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace upsweep::internal {

/// Stands for the values of keys that have none.
using no_values = pack::detail::no_value;

/// Keys in ascending order, and values beside them.
template <class Key, class Value>
struct sorted_run {
  Key const* keys = nullptr;
  Value const* values = nullptr;
  std::size_t size = 0;
};

/// How many of the first `place` elements of a stable merge come from run a: the point of the merge path on that
/// diagonal. order(key) is an integer by which keys ascend.
template <class Index, class Order, class Key>
KOKKOS_FUNCTION Index merge_path(Order const& order, Key const* a, Index na, Key const* b, Index nb, Index place) {
  Index low = place > nb ? place - nb : 0, high = place < na ? place : na;
  while (low < high) {
    Index const middle = low + (high - low) / 2;
    if (order(b[place - 1 - middle]) < order(a[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

/// Two runs and where their merge goes.
template <class Order, class Key, class Value>
struct merge_problem {
  Order order;
  sorted_run<Key, Value> a, b;
  Key* keys;
  Value* values;

  static constexpr bool has_values = !std::is_same_v<Value, no_values>;
  KOKKOS_FUNCTION std::size_t size() const { return a.size + b.size; }
  KOKKOS_FUNCTION std::size_t from_a(std::size_t place) const {
    return merge_path<std::size_t>(order, a.keys, a.size, b.keys, b.size, place);
  }
};

/// One thread per tile: where it begins in run a. splits[tiles] is the end.
template <class Order, class Key, class Value>
struct split_merge {
  merge_problem<Order, Key, Value> merge;
  std::size_t tile;
  std::size_t* splits;
  KOKKOS_FUNCTION void operator()(std::int64_t t) const {
    std::size_t const first = static_cast<std::size_t>(t) * tile, n = merge.size();
    splits[t] = merge.from_a(first < n ? first : n);
  }
};

/// One team per tile of the result. Its keys are copied to scratch; each thread finds its place on the merge path
/// there, and merges `items` of them; scratch has the result, and where it came from, before both are stored with
/// consecutive addresses. Shared state: none outside of the team. Progress: nobody waits but at barriers of the team.
template <class Order, class Key, class Value>
struct merge_teams {
  merge_problem<Order, Key, Value> merge;
  std::size_t const* splits;

  static constexpr int threads = 256;
  static constexpr int resident = 4;  ///< teams of a multiprocessor, where scratch has room
  /// Odd, so that threads begin at different banks of scratch.
  static constexpr int items = sizeof(Key) <= 4 ? 15 : 11;
  static constexpr int tile = threads * items;
  using problem = merge_problem<Order, Key, Value>;
  using place_in_tile = std::uint16_t;
  static constexpr std::size_t scratch_bytes =
      tile * (sizeof(Key) + (problem::has_values ? sizeof(place_in_tile) : 0)) + 16;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    auto const t = static_cast<std::size_t>(member.league_rank());
    std::size_t const first = t * tile, n = merge.size();
    int const size = static_cast<int>(n - first < std::size_t(tile) ? n - first : std::size_t(tile));
    std::size_t const first_a = splits[t], first_b = first - first_a;
    int const na = static_cast<int>(splits[t + 1] - first_a), nb = size - na;
    Key* const own = reinterpret_cast<Key*>(member.team_scratch(0).get_shmem_aligned(tile * sizeof(Key), 8));
    int const rank = member.team_rank();
    for (int k = rank; k < size; k += threads)
      own[k] = k < na ? merge.a.keys[first_a + static_cast<std::size_t>(k)]
                      : merge.b.keys[first_b + static_cast<std::size_t>(k - na)];
    member.team_barrier();
    int const begin = rank * items < size ? rank * items : size;
    int i = merge_path<int>(merge.order, own, na, own + na, nb, begin), j = begin - i;
    Key merged[items];
    place_in_tile from[items];
    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k) {
      if (begin + k >= size) break;
      bool const takes_a = j >= nb || (i < na && !(merge.order(own[na + j]) < merge.order(own[i])));
      int const taken = takes_a ? i++ : na + j++;
      merged[k] = own[taken];
      from[k] = static_cast<place_in_tile>(taken);
    }
    member.team_barrier();
    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k)
      if (begin + k < size) own[begin + k] = merged[k];
    place_in_tile* places = nullptr;
    if constexpr (problem::has_values) {
      places = reinterpret_cast<place_in_tile*>(member.team_scratch(0).get_shmem_aligned(tile * sizeof(*places), 8));
      UPSWEEP_UNROLL
      for (int k = 0; k < items; ++k)
        if (begin + k < size) places[begin + k] = from[k];
    }
    member.team_barrier();
    for (int k = rank; k < size; k += threads) {
      merge.keys[first + static_cast<std::size_t>(k)] = own[k];
      if constexpr (problem::has_values) {
        int const taken = places[k];
        merge.values[first + static_cast<std::size_t>(k)] =
            taken < na ? merge.a.values[first_a + static_cast<std::size_t>(taken)]
                       : merge.b.values[first_b + static_cast<std::size_t>(taken - na)];
      }
    }
  }
};

/// One thread per stretch of the result.
template <class Order, class Key, class Value>
struct merge_stretch {
  merge_problem<Order, Key, Value> merge;
  std::size_t stretch;
  KOKKOS_FUNCTION void operator()(std::int64_t t) const {
    std::size_t const first = static_cast<std::size_t>(t) * stretch, n = merge.size();
    std::size_t const last = first + stretch < n ? first + stretch : n;
    std::size_t i = merge.from_a(first), j = first - i;
    for (std::size_t k = first; k < last; ++k) {
      bool const takes_a =
          j >= merge.b.size || (i < merge.a.size && !(merge.order(merge.b.keys[j]) < merge.order(merge.a.keys[i])));
      auto const& run = takes_a ? merge.a : merge.b;
      std::size_t const taken = takes_a ? i++ : j++;
      merge.keys[k] = run.keys[taken];
      if constexpr (merge_problem<Order, Key, Value>::has_values) merge.values[k] = run.values[taken];
    }
  }
};

/// Merges two sorted runs, keys that are equal in the order a, b. Neither may overlap the result.
///
/// Cost: a read and a write of all; on GPUs two launches, on CPUs one or none. Asynchronous; allocates nothing.
/// Source: S. Odeh et al., *Merge path* (2012).
template <class Order, class Key, class Value>
class run_merger {
  using problem = merge_problem<Order, Key, Value>;

 public:
  /// Words of device memory that a merge of n elements needs; merges of one instance may share them.
  template <class ExecutionSpace>
  static std::size_t words(std::size_t n) {
    return compat::is_gpu<ExecutionSpace> ? divide_up(n, std::size_t(teams::tile)) + 1 : 0;
  }

  template <class ExecutionSpace>
  static void merge(ExecutionSpace const& space, problem const& p, std::size_t* words, std::string_view function,
                    std::string_view caller) {
    std::size_t const n = p.size();
    if (n == 0) return;
    if constexpr (compat::is_gpu<ExecutionSpace>) {
      std::size_t const tiles = divide_up(n, std::size_t(teams::tile));
      Kokkos::parallel_for(label(function, "split", caller), index_policy(space, tiles + 1),
                           split_merge<Order, Key, Value>{p, std::size_t(teams::tile), words});
      using policy =
          compat::resident_team_policy<ExecutionSpace, teams::resident, teams::threads, teams::scratch_bytes>;
      Kokkos::parallel_for(label(function, "merge", caller),
                           policy(space, static_cast<int>(tiles), teams::threads)
                               .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(teams::scratch_bytes))),
                           teams{p, words});
    } else {
      constexpr std::size_t shortest = 1 << 14;
      auto const threads = static_cast<std::size_t>(compat::concurrency(space));
      std::size_t const stretch = std::max(shortest, divide_up(n, 4 * threads));
      run_on_cpu(space, [&] { return label(function, "merge", caller); }, divide_up(n, stretch),
                 merge_stretch<Order, Key, Value>{p, stretch},
                 {static_cast<double>(n)});  // an element takes 1 ns and more
    }
  }

 private:
  using teams = merge_teams<Order, Key, Value>;
};

}  // namespace upsweep::internal
