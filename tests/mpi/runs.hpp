// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "testing.hpp"

#include <upsweep/mpi/rank_count.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// Keys in runs that lie on one rank or on many, for the calls that find such runs.

namespace testing_mpi {

/// How runs lie on ranks.
enum class run_shape {
  nothing,      ///< no rank has an element
  one_element,  ///< on the last rank
  one_run,      ///< on all ranks, of which every third one has no elements
  borders,      ///< each border of ranks lies within a run; rank 1 has one run only
  random,       ///< short runs, one rank without elements
  far_heads,    ///< runs longer than the first window of a search for heads
  count
};

inline std::vector<int> keys_in_runs(int rank, int size, run_shape shape) {
  random_numbers random{static_cast<std::uint64_t>(rank * 10 + static_cast<int>(shape))};
  std::vector<int> keys;
  switch (shape) {
    case run_shape::one_element:
      if (rank == size - 1) keys = {3};
      break;
    case run_shape::one_run: keys.assign(rank % 3 == 1 ? 0 : 5 + static_cast<std::size_t>(rank), 7); break;
    case run_shape::borders:
      if (rank != 1) keys = {rank < 2 ? 0 : rank == 2 ? 0 : rank, 100, 100, rank == 0 ? 0 : rank + 1};
      else keys = {0, 0};
      break;
    case run_shape::random:
      keys.resize(rank == 1 ? 0 : 3000 + 31 * static_cast<std::size_t>(rank));
      for (auto& k : keys) k = static_cast<int>(random.below(3));
      break;
    case run_shape::far_heads:
      keys.assign(700001, 1);
      if (rank % 2 == 0) {
        std::fill(keys.begin() + 90000, keys.begin() + 300000, 2);
        std::fill(keys.begin() + 300000, keys.begin() + 310000, 3);
      }
      break;
    default: break;
  }
  return keys;
}

/// The runs of all ranks, each on the rank where it begins: its key, and what its values combine to.
template <class Key, class T>
struct runs_of_ranks {
  std::vector<std::vector<Key>> keys;
  std::vector<std::vector<T>> results;

  /// How many runs begin on the ranks below this one; below(size) is all of them.
  std::size_t below(std::size_t rank) const {
    std::size_t sum = 0;
    for (std::size_t r = 0; r < rank; ++r) sum += keys[r].size();
    return sum;
  }
};

/// What reduce_by_key leaves, by a loop over all elements. keys_of(rank) and values_of(rank, how many) give the
/// elements of a rank.
template <class T, class KeysOf, class ValuesOf, class Monoid>
auto find_runs(int size, KeysOf const& keys_of, ValuesOf const& values_of, Monoid const& monoid) {
  using key = typename decltype(keys_of(0))::value_type;
  auto const ranks = static_cast<std::size_t>(size);
  runs_of_ranks<key, T> found{std::vector<std::vector<key>>(ranks), std::vector<std::vector<T>>(ranks)};
  std::vector<T>* results = nullptr;  // of the rank where the run began
  key last_key{};
  for (std::size_t r = 0; r < ranks; ++r) {
    auto const keys = keys_of(static_cast<int>(r));
    auto const values = values_of(static_cast<int>(r), keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (results == nullptr || keys[i] != last_key) {
        results = &found.results[r];
        found.keys[r].push_back(keys[i]);
        results->push_back(monoid.identity());
      }
      last_key = keys[i];
      results->back() = monoid(results->back(), values[i]);
    }
  }
  return found;
}

/// The sum of what each rank counted, and what ranks below did.
inline void expect_counts(upsweep::mpi::rank_count const& got, std::size_t mine, std::size_t below, std::size_t all) {
  EXPECT_EQ(got.count, mine);
  EXPECT_EQ(got.offset, below);
  EXPECT_EQ(got.total, all);
}

}  // namespace testing_mpi
