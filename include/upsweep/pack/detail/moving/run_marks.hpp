// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/pack/detail/moving/marks.hpp>
#include <upsweep/pack/detail/moving/outputs.hpp>
#include <upsweep/scan/internal/run_heads.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// Part 0 are the elements that differ from the one before, and the first.
template <class In, class Equal>
struct part_by_run {
  In in;
  Equal equal;
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return i == 0 || !equal(in.load(i - 1), in.load(i)) ? 0 : 1; }
  static constexpr bool wants_previous = true;
  /// Of any element but the first one, which begins a run.
  KOKKOS_FUNCTION bool operator()(typename In::value_type const& before, typename In::value_type const& x,
                                  std::size_t) const {
    return !equal(before, x);
  }
  /// All of a range, as bits: on CPUs.
  void read_bits(std::size_t begin, std::size_t end, std::uint64_t* words) const
    requires internal::has_head_kernels<In, Equal>
  {
    internal::read_run_heads(in, equal, begin, end, words);
  }
};

/// What is scanned for the lengths of runs: where the last head of a group is, 0 for none.
struct last_heads {
  std::uint64_t const* words;
  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t mask_word) const {
    return words[mask_word] == 0 ? 0 : mask_word * mask_word_bits + highest_set_bit(words[mask_word]);
  }
};

/// Where runs start, and for each group of elements the last start before it.
struct run_starts {
  std::uint64_t const* words;
  std::uint64_t const* before;
  std::uint64_t const* last;  ///< of all

  /// The start of the run before the one that starts at i. Pre: i is a start, not the first.
  KOKKOS_FUNCTION std::size_t previous(std::size_t i) const {
    std::size_t const mask_word = i / mask_word_bits;
    std::uint64_t const left = words[mask_word] & bits_below(static_cast<unsigned>(i % mask_word_bits));
    return left == 0 ? before[mask_word] : mask_word * mask_word_bits + highest_set_bit(left);
  }
};

/// Stores values and lengths of runs, as many as there is room for.
template <class Values, class Lengths>
struct run_output : run_firsts<Values> {
  static constexpr bool wants_rest = false;
  Lengths lengths;

  KOKKOS_FUNCTION void ends(std::uint64_t run, std::size_t length) const {
    if (this->has_room(run)) lengths.store(run, static_cast<typename Lengths::value_type>(length));
  }
};

/// A run's first element stores its value, and the length of the run before; the last run's length is
/// stored at the end.
template <class In, class Values, class Lengths>
struct run_sink {
  static constexpr bool first_only = true;
  In in;
  run_output<Values, Lengths> out;
  run_starts starts;

  KOKKOS_FUNCTION void operator()(std::size_t i, int, std::uint64_t run) const {
    out.begins(run, in.load(i));
    if (run > 0) out.ends(run - 1, i - starts.previous(i));
  }
  auto plain(element_marks<2> const& marks) const
    requires has_move_kernels<In, Values>
  {
    auto move = make_plain_move(in, out.firsts.to);
    move.is_possible = marks.count(0) <= out.firsts.room;
    return move;
  }
  /// Runs that begin at begin + places[0 ... count-1], of which the first has the number `run`: each says how long the
  /// run before it is. Pre: count > 0; there is room for all.
  void moved(std::size_t begin, std::uint32_t const* places, std::size_t count, std::uint64_t run) const {
    using length = typename Lengths::value_type;
    auto const lengths = out.lengths;
    if (run > 0) lengths.store(run - 1, static_cast<length>(begin + places[0] - starts.previous(begin + places[0])));
    for (std::size_t k = 1; k < count; ++k) lengths.store(run + k - 1, static_cast<length>(places[k] - places[k - 1]));
  }
  KOKKOS_FUNCTION void finish(element_marks<2> const& marks) const {
    std::uint64_t const runs = marks.count(0);
    if (runs > 0) out.ends(runs - 1, marks.n - *starts.last);
    out.finish(runs);
  }
};

}  // namespace upsweep::pack::detail
