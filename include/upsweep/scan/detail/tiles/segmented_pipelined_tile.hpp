// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/segments/staged_heads.hpp>
#include <upsweep/scan/detail/tiles/pipelined_tile.hpp>
#include <upsweep/scan/detail/tiles/segmented_tile.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

/// pipelined_tile of a segmented scan's values, with the tile's heads behind them in the stage. A thread keeps the
/// heads of its elements, a bit each, from its fold to its scan, and combines values only.
template <class Problem, class Shape>
struct segmented_pipelined_tile {
  using values_problem = problem_of_values<Problem>;
  using values_tile = pipelined_tile<values_problem, Shape>;
  using heads_type = decltype(Problem::in.heads);
  using staged = staged_heads<heads_type>;
  using state = typename Problem::state;
  using value = typename values_problem::state;
  using input = typename values_tile::input;
  using output = typename values_tile::output;
  using note = std::uint32_t;  ///< one bit per element: whether a segment starts there

  static constexpr bool counts_heads = staged::bits_per_element == 0;  ///< none in the stage
  static constexpr bool falls_back_from_first = false;                 ///< decoupled_look_back.hpp, wait_for_prefix()
  static constexpr int items = values_tile::items;
  static constexpr int threads = values_tile::threads;
  static constexpr std::size_t size = values_tile::size;
  static constexpr std::uint32_t head_bytes = static_cast<std::uint32_t>(size / 8 * staged::bits_per_element);
  static constexpr std::uint32_t stage_bytes = values_tile::bytes + staged::lead + head_bytes;
  static_assert(items <= 32,
                "upsweep: a thread of a segmented tile has up to 32 elements: Shape::bytes_per_thread is too large.");
  static_assert(head_bytes % 16 == 0 && head_bytes >= staged::lead, "upsweep: copies are of multiples of 16 bytes.");

  static constexpr bool can_copy_in = values_tile::can_copy_in;
  static constexpr bool can_copy_out = values_tile::can_copy_out;
  static bool aligned_in(Problem const& p) {
    if constexpr (counts_heads) return values_tile::aligned_in(values_of(p));
    else return values_tile::aligned_in(values_of(p)) && reinterpret_cast<std::uintptr_t>(bytes_of_heads(p)) % 16 == 0;
  }
  static bool aligned_out(Problem const& p) { return values_tile::aligned_out(values_of(p)); }

  KOKKOS_FUNCTION static void copy_in(Problem const& p, std::size_t number, unsigned char* stage, phase_barrier& full) {
    std::uint32_t const lead = number == 0 ? 0 : staged::lead;
    full.arrive_expecting(values_tile::bytes + lead + head_bytes);
    values_tile::copy_values_in(values_of(p), number, stage, full);
    if constexpr (!counts_heads)
      bulk_copy::load(stage + values_tile::bytes + staged::lead - lead, bytes_of_heads(p) + number * head_bytes - lead,
                      lead + head_bytes, full);
  }
  KOKKOS_FUNCTION static void copy_out(Problem const& p, std::size_t number, void const* stage) {
    values_tile::copy_out(values_of(p), number, stage);
  }

  KOKKOS_FUNCTION static segmented_pipelined_tile at(Problem const& p, std::size_t number, unsigned char* stage,
                                                     int thread, int lane) {
    return {values_tile::at(values_of(p), number, stage, thread, lane), thread};
  }

  values_tile values;
  int thread;

  /// The workers' own load.
  template <bool Whole>
  KOKKOS_FUNCTION note load(Problem const& p) const {
    values.template load<Whole>(values_of(p));
    if constexpr (counts_heads) return counted(p, Whole ? items : values.mine());
    else return loaded<Whole>(p);
  }
  KOKKOS_FUNCTION note copied(Problem const& p) const {
    if constexpr (counts_heads) {
      return counted(p, items);
    } else {
      bool const is_first = values.begin == 0 && thread == 0;
      return staged::template bits<items>(p.in.heads, values.stage + values_tile::bytes + staged::lead, thread,
                                          is_first) |
             (is_first ? 1u : 0u);
    }
  }
  template <bool Whole>
  KOKKOS_FUNCTION void unload(Problem const& p) const {
    values.template unload<Whole>(values_of(p));
  }

  /// The combination of the thread's elements since its last head.
  template <bool Whole>
  KOKKOS_FUNCTION state fold(Problem const& p, note heads) const {
    value own = p.out.monoid.identity();
    values_tile::for_each_access([&](auto first, int a) {
      auto const c = values.chunks()[a];
      UPSWEEP_UNROLL
      for (int k = 0; k < values_tile::per_access; ++k) {
        int const at = a * values_tile::per_access + k;
        if (Whole || at < values.mine()) {
          value through = internal::lift(p.out.monoid, c.template take<input>(k));
          if (!(decltype(first)::value && k == 0) && (heads >> at & 1u) == 0) through = p.out.monoid(own, through);
          own = through;
        }
      }
    });
    return {own, heads != 0};
  }

  /// The same from the input itself.
  KOKKOS_FUNCTION state fold_input(Problem const& p) const {
    state sum{p.out.monoid.identity(), false};
    std::size_t const first = values.begin + static_cast<std::size_t>(thread) * items;
    UPSWEEP_NO_UNROLL
    for (int k = 0; k < values.mine(); ++k) {
      std::size_t const i = first + static_cast<std::size_t>(k);
      value through = internal::lift(p.out.monoid, p.in.in.load(i));
      if (p.in.heads.at(i)) sum.head = true;
      else if (k > 0) through = p.out.monoid(sum.value, through);
      sum.value = through;
    }
    return sum;
  }

  /// Scans the thread's elements in place behind `left`.
  template <bool Whole>
  KOKKOS_FUNCTION void scan(Problem const& p, state const& left, note heads) const {
    auto const& op = p.out.monoid;
    value running = left.value;
    auto* const chunks = values.chunks();
    auto ahead = chunks[0];
    values_tile::for_each_access([&](auto, int a) {
      auto c = ahead;
      if (a + 1 < values_tile::accesses) ahead = chunks[a + 1];
      UPSWEEP_UNROLL
      for (int k = 0; k < values_tile::per_access; ++k) {
        int const at = a * values_tile::per_access + k;
        if (Whole || at < values.mine()) {
          bool const head = (heads >> at & 1u) != 0;
          value through = internal::lift(op, c.template take<input>(k));
          if (!head) through = op(running, through);
          if constexpr (!Problem::inclusive) {
            if (head) running = op.identity();
            c.put(k, internal::lower<output>(op, running));
          } else {
            c.put(k, internal::lower<output>(op, through));
          }
          running = through;
        }
      }
      chunks[a] = c;
    });
  }

 private:
  /// The heads of the thread's first `count` elements.
  KOKKOS_FORCEINLINE_FUNCTION note counted(Problem const& p, int count) const {
    return p.in.heads.bits(values.begin + static_cast<std::size_t>(thread) * items, count);
  }
  /// Lane k of a warp loads the heads of the warp's k-th 32 elements, a bit each, and gives them to the lanes that own
  /// the elements.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION note loaded(Problem const& p) const {
    int const first = (thread - values.lane) * items;
    std::uint32_t own = 0;
    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k) {
      auto const at = static_cast<std::size_t>(first + k * internal::warp_lanes::size + values.lane);
      bool const head = (Whole || at < values.length) && p.in.heads.at(values.begin + at);
      std::uint32_t const word = internal::warp_lanes::ballot(head);
      if (values.lane == k) own = word;
    }
    int const word = values.lane * items / 32;
    std::uint32_t const words[2] = {internal::warp_lanes::shuffle(own, word),
                                    internal::warp_lanes::shuffle(own, Kokkos::min(word + 1, 31))};
    return bits_of_stretch<items>(words, values.lane * items % 32);
  }
  KOKKOS_FORCEINLINE_FUNCTION static values_problem values_of(Problem const& p) {
    return {p.in.in, p.out.out, p.out.monoid, {}, p.n, {}};
  }
  KOKKOS_FORCEINLINE_FUNCTION static char const* bytes_of_heads(Problem const& p) {
    return contiguous_bytes(staged::sequence(p.in.heads));
  }
};

/// The tile of the pipelined engine, and its shape.
template <class Problem, class Tuning>
struct pipeline_of {
  using shape = pipeline_shape_of<Problem, Tuning>;
  static constexpr bool possible = pipelined_tile<Problem, shape>::possible;
  using tile = pipelined_tile<Problem, shape>;
};

/// Of a segmented scan: as many workers as have room for their heads beside their values.
template <class Problem, class Tuning>
  requires(takes_segmented_tile<Problem>::value)
struct pipeline_of<Problem, Tuning> {
  using staged = staged_heads<decltype(Problem::in.heads)>;
  using values = problem_of_values<Problem>;
  using most =
      std::conditional_t<(staged::bits_per_element == 0), typename Tuning::pipelined_rows,
                         std::conditional_t<(staged::bits_per_element <= 16), typename Tuning::pipelined_segments_2,
                                            typename Tuning::pipelined_segments_8>>;

  static constexpr int fitting() {
    constexpr int slot = pipelined_slot<values>, items = most::bytes_per_thread / slot;
    // Scratch of a multiprocessor, less what the system and Kokkos keep, a team and a thread, and what
    // else a team shares.
    constexpr int a_team = scratch_of_multiprocessor / most::teams - 2048 - most::stages * staged::lead;
    constexpr int a_worker =
        most::stages * internal::warp_lanes::size * items * (8 * slot + staged::bits_per_element) / 8 + 320;
    int count = std::min(most::workers, a_team / a_worker);
    while (internal::warp_lanes::size * items * count * staged::bits_per_element % 128 != 0) --count;  // 16 bytes
    return count;
  }
  using own_tile = pipelined_tile<values, most>;
  /// Shorter values are as fast in registers; others may be as wide as a plain scan's. Heads that are counted are worth
  /// it where the hardware copies.
  static constexpr bool possible = own_tile::possible && staged::possible && fitting() > 0 &&
                                   pipelined_slot<values> > 4 && compat::has_large_scratch &&
                                   (staged::bits_per_element > 0 || (own_tile::can_copy_in && own_tile::can_copy_out));
  using shape = engine::pipeline_shape<std::max(fitting(), 1), most::stages, most::teams, most::bytes_per_thread>;
  using tile = segmented_pipelined_tile<Problem, shape>;
};

}  // namespace upsweep::scan::detail
