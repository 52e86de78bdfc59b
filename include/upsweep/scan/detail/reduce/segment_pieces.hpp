// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/detail/hand_over/decoupled_look_back.hpp>
#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>
#include <upsweep/scan/detail/reduce/warp_fold.hpp>
#include <upsweep/scan/detail/segments/segment_search.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

// Long segments, for all warps of some teams. The input is cut at multiples of piece_size, of which a segment that is
// so long contains at least one. A warp has a few of these cuts side by side. It looks for the segment around each cut,
// and if that is a long one, folds what lies between this cut and the next; at a segment's first cut also what lies
// before. So warps find long segments without a list of them, and the number of a cut is the number of a piece. The
// warp that ends a segment's last piece folds the sums of all its pieces.
//
// Shared state: one sum per piece; at a segment's first piece a count of those that are done. Counts have the stamp
// of the call's epoch (look_back_memory.hpp): a warp that finds another stamp restarts the count. The last team
// advances the epoch.
// Memory order: a warp's sum of a piece comes before its count, and the warp that counts last reads the sums after
// that: fences.
// Association: fixed by where a segment lies and n.
// Wrong offsets: a segment of which not all pieces are found has no result; its place in the output is not written.

template <class Problem, class Shape, class Lanes>
struct segment_pieces {
  using state = typename Problem::state;
  using monoid_type = typename Problem::monoid_type;
  using fold_type = warp_fold<typename Problem::input_type, monoid_type, Shape::bytes_per_thread, Lanes>;
  using sums_type = warp_fold<internal::contiguous_sequence<state const>, internal::state_monoid<monoid_type>,
                              Shape::bytes_per_thread, Lanes>;
  using region_type = decoupled_look_back<plus<std::uint32_t>, Lanes, 0>;

  fold_type fold;
  state* sums;         ///< one per piece
  region_type region;  ///< its words count what is done, where tiles of scans have their lines
  std::size_t piece_size, pieces;
  std::size_t longest_whole;  ///< elements of segments that others reduce; at least piece_size

  /// By one of `teams` teams.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Problem const& problem, Member const& m, std::size_t team,
                                              std::size_t teams) const {
    int const lane = m.team_rank() % Lanes::size;
    auto const epoch = static_cast<std::uint32_t>(compat::load_word(&region.control->epoch));
    constexpr std::size_t warps = Shape::warps;
    std::size_t const warp = team * warps + static_cast<std::size_t>(Lanes::uniform(m.team_rank() / Lanes::size));
    std::size_t const last = share(warp + 1, teams * warps);
    UPSWEEP_NO_UNROLL
    for (std::size_t k = share(warp, teams * warps); k < last; k += Lanes::size)
      cuts(problem, k, static_cast<int>(Kokkos::min(last - k, static_cast<std::size_t>(Lanes::size))), epoch, lane);
    m.team_barrier();  // all have read the epoch, and counted
    if (m.team_rank() < Lanes::size) region.finish(teams, epoch, lane);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::size_t share(std::size_t warp, std::size_t warps) const {
    return pieces / warps * warp + Kokkos::min(pieces % warps, warp);
  }

  /// `count` cuts from the k-th on: a lane looks for the segment around each.
  KOKKOS_FORCEINLINE_FUNCTION void cuts(Problem const& problem, std::size_t k, int count, std::uint32_t epoch,
                                        int lane) const {
    std::size_t const at = (k + static_cast<std::size_t>(Kokkos::min(lane, count - 1))) * piece_size;
    std::size_t s = segment_around(problem, k * piece_size, 0, lane);
    if (count > 1) {
      std::size_t high = segment_around(problem, (k + static_cast<std::size_t>(count) - 1) * piece_size, s, lane) + 1;
      while (Lanes::ballot(high - s > 1) != 0) {
        std::size_t const middle = s + (high - s) / 2;
        if (middle > s && problem.offset(middle) > at) high = middle;
        else s = middle;
      }
    }
    std::size_t const begin = problem.offset(s), end = problem.offset(s + 1);
    // Offsets may be wrong.
    bool const is_long = lane < count && begin <= at && at < end && end <= problem.n && end - begin > longest_whole;
    for (auto found = Lanes::ballot(is_long); found != 0; found &= found - 1) {
      int const from_lane = Lanes::lowest_set_bit(found);
      piece(problem, k + static_cast<std::size_t>(from_lane), Lanes::shuffle(s, from_lane),
            Lanes::shuffle(begin, from_lane), Lanes::shuffle(end, from_lane), epoch, lane);
    }
  }

  /// The segment around element `at`, which is `low` or a later one.
  KOKKOS_FORCEINLINE_FUNCTION static std::size_t segment_around(Problem const& problem, std::size_t at, std::size_t low,
                                                                int lane) {
    auto const begins_before = [&](std::size_t s) { return problem.offset(s) <= at; };
    return search_segment<Lanes>(begins_before, low, problem.segments, std::size_t(1),
                                 segment_if_uniform(at, problem.segments, problem.n), problem.segments / 512 + 1, lane);
  }

  /// Piece k, of segment s.
  KOKKOS_FORCEINLINE_FUNCTION void piece(Problem const& problem, std::size_t k, std::size_t s, std::size_t begin,
                                         std::size_t end, std::uint32_t epoch, int lane) const {
    std::size_t const first = (begin + piece_size - 1) / piece_size, count = (end - 1) / piece_size - first + 1;
    std::uint64_t* const done = region.lines + first;
    std::uint64_t const none = stamp::make(epoch, tile_status::aggregate);
    if (lane == 0) {
      // The first warp writes the stamp. If this fails, another warp has written it.
      std::uint64_t const seen = compat::load_word(done);
      if (static_cast<std::uint32_t>(seen) != none) Kokkos::atomic_compare_exchange(done, seen, none);
    }
    state const sum = fold(k == first ? begin : k * piece_size, Kokkos::min(end, (k + 1) * piece_size), lane);
    bool is_last = false;
    if (lane == 0) {
      sums[k] = sum;
      Kokkos::memory_fence();
      is_last = (Kokkos::atomic_fetch_add(done, std::uint64_t(1) << 32) >> 32) + 1 == count;
    }
    if (Lanes::ballot(is_last) == 0) return;
    Kokkos::memory_fence();
    Lanes::sync();
    // From the segment's first sum on.
    sums_type const all({sums + first}, {problem.monoid}, count, first * sizeof(state) % 16 == 0);
    state const total = all(0, count, lane);
    if (lane == 0) problem.store(s, total);
  }
};

}  // namespace upsweep::scan::detail
