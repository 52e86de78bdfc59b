// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The look-back engine of GPUs on a CPU: its kernel with lockstep lanes.

#include <upsweep/base/index.hpp>
#include <upsweep/scan/detail/scan_work.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_league.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

using namespace upsweep::detail;
using upsweep::team::testing::lockstep_league;
using upsweep::team::testing::lockstep_league_member;

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
    std::size_t const tiles = upsweep::divide_up<std::size_t>(problem.n, work::tile::size);
    words_.resize(std::max(words_.size(), control_words + kernel::prefixes_type::words(tiles)));
    typename kernel::prefixes_type const prefixes{
        &control(), words_.data() + control_words, tiles, words_.size() - control_words, epoch_limit_, 1, may_be_in_place(problem)};
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

}  // namespace lockstep
