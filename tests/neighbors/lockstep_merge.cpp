// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The kernel that merges the rows of two lists, as GPUs run it: a thread after the other, since none waits for another.

#include <upsweep/neighbors/detail/builders/merge_rows.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <vector>

namespace {

using upsweep::neighbors::detail::pair_arrays;
using upsweep::neighbors::detail::pair_contents;
using merge = upsweep::neighbors::detail::merge_pairs<double>;
using arrays = pair_arrays<Kokkos::HostSpace, double>;

constexpr pair_contents all{
    .images = true, .first_indices = true, .unwrapped_images = true, .displacements = true, .distances = true};

struct thread_of_a_team {
  int team, thread;
  int league_rank() const { return team; }
  int team_rank() const { return thread; }
};

/// Every number says where it is from.
arrays list_of(std::size_t pairs, int from) {
  arrays made;
  made.grow(Kokkos::DefaultHostExecutionSpace(), all, pairs, "test");
  for (std::size_t k = 0; k < pairs; ++k) {
    int const number = from + static_cast<int>(k);
    made.neighbors(k) = number;
    made.images(k) = upsweep::image(number % 500, number / 500 % 500, -1);
    made.first_indices(k) = -number;
    made.distances(k) = number + 0.5;
    for (std::size_t d = 0; d < 3; ++d) {
      made.unwrapped_images(k, d) = 3 * number + static_cast<int>(d);
      made.displacements(k, d) = 3 * number + static_cast<int>(d) + 0.25;
    }
  }
  return made;
}

void expect_pair(arrays const& found, std::size_t k, arrays const& from, std::size_t at, int shift) {
  ASSERT_EQ(found.neighbors(k), from.neighbors(at) + shift) << k;
  ASSERT_EQ(found.first_indices(k), from.first_indices(at) + shift) << k;
  ASSERT_EQ(found.images(k), from.images(at)) << k;
  ASSERT_EQ(found.distances(k), from.distances(at)) << k;
  for (std::size_t d = 0; d < 3; ++d) {
    ASSERT_EQ(found.unwrapped_images(k, d), from.unwrapped_images(at, d)) << k;
    ASSERT_EQ(found.displacements(k, d), from.displacements(at, d)) << k;
  }
}

/// Systems of so many pairs, of which some are rebuilt; those kept have had `moved` pairs in front of them.
void compare(std::vector<std::size_t> const& lengths, bool in_place) {
  std::mt19937 random(static_cast<unsigned>(lengths.size()));
  std::vector<std::size_t> begins;
  std::vector<upsweep::neighbors::detail::pair_run> runs;
  std::size_t pairs = 0, rebuilt_pairs = 0;
  std::size_t const moved = in_place ? 0 : 17;
  for (std::size_t const length : lengths) {
    bool const is_rebuilt = random() % 3 == 0;
    begins.push_back(pairs);
    runs.push_back(
        {(is_rebuilt ? rebuilt_pairs : pairs + moved) - pairs, is_rebuilt ? int(random() % 99) : 0, is_rebuilt});
    rebuilt_pairs += is_rebuilt ? length : 0;
    pairs += length;
  }
  auto const kept = list_of(pairs + moved, 0), rebuilt = list_of(rebuilt_pairs, 1000000);
  for (bool const on_gpu : {true, false}) {
    auto const to = list_of(pairs, in_place ? 0 : 5000000);
    merge const kernel{begins.data(), runs.data(), static_cast<int>(runs.size()), pairs,
                       in_place,      {to, all},   {in_place ? to : kept, all},   {rebuilt, all}};
    for (int tile = 0; static_cast<std::size_t>(tile) * merge::tile < pairs; ++tile) {
      if (!on_gpu) kernel.copy_tile(tile);
      for (int thread = 0; on_gpu && thread < merge::threads; ++thread) kernel(thread_of_a_team{tile, thread});
    }
    for (std::size_t s = 0; s < runs.size(); ++s)
      for (std::size_t k = begins[s]; k < begins[s] + lengths[s]; ++k)
        ASSERT_NO_FATAL_FAILURE(
            expect_pair(to, k, runs[s].is_rebuilt ? rebuilt : kept, k + runs[s].offset, runs[s].shift))
            << (on_gpu ? "by a team" : "on a CPU");
  }
}

TEST(lockstep_merge, pairs_come_from_their_systems) {
  std::mt19937 random(3);
  std::vector<std::size_t> tiny(9000), mixed;
  for (auto& length : tiny) length = random() % 4;
  for (int s = 0; s < 40; ++s) mixed.push_back(s % 7 == 3 ? 20000 + random() % 9 : random() % 700);
  mixed.front() = mixed.back() = 0;
  for (bool const in_place : {false, true})
    for (auto const& lengths : {tiny, mixed, std::vector<std::size_t>{3}, std::vector<std::size_t>{40000, 0, 0, 1}})
      ASSERT_NO_FATAL_FAILURE(compare(lengths, in_place)) << lengths.size();
}

}  // namespace
