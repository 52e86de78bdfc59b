// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What tests share that run the kernels of scans on GPUs on a CPU: lockstep lanes, for warps of 32 and for
// wavefronts of 64.

#include "../oracle/values.hpp"

#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_league.hpp>

#include <cstdint>

namespace lockstep {

using namespace upsweep::internal;
using namespace upsweep::scan::detail;
using oracle::exact_values;
using oracle::value_at;
using upsweep::internal::contiguous_sequence;
using upsweep::internal::functor_sequence;
using upsweep::team::testing::lockstep_lanes;
using upsweep::team::testing::lockstep_league;
using upsweep::team::testing::lockstep_league_member;
using warps = lockstep_lanes<32>;
using wavefronts = lockstep_lanes<64>;

/// What a test is compiled for.
template <class Lanes, class Monoid>
struct configuration {
  using lanes = Lanes;
  using monoid = Monoid;
};

/// An array that counts what is stored to each place.
template <class T>
struct counted_stores {
  T* to;
  int* times;
  KOKKOS_FUNCTION void store(std::uint64_t place, T const& x) const {
    to[place] = x;
    ++times[place];
  }
};

/// Takes the first element of each run and what the whole run comes to.
template <class First, class Whole>
struct run_outputs {
  static constexpr bool wants_rest = false;
  counted_stores<First> firsts;
  counted_stores<Whole> wholes;
  std::uint64_t* counts;  ///< what finish was called with, and how often
  KOKKOS_FUNCTION void begins(std::uint64_t run, First const& x) const { firsts.store(run, x); }
  KOKKOS_FUNCTION void ends(std::uint64_t run, Whole const& x) const { wholes.store(run, x); }
  KOKKOS_FUNCTION void finish(std::uint64_t runs) const {
    counts[0] = runs;
    ++counts[1];
  }
};

}  // namespace lockstep
