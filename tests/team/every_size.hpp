// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Runs a team algorithm on a lockstep team and compares with a sequential scan.

#include "../oracle/monoids.hpp"

#include <upsweep/team/blelloch.hpp>
#include <upsweep/team/brent_kung.hpp>
#include <upsweep/team/brent_kung_k_ary.hpp>
#include <upsweep/team/brent_kung_out_of_place.hpp>
#include <upsweep/team/testing/lockstep_array.hpp>
#include <upsweep/team/testing/lockstep_member.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace team_tests {

using upsweep::team::blelloch;
using upsweep::team::brent_kung;
using upsweep::team::brent_kung_k_ary;
using upsweep::team::brent_kung_out_of_place;
using upsweep::team::testing::lockstep_array;
using upsweep::team::testing::lockstep_error;
using upsweep::team::testing::lockstep_member;
using upsweep::team::testing::lockstep_team;

/// Slots of scratch that an algorithm asks for, for values of type T.
template <class Algorithm, class T>
std::size_t slots(int size) {
  return Algorithm::template scratch_bytes<T>(size) / sizeof(T);
}

/// Results of one inclusive and one exclusive scan in the same scratch, one right behind the other.
template <class T>
struct scanned {
  std::vector<T> inclusive, exclusive, total;
};

template <class Algorithm, class Monoid>
scanned<typename Monoid::value_type> scan(lockstep_team& team, std::vector<typename Monoid::value_type> const& values,
                                          Monoid const& op) {
  using T = typename Monoid::value_type;
  int const size = static_cast<int>(values.size());
  lockstep_array<T> scratch(team, slots<Algorithm, T>(size));
  scanned<T> got{values, values, values};
  team.run(size, [&](lockstep_member const& m) {
    auto const r = static_cast<std::size_t>(m.team_rank());
    T total = op.identity(), second = op.identity();
    got.inclusive[r] = Algorithm::inclusive_scan(m, values[r], op, scratch.data(), total);
    got.exclusive[r] = Algorithm::exclusive_scan(m, values[r], op, scratch.data(), second);
    EXPECT_TRUE(total == second);
    got.total[r] = total;
  });
  return got;
}

/// Whether scans of `values` by Algorithm are what a loop gives.
template <class Algorithm, class Monoid>
void expect_scans(lockstep_team& team, std::vector<typename Monoid::value_type> const& values, Monoid const& op) {
  auto const got = scan<Algorithm>(team, values, op);
  auto running = op.identity();
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_TRUE(got.exclusive[i] == running) << values.size() << " threads, rank " << i << ", exclusive";
    running = op(running, values[i]);
    ASSERT_TRUE(got.inclusive[i] == running) << values.size() << " threads, rank " << i << ", inclusive";
  }
  for (auto const& total : got.total) ASSERT_TRUE(total == running) << values.size() << " threads, total";
}

/// Thread r holds [r, r + 1): only operands that are neighbours, in order, make a legal result.
inline std::vector<oracle::run> unit_runs(int size) {
  std::vector<oracle::run> values;
  for (int r = 0; r < size; ++r) values.push_back({r, r + 1});
  return values;
}

}  // namespace team_tests
