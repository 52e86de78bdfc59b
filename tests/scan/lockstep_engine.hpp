// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The look-back engine of GPUs on a CPU: its kernel with lockstep lanes.

#include "lockstep.hpp"

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/scan/detail/one_pass/scan_work.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

namespace lockstep {

template <class Lanes, class Shape, class Problem>
using work_of = scan_work<Problem, Shape, Lanes>;

/// The engine's region, and its teams.
template <class Lanes, class Shape, bool Tickets = true>
class engine {
 public:
  explicit engine(std::uint32_t epoch_limit = largest_epoch, std::uint64_t seed = 1)
      : epoch_limit_(epoch_limit), league_(std::size_t(64) << 10, seed) {}

  look_back_control& control() { return *reinterpret_cast<look_back_control*>(words_.data()); }

  /// Scans, the teams one after the other. The i-th one that runs gets tile order[i]; without an order tile i.
  template <class Problem>
  void scan(Problem const& problem, std::vector<std::size_t> const& order = {}) {
    using work = work_of<Lanes, Shape, Problem>;
    using kernel = one_pass_kernel<work, Tickets>;
    std::size_t const tiles = upsweep::internal::divide_up<std::size_t>(problem.n, work::tile::size);
    words_.resize(std::max(words_.size(), control_words + kernel::prefixes_type::words(tiles)));
    typename kernel::prefixes_type const prefixes{
        &control(), words_.data() + control_words, tiles, words_.size() - control_words, epoch_limit_,
        1,          may_be_in_place(problem)};
    kernel const k{work{problem, work::tile::goes_by_chunks(problem)}, prefixes};
    for (std::size_t i = 0; i < tiles; ++i) {
      std::size_t const number = order.empty() ? i : order[i];
      if (Tickets) control().ticket = number;
      league_.run_team(static_cast<int>(Tickets ? i : number), static_cast<int>(tiles), kernel::team_size,
                       [&](lockstep_league_member const& m) { k(typename kernel::scan{}, m); });
    }
  }

  template <class Problem>
  static std::size_t tile_size() {
    return work_of<Lanes, Shape, Problem>::tile::size;
  }

 private:
  std::uint32_t epoch_limit_;
  lockstep_league league_;
  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(control_words);
};

/// Who falls back for a stalled tile has its owner's bits, also where sums are rounded. scan(machine, in, out, order)
/// scans n numbers in `tiles` tiles, plain(in) is a loop.
template <class Machine, class Scan, class Plain>
void expect_owners_bits(std::size_t n, std::size_t tiles, Scan const& scan, Plain const& plain) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> values(-1, 1);
  std::vector<double> in(n);
  for (double& x : in) x = values(random);
  std::vector<std::size_t> order(tiles);
  std::iota(order.begin(), order.end(), std::size_t(0));
  auto const scanned = [&] {
    Machine machine;
    std::vector<double> out(n);
    scan(machine, in.data(), out.data(), order);
    EXPECT_EQ(machine.control().fallbacks, order[0] == 0 ? 0u : tiles - 1);
    return out;
  };
  auto const alone = scanned();
  std::reverse(order.begin(), order.end());
  EXPECT_EQ(std::memcmp(alone.data(), scanned().data(), n * sizeof(double)), 0);
  std::vector<double> const expected = plain(in);
  for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(alone[i], expected[i], 1e-9);
  EXPECT_NE(alone, expected) << "the values are to be such that the association matters";
}

}  // namespace lockstep
