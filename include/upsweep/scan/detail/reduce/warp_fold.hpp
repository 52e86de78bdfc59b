// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/monoids/state_monoid.hpp>
#include <upsweep/scan/detail/problem/commutes.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>
#include <upsweep/scan/detail/tiles/striped_tile.hpp>
#include <upsweep/scan/tuning.hpp>

#include <cstddef>

namespace upsweep::scan::detail {

template <class Monoid>
inline constexpr bool commutes<internal::state_monoid<Monoid>> = commutes<Monoid>;

/// Folds elements side by side by a warp, or by several of them, with up to Bytes bytes per lane in flight.
///
/// Where operands may be taken in any order, thread k of m has the chunks of 16 bytes k, k + m, k + 2 m, ..., and lanes
/// meet once; elements before the first whole chunk and behind the last one are a lane's each.
/// Else a warp goes from block to block, rows of which have a chunk for each lane, and each block is folded in order.
/// Blocks begin where 128 bytes do, if the sequence lies so, and lanes load chunks wherever one has an element that is
/// wanted: what else is in a chunk is read and left out. H200, 2026-11-23: loaded element by element, the first and the
/// last block of a stretch took several times as long as the others.
/// Association: fixed by the stretch and the number of warps. Whether elements come in chunks or alone
///   makes no difference.
template <class In, class Monoid, int Bytes, class Lanes>
struct warp_fold {
  using state = typename Monoid::value_type;
  using problem = scan_problem<In, no_output<state>, Monoid, false>;
  using block = striped_tile<problem, engine::striped_shape<1, Bytes, 1>, Lanes>;
  static constexpr std::size_t block_size = block::warp_elements;
  /// Whether operands are taken in any order.
  static constexpr bool in_any_order = commutes<Monoid> && block::keeps;
  /// Elements of a row: a chunk for each lane.
  static constexpr std::size_t row_size = block_size / block::rounds;

  In in;
  Monoid op;
  std::size_t n;  ///< elements of the sequence
  bool by_chunks;

  warp_fold(In const& sequence, Monoid const& monoid, std::size_t elements)
      : in(sequence),
        op(monoid),
        n(elements),
        by_chunks(block::goes_by_chunks({sequence, {}, monoid, {monoid.identity()}, 0, {}})) {}
  /// In kernels. chunks: the sequence begins at a multiple of 16 bytes.
  KOKKOS_FORCEINLINE_FUNCTION warp_fold(In const& sequence, Monoid const& monoid, std::size_t elements, bool chunks)
      : in(sequence), op(monoid), n(elements), by_chunks(chunks) {}

  /// The fold of elements [begin, end), in every lane. Pre: begin < end <= n.
  KOKKOS_FORCEINLINE_FUNCTION state operator()(std::size_t begin, std::size_t end, int lane) const {
    if constexpr (in_any_order) return fold_all_lanes(fold_own(begin, end, lane, Lanes::size));
    else return fold_blocks(begin, end, lane);
  }

  /// The same for warps together, 2^bits of them: what warp number `warp` has, in every lane. The fold of these in
  /// order is that of all elements; a warp for which there are none has the identity. Pre: begin <= end <= n; fewer
  /// than 2^31 elements.
  KOKKOS_FORCEINLINE_FUNCTION state part(std::size_t begin, std::size_t end, int warp, int bits, int lane) const {
    if constexpr (in_any_order) {
      return fold_all_lanes(fold_own(begin, end, warp * Lanes::size + lane, Lanes::size << bits));
    } else {
      // A warp has rows side by side.
      std::size_t const first = first_block(begin);
      int const rows = begin < end ? static_cast<int>((end - first + row_size - 1) / row_size) : 0;
      int const share = (rows + (1 << bits) - 1) >> bits;
      std::size_t const from = first + static_cast<std::size_t>(warp * share) * row_size;
      if (warp * share >= rows) return op.identity();
      return fold_blocks(Kokkos::max(begin, from), Kokkos::min(end, from + static_cast<std::size_t>(share) * row_size),
                         lane);
    }
  }

 private:
  static constexpr int items = block::per_round;
  using chunk = internal::element_chunk<block::slot, block::bytes>;
  static_assert(2 * (items - 1) <= Lanes::size, "upsweep: what lies around whole chunks is a lane's each.");

  /// In any order: the fold of all lanes' values, in every lane.
  KOKKOS_FORCEINLINE_FUNCTION state fold_all_lanes(state sum) const {
    UPSWEEP_UNROLL
    for (int bit = Lanes::size / 2; bit > 0; bit /= 2) sum = op(sum, Lanes::shuffle_xor(sum, bit));
    return sum;
  }

  /// In any order: what one of `threads` threads has of elements [begin, end).
  KOKKOS_FORCEINLINE_FUNCTION state fold_own(std::size_t begin, std::size_t end, int thread, int threads) const {
    constexpr auto size = static_cast<std::size_t>(items);
    constexpr int rounds = block::rounds;
    std::size_t const first = (begin + size - 1) / size;
    int const chunks = end / size > first ? static_cast<int>(end / size - first) : 0;
    // Elements before the chunks, and behind them.
    std::size_t const head_end = Kokkos::min(first * size, end),
                      tail = head_end + static_cast<std::size_t>(chunks) * size;
    int const head = static_cast<int>(head_end - begin), edges = head + static_cast<int>(end - tail);
    state edge = op.identity(), sum = op.identity();
    if (thread < edges)
      edge = internal::lift(op, in.load(thread < head ? begin + static_cast<std::size_t>(thread)
                                                      : tail + static_cast<std::size_t>(thread - head)));
    UPSWEEP_NO_UNROLL
    for (int at = thread; at < chunks; at += rounds * threads) {
      chunk held[rounds] = {};
      UPSWEEP_UNROLL
      for (int r = 0; r < rounds; ++r)
        if (at + r * threads < chunks) load_whole((first + static_cast<std::size_t>(at + r * threads)) * size, held[r]);
      UPSWEEP_UNROLL
      for (int r = 0; r < rounds; ++r) {
        if (at + r * threads < chunks) {
          UPSWEEP_UNROLL
          for (int k = 0; k < items; ++k)
            sum = op(sum, internal::lift(op, held[r].template take<typename block::input>(k)));
        }
      }
    }
    return op(sum, edge);
  }

  KOKKOS_FORCEINLINE_FUNCTION void load_whole(std::size_t first, chunk& held) const {
    if constexpr (block::can_load_chunks) {
      if (by_chunks) {
        held = *reinterpret_cast<chunk const*>(in.data + first);
        return;
      }
    }
    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k) held.put(k, in.load(first + static_cast<std::size_t>(k)));
  }

  /// Where the blocks of a stretch begin.
  KOKKOS_FORCEINLINE_FUNCTION static std::size_t first_block(std::size_t begin) {
    return begin - begin % (8 * static_cast<std::size_t>(items));
  }

  /// In order: the fold of elements [begin, end), in every lane.
  KOKKOS_FORCEINLINE_FUNCTION state fold_blocks(std::size_t begin, std::size_t end, int lane) const {
    std::size_t const whole = block_size;  // nvcc: a constant has no address
    std::size_t const first = first_block(begin);
    state sum = op.identity();
    UPSWEEP_NO_UNROLL
    for (std::size_t at = first; at < end; at += whole) {
      int const from = at < begin ? static_cast<int>(begin - at) : 0,
                to = static_cast<int>(Kokkos::min(end - at, whole));
      bool const is_whole = by_chunks && from == 0 && to == static_cast<int>(whole);
      state const next = is_whole ? fold_block<true>(at, from, to, lane) : fold_block<false>(at, from, to, lane);
      if (at == first) sum = next;
      else sum = op(sum, next);
    }
    return sum;
  }

  /// Of elements [from, to) of the block that begins at element `first`. Whole: these are all, and come in chunks.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION state fold_block(std::size_t first, int from, int to, int lane) const {
    [[maybe_unused]] chunk held[block::keeps ? block::rounds : 1] = {};
    if constexpr (block::keeps) {
      UPSWEEP_UNROLL
      for (int r = 0; r < block::rounds; ++r) load<Whole>(first, block::place(r, lane), from, to, held[r]);
    }
    state row[block::rounds];
    UPSWEEP_UNROLL
    for (int r = 0; r < block::rounds; ++r) {
      int const at = block::place(r, lane);
      state sum = op.identity();
      UPSWEEP_UNROLL
      for (int k = 0; k < items; ++k) {
        if (Whole || (at + k >= from && at + k < to)) {
          state const x = internal::lift(op, element(held, first, r, at, k));
          sum = k == 0 || at + k == from ? x : op(sum, x);
        }
      }
      row[r] = sum;
    }
    return internal::fold_rows<Lanes, 0, block::rounds>(op, row, lane);
  }

  /// Loads the chunk at place `at` of a block, if it has elements of [from, to).
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void load(std::size_t first, int at, [[maybe_unused]] int from, [[maybe_unused]] int to,
                                        chunk& held) const {
    if constexpr (block::can_load_chunks) {
      bool const is_wanted =
          Whole || (by_chunks && at < to && at + items > from && first + static_cast<std::size_t>(at + items) <= n);
      if (is_wanted) held = *reinterpret_cast<chunk const*>(in.data + first + static_cast<std::size_t>(at));
      if (Whole || is_wanted) return;
    }
    if (at >= to || at + items <= from) return;
    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k)
      held.put(k, in.load(first + static_cast<std::size_t>(Kokkos::max(from, Kokkos::min(at + k, to - 1)))));
  }

  /// Element k of the chunk at place `at`, that of round r.
  template <class Held>
  KOKKOS_FORCEINLINE_FUNCTION typename block::input element([[maybe_unused]] Held const& held,
                                                            [[maybe_unused]] std::size_t first, [[maybe_unused]] int r,
                                                            [[maybe_unused]] int at, int k) const {
    if constexpr (block::keeps) return held[r].template take<typename block::input>(k);
    else return in.load(first + static_cast<std::size_t>(at + k));
  }
};

}  // namespace upsweep::scan::detail
