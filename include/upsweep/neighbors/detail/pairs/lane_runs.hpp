// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/detail/grid/candidate_runs.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// The first lane whose value is more than n, where values do not fall from lane to lane; the last lane, if none is.
/// Each lane has an n of its own.
template <class Lanes>
KOKKOS_FORCEINLINE_FUNCTION int first_lane_above(int n, int value) {
  int lane = 0;
  UPSWEEP_UNROLL
  for (int half = Lanes::size / 2; half > 0; half /= 2)
    if (Lanes::shuffle(value, lane + half - 1) <= n) lane += half;
  return lane;
}

/// The place of the bit that is set above n others that are. Pre: there is one.
template <class Lanes>
KOKKOS_FORCEINLINE_FUNCTION int nth_set_bit(typename Lanes::mask bits, int n) {
  int at = 0;
  UPSWEEP_UNROLL
  for (int half = Lanes::size / 2; half > 0; half /= 2) {
    int const below = Lanes::popcount_below(bits >> at, half);
    if (n < below) continue;
    n -= below;
    at += half;
  }
  return at;
}

/// One bit for each lane that has one to set, no two the same.
template <class Lanes>
KOKKOS_FORCEINLINE_FUNCTION typename Lanes::mask join_bits(bool has_one, int bit) {
  typename Lanes::mask all = 0;
  UPSWEEP_UNROLL
  for (int low = 0; low < Lanes::size; low += 32) {
    bool const here = has_one && bit >= low && bit < low + 32;
    std::uint32_t const word = Lanes::reduce_sum(here ? 1u << (bit - low) : 0u);
    all |= static_cast<typename Lanes::mask>(word) << low;
  }
  return all;
}

/// Runs of a particle's candidates, at most one for each lane. Candidates are numbered through all runs, in the order
/// of a list's rows.
template <class Lanes>
struct lane_runs {
  int all = 0;       ///< candidates
  int begin = 0;     ///< the number of the lane's first candidate
  int end = 0;       ///< the same behind its last
  int to_place = 0;  ///< what leads from their numbers to their places
  image shift = image(0, 0, 0);

  lane_runs() = default;
  /// Runs without candidates are left out.
  KOKKOS_FORCEINLINE_FUNCTION lane_runs(candidate_run run, int lane) {
    auto const full = Lanes::ballot(run.end > run.begin);
    int const runs = Lanes::popcount(full);
    if ((full & (full + 1)) != 0) {  // not side by side
      int const from = lane < runs ? nth_set_bit<Lanes>(full, lane) : lane;
      run = Lanes::shuffle(run, from);
    }
    if (lane >= runs) run.end = run.begin;
    end = internal::scan_lanes<Lanes>(plus<int>{}, run.end - run.begin, lane);
    begin = end - (run.end - run.begin);
    to_place = run.end - end;
    shift = run.shift;
    all = Lanes::shuffle(end, Lanes::size - 1);
  }

  KOKKOS_FORCEINLINE_FUNCTION bool has_any() const { return end > begin; }

  /// How many runs begin before a candidate.
  KOKKOS_FORCEINLINE_FUNCTION int begun_before(int number) const {
    return Lanes::popcount(Lanes::ballot(has_any() && begin < number));
  }
  /// The runs that begin with candidates of a word, as bits of these.
  KOKKOS_FORCEINLINE_FUNCTION typename Lanes::mask beginning_in(int word) const {
    int const bit = begin - word;
    return join_bits<Lanes>(has_any() && bit >= 0 && bit < Lanes::size, bit);
  }
  /// The number of the candidate that is the particle at a place itself, in no image; -1 without one.
  KOKKOS_FORCEINLINE_FUNCTION int number_of(int place) const {
    int const number = place - to_place;
    auto const found = Lanes::ballot(shift == image(0, 0, 0) && number >= begin && number < end);
    return found == 0 ? -1 : Lanes::shuffle(number, Lanes::lowest_set_bit(found));
  }

  /// A candidate by its number. Each lane has one of its own.
  struct candidate {
    int place;
    image shift;
  };
  KOKKOS_FORCEINLINE_FUNCTION candidate operator[](int number) const {
    int const lane = first_lane_above<Lanes>(number, end);
    return {number + Lanes::shuffle(to_place, lane), Lanes::shuffle(shift, lane)};
  }
};

/// Walks words of candidates, one after the other: a lane's candidate of each.
template <class Lanes>
struct flat_words {
  lane_runs<Lanes> const& runs;
  int before;  ///< the run before those that begin with the next word

  /// From word `first` on.
  KOKKOS_FORCEINLINE_FUNCTION flat_words(lane_runs<Lanes> const& of, int first)
      : runs(of), before(first == 0 ? -1 : of.begun_before(first * Lanes::size) - 1) {}
  /// The lane that knows the run of this lane's candidate. Called for one word after the other.
  KOKKOS_FORCEINLINE_FUNCTION int run_in_next(int word, int lane) {
    auto const beginning = runs.beginning_in(word * Lanes::size);
    int const of = before + Lanes::popcount(static_cast<typename Lanes::mask>(beginning << (Lanes::size - 1 - lane)));
    before += Lanes::popcount(beginning);
    return of;
  }
};

}  // namespace upsweep::neighbors::detail
