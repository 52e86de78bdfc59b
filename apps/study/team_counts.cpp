// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "team_counts.hpp"

#include "depth.hpp"

#include <upsweep/team/blelloch.hpp>
#include <upsweep/team/brent_kung.hpp>
#include <upsweep/team/brent_kung_k_ary.hpp>
#include <upsweep/team/brent_kung_out_of_place.hpp>
#include <upsweep/team/coarsened.hpp>
#include <upsweep/team/kogge_stone.hpp>
#include <upsweep/team/kogge_stone_double_buffered.hpp>
#include <upsweep/team/sequential.hpp>
#include <upsweep/team/testing/counting.hpp>
#include <upsweep/team/testing/lockstep_array.hpp>
#include <upsweep/team/testing/lockstep_member.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace study {
namespace {

namespace team = upsweep::team;
using team::testing::lockstep_array;
using team::testing::lockstep_member;
using op_type = team::testing::counting<deep_plus>;

struct formulas {
  double operations, barriers;
  std::optional<double> scratch_reads, scratch_writes;
};

/// Runs body(member, op, scratch, in, out) by `threads` threads. `before` is 1 where out excludes the element itself.
template <class Algorithm, class Body>
row count(char const* name, std::uint64_t n, int threads, int before, formulas const& f, Body const& body) {
  team::testing::lockstep_team lockstep;
  lockstep_array<deep_sum> scratch(lockstep, Algorithm::template scratch_bytes<deep_sum>(threads) / sizeof(deep_sum));
  lockstep_array<deep_sum> in(lockstep, n), out(lockstep, n);
  lockstep.run(1, [&](lockstep_member const&) {
    for (std::uint64_t i = 0; i < n; ++i) in.data()[static_cast<std::ptrdiff_t>(i)] = deep_sum{1, 0};
  });
  std::uint64_t operations = 0;
  op_type const op{{}, &operations};
  auto const barriers =
      lockstep.run(threads, [&](lockstep_member const& m) { body(m, op, scratch.data(), in.data(), out.data()); });
  row r{"team",
        name,
        n,
        {operations, f.operations},
        {static_cast<std::uint64_t>(barriers), f.barriers},
        {},
        {scratch.reads(), f.scratch_reads},
        {scratch.writes(), f.scratch_writes},
        {in.reads(), double(n)},
        {out.writes(), double(n)},
        {},
        {}};
  std::int64_t depth = 0;
  lockstep.run(1, [&](lockstep_member const&) {
    for (std::uint64_t i = 0; i < n; ++i) {
      deep_sum const got = out.data()[static_cast<std::ptrdiff_t>(i)];
      if (got.sum != static_cast<std::int64_t>(i) + 1 - before)
        throw std::runtime_error(std::string(name) + ": wrong result for element " + std::to_string(i));
      depth = std::max(depth, got.depth);
    }
  });
  r.span.counted = static_cast<std::uint64_t>(depth);
  return r;
}

template <class Algorithm, bool Inclusive>
row scan(char const* name, std::uint64_t n, formulas const& f) {
  auto const body = [](auto const& m, auto const& op, auto scratch, auto in, auto out) {
    deep_sum total{};
    deep_sum const value = in[m.team_rank()];
    if constexpr (Inclusive) out[m.team_rank()] = Algorithm::inclusive_scan(m, value, op, scratch, total);
    else out[m.team_rank()] = Algorithm::exclusive_scan(m, value, op, scratch, total);
  };
  return count<Algorithm>(name, n, static_cast<int>(n), Inclusive ? 0 : 1, f, body);
}

/// Four values a thread; the last thread's are padded.
row coarsened(char const* name, std::uint64_t n, formulas const& f) {
  constexpr int items = 4;
  using algorithm = team::coarsened<items, team::kogge_stone>;
  int const size = static_cast<int>(n), threads = (size + items - 1) / items;
  auto const body = [size](auto const& m, auto const& op, auto scratch, auto in, auto out) {
    deep_sum values[items], prefix{0, 0};
    int const first = m.team_rank() * items;
    for (int k = 0; k < items; ++k) values[k] = first + k < size ? static_cast<deep_sum>(in[first + k]) : op.identity();
    algorithm::inclusive_scan(m, values, op, scratch, prefix);
    for (int k = 0; k < items; ++k)
      if (first + k < size) out[first + k] = values[k];
  };
  return count<algorithm>(name, n, threads, 0, f, body);
}

}  // namespace

void count_teams(std::uint64_t n, rows& out) {
  double const N = static_cast<double>(n), log = std::log2(N);
  out.push_back(scan<team::sequential, true>("sequential", n, {N - 1, 0, {}, {}}));
  out.push_back(scan<team::kogge_stone, true>("kogge_stone", n, {N * log - (N - 1), 2 * log, {}, {}}));
  out.push_back(scan<team::kogge_stone_double_buffered, true>("kogge_stone_double_buffered", n,
                                                              {N * log - (N - 1), log, {}, {}}));
  out.push_back(scan<team::brent_kung, true>("brent_kung", n, {2 * N - 2 - log, 2 * log, {}, {}}));
  out.push_back(
      scan<team::brent_kung_out_of_place, false>("brent_kung_out_of_place", n, {2 * (N - 1), 2 * log, 4 * N, 3 * N}));
  out.push_back(scan<team::brent_kung_k_ary<4>, true>("brent_kung_4_ary", n, {2 * (N - 1) - 3 * log / 2, log, {}, {}}));
  out.push_back(scan<team::blelloch, false>("blelloch", n, {2 * (N - 1), 2 * log, {}, {}}));
  double const T = std::max(1.0, N / 4);
  out.push_back(coarsened("coarsened_4_kogge_stone", n, {2 * N + T * std::log2(T), 2 * std::log2(T), {}, {}}));
}

}  // namespace study
