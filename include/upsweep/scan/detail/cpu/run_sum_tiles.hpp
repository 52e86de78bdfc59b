// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/instruction_set.hpp>
#include <upsweep/scan/detail/cpu/cpu_kernels.hpp>
#include <upsweep/scan/detail/cpu/cpu_segment_kernels.hpp>
#include <upsweep/scan/detail/cpu/cpu_tuning.hpp>
#include <upsweep/scan/detail/cpu/segment_folds.hpp>
#include <upsweep/scan/detail/segments/run_sums.hpp>
#include <upsweep/scan/internal/run_heads.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

/// The tiles of cpu_tiles.hpp for reductions of runs: fold() counts the runs that begin in a tile and folds the
/// last of them, and a scan stores the runs up to that one. So keys are read up to four times, mostly from a cache,
/// and values once.
/// Association: built-in numbers with integer keys: windows (src/scan/segment_windows.hpp) in pieces of 1024 elements
/// of a tile. Others: the left fold of a run's first 512 elements in a tile, then four quarters' left folds of the
/// others. In front of that the prefix. The aggregate of a tile is what follows its last head: segment_folds.hpp.
template <class Problem, class Tuning = cpu_tuning>
class run_sum_tiles
    : public segment_tile_shape<Tuning, folds_of<Problem>, typename decltype(Problem::in.heads.keys)::value_type> {
  using shape = typename run_sum_tiles::segment_tile_shape;
  using folds_type = folds_of<Problem>;
  using value_type = typename folds_type::value_type;
  using monoid_type = decltype(Problem::out.monoid);
  using heads_type = decltype(Problem::in.heads);

  /// Integer keys side by side, by ==, and values side by side whose monoid is compiled.
  static constexpr bool find_kernels() {
#if defined(UPSWEEP_CPU_KERNELS)
    return internal::has_head_kernels<decltype(heads_type::keys), decltype(heads_type::equal)> &&
           compiled_monoid<monoid_type>::exists &&
           std::is_same_v<decltype(Problem::in.in), internal::contiguous_sequence<value_type const>>;
#else
    return false;
#endif
  }
  static constexpr bool has_kernels = find_kernels();

 public:
  using state = typename Problem::state;
  using shape::size;

  explicit run_sum_tiles(Problem const& problem)
      : folds_{problem.in.heads, problem.in.in, problem.out.monoid}, out_(problem.out.out), n_(problem.n) {}

  void fold(std::size_t first, std::size_t last, state* aggregates) const {
    for (std::size_t tile = first; tile < last; ++tile) {
      std::size_t const begin = tile * size, end = end_of(tile), head = folds_.last_head(begin, end);
      aggregates[tile - first] =
          make_run_sum(folds_.since(head, begin, end), head < end ? runs_before(begin, head) + 1 : 0);
    }
  }

  void scan(std::size_t first, std::size_t last, state const* prefixes, std::size_t) const {
    for (std::size_t tile = first; tile < last; ++tile) {
      // What comes behind the last head has been folded.
      std::size_t const begin = tile * size, end = end_of(tile), head = folds_.last_head(begin, end);
      if (head < end) scan_range(begin, head + 1, prefixes[tile - first]);
    }
  }

  state scan_serially(state const& init) const { return scan_range(0, n_, init); }

  void finish() const {}

 private:
  std::size_t end_of(std::size_t tile) const { return std::min((tile + 1) * size, n_); }

  /// Runs that begin in [begin, end).
  std::uint64_t runs_before(std::size_t begin, std::size_t end) const {
    auto const heads = folds_.heads;
    if (begin == end) return 0;
    std::uint64_t count = heads.at(begin) ? 1 : 0;
    // 32 bits count in as many lanes as keys of 4 bytes are compared in.
    for (std::size_t i = begin + 1; i < end;) {
      std::uint32_t some = 0;
      for (std::size_t const stop = std::min(end, i + 4096); i < stop; ++i) some += heads.starts(i) ? 1u : 0u;
      count += some;
    }
    return count;
  }

  /// Stores the runs that begin in [begin, end), each with the fold before it; returns the fold since the last
  /// one, up to `end`.
  /// Pre: begin < end.
  state scan_range(std::size_t begin, std::size_t end, state const& before) const {
    if constexpr (has_kernels) return scan_by_kernels(begin, end, before);
    else return scan_in_loop(begin, end, before);
  }

  /// By segmented scans of pieces that lie on the stack: the result in front of a head is the sum of the run before it.
  state scan_by_kernels(std::size_t begin, std::size_t end, state const& before) const {
    using word = cpu_word<value_type, compiled_monoid<monoid_type>::operation>;
    constexpr std::size_t piece = 1024;
    auto const out = out_;
    auto const kernel =
        segment_kernels_for<word, compiled_monoid<monoid_type>::operation>(internal::widest_instruction_set())
            .scan[true];
    auto const* const values = reinterpret_cast<word const*>(folds_.in.data);
    std::uint64_t heads[piece / 64];
    value_type sums[1 + piece];
    sums[0] = before.value;
    std::uint64_t runs = before.runs();
    for (std::size_t first = begin, last = 0; first < end; first = last) {
      last = std::min(first + piece, end);
      std::size_t const length = last - first;
      internal::read_run_heads(folds_.heads.keys, folds_.heads.equal, first, last, heads);
      if (length % 64 != 0) heads[length / 64] &= ~(~std::uint64_t(0) << (length % 64));
      auto const all = static_cast<value_type>(
          kernel(values + first, reinterpret_cast<word*>(sums + 1), length, static_cast<word>(sums[0]), heads));
      runs += store_runs(out, folds_.heads.keys.data + first, sums, length, heads, runs);
      sums[0] = all;
    }
    return make_run_sum(sums[0], runs);
  }
  /// Runs whose heads are so marked: each key goes to its run, and the sum in front of it to the run before. Returns
  /// how many there are.
  template <class Out, class Key>
  static std::uint64_t store_runs(Out const& out, Key const* keys, value_type const* sums, std::size_t length,
                                  std::uint64_t const* heads, std::uint64_t runs) {
    if constexpr (requires { out.runs(keys, sums, length, heads, runs); }) {
      return out.runs(keys, sums, length, heads, runs);
    } else {
      std::uint64_t found = 0;
      for (std::size_t i = 0; i < length; i += 64)
        for (std::uint64_t bits = heads[i / 64]; bits != 0; bits &= bits - 1, ++found) {
          std::size_t const at = i + static_cast<std::size_t>(std::countr_zero(bits));
          if (runs + found > 0) out.ends(runs + found - 1, sums[at]);
          out.begins(runs + found, keys[at]);
        }
      return found;
    }
  }

  state scan_in_loop(std::size_t begin, std::size_t end, state const& before) const {
    // Copies: what is stored may lie anywhere, but not in these.
    auto const folds = folds_;
    auto const out = out_;
    value_type running = before.value;
    std::uint64_t runs = before.runs();
    std::size_t i = begin;
    if (!folds.heads.at(i)) i = fold_on(folds, i, end, running);
    while (i < end) {  // a run begins here
      if (runs > 0) out.ends(runs - 1, running);
      out.begins(runs++, folds.heads.keys.load(i));
      running = folds.value(i++);
      // Long runs look for their end in blocks, which costs short ones more than it helps: 2^20 int32 in runs of 8 /
      // 100, a thread's scan, us, with 16 instead of 512: 1810 / 660, with 512: 1505 / 550.
      std::size_t const near = std::min(end, i + 512);
      while (i < near && !folds.heads.starts(i)) running = folds.op(running, folds.value(i++));
      if (i == near && i < end && !folds.heads.starts(i)) i = fold_on(folds, i, end, running);
    }
    return make_run_sum(running, runs);
  }

  /// Goes on with the fold of a run from element `begin` on, which is of it, as far as it goes; returns where that is.
  template <class Folds>
  static std::size_t fold_on(Folds const& folds, std::size_t begin, std::size_t end, value_type& running) {
    std::size_t const stop = folds.next_head(begin + 1, end);
    running = folds.op(running, folds.fold_quarters(begin, stop));
    return stop;
  }

  folds_type folds_;
  decltype(Problem::out.out) out_;
  std::size_t n_;
};

}  // namespace upsweep::scan::detail
