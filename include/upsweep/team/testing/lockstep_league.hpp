// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Host only: whole kernels of a TeamPolicy, with teams as large as those of a GPU.

#include <upsweep/team/testing/lockstep_member.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace upsweep::team::testing {

/// Scratch of a team as one of its threads asks for it: all threads ask for the same things in the same order.
class lockstep_scratch {
 public:
  lockstep_scratch(std::byte* first, std::size_t bytes) : next_(first), left_(bytes) {}

  KOKKOS_FUNCTION void* get_shmem_aligned([[maybe_unused]] std::size_t bytes,
                                          [[maybe_unused]] std::size_t alignment) const {
    KOKKOS_IF_ON_HOST((return take(bytes, alignment);))
    KOKKOS_IF_ON_DEVICE((return nullptr;))
  }

 private:
  void* take(std::size_t bytes, std::size_t alignment) const {
    void* place = next_;
    if (std::align(alignment, bytes, place, left_) == nullptr)
      throw lockstep_error("a team has " + std::to_string(left_) + " bytes of scratch left, but asks for " +
                           std::to_string(bytes));
    next_ = static_cast<std::byte*>(place) + bytes;
    left_ -= bytes;
    return place;
  }

  mutable std::byte* next_;
  mutable std::size_t left_;
};

/// A thread of a league's team, as kernels see it: what they use of Kokkos' members.
class lockstep_league_member {
 public:
  lockstep_league_member(lockstep_member const& thread, int rank, int size, lockstep_scratch scratch)
      : thread_(thread), rank_(rank), size_(size), scratch_(scratch) {}
  KOKKOS_FUNCTION int team_rank() const { return thread_.team_rank(); }
  KOKKOS_FUNCTION int team_size() const { return thread_.team_size(); }
  KOKKOS_FUNCTION int league_rank() const { return rank_; }
  KOKKOS_FUNCTION int league_size() const { return size_; }
  KOKKOS_FUNCTION void team_barrier() const { thread_.team_barrier(); }
  KOKKOS_FUNCTION lockstep_scratch const& team_scratch(int) const { return scratch_; }

 private:
  lockstep_member thread_;
  int rank_, size_;
  lockstep_scratch scratch_;
};

/// Runs teams one after the other: lockstep_league league(4096); league.run(teams, size,
/// [&](lockstep_league_member const& m) { ... });
///
/// Each team finds its scratch full of bytes that are no value anybody has stored.
/// Throws: as lockstep_team::run; lockstep_error where a team asks for more scratch than there is.
class lockstep_league {
 public:
  explicit lockstep_league(std::size_t scratch_bytes, std::uint64_t seed = 1)
      : threads_(seed), scratch_(scratch_bytes) {}

  template <class Body>
  void run(int teams, int team_size, Body const& body) {
    for (int team = 0; team < teams; ++team) run_team(team, teams, team_size, body);
  }
  /// One of them.
  template <class Body>
  void run_team(int team, int teams, int team_size, Body const& body) {
    scratch_.assign(scratch_.size(), std::byte(0xa5));
    threads_.run(team_size, [&](lockstep_member const& thread) {
      body(lockstep_league_member(thread, team, teams, lockstep_scratch(scratch_.data(), scratch_.size())));
    });
  }

 private:
  lockstep_team threads_;
  std::vector<std::byte> scratch_;
};

}  // namespace upsweep::team::testing
