// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/cpu/cpu_kernels.hpp>
#include <upsweep/scan/detail/cpu/cpu_tuning.hpp>
#include <upsweep/scan/detail/problem/commutes.hpp>
#include <upsweep/scan/detail/problem/contiguous_bytes.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

// How a CPU thread folds and scans runs of tiles: with compiled kernels, or with loops over any sequence and monoid;
// segmented scans with those of segmented_tiles.hpp.
//   size                 elements of a tile
//   parallel_tiles       fewer tiles are one tile
//   tiles_per_thread     fewer are not worth a thread
//   least_nanoseconds    a thread scans an element no faster, nor folds it faster than in least_fold_nanoseconds
//   group_tiles, largest_group, polls_a_tile   see cpu_tuning.hpp
//   group_alone()                           group_tiles of a thread that is alone
//   fold(first, last, aggregates)           aggregates[k] of tile first + k
//   any_order                               whether any order of operations gives the same bits; if so
//   fold_unordered(first, last)             the aggregate of all these
//   scan_on(first, last, prefix)            all these as one; returns the combination of prefix and all
//   scan(first, last, prefixes, ahead)      each tile behind its prefix; then come the tiles from `ahead`, 0 for none
//   scan_serially(init)                     all elements as one tile; returns the combination of all
//   finish()                                before other threads may read what was stored

/// Whether n results go straight to memory.
template <class Tuning, class In, class Out>
bool streams_past_caches(In const* in, Out const* out, std::size_t n) {
  return n * sizeof(Out) >= Tuning::streaming_bytes && static_cast<void const*>(in) != out &&
         reinterpret_cast<std::uintptr_t>(out) % 64 == 0;
}

/// Built-in types: the kernels of src/scan.
template <class Problem, class Tuning = cpu_tuning>
class compiled_tiles {
  using monoid = typename Problem::monoid_type;
  static constexpr cpu_operation operation = compiled_monoid<monoid>::operation;
  using word = cpu_word<typename Problem::state, operation>;
  using kernels = cpu_kernels<word>;

 public:
  using state = typename Problem::state;
  static constexpr std::size_t size = Tuning::tile_bytes / sizeof(state);
  static constexpr std::size_t parallel_tiles = Tuning::parallel_tiles;
  static constexpr std::size_t tiles_per_thread = 2;
  static constexpr double least_nanoseconds = Tuning::least_scan_nanoseconds * sizeof(state);
  static constexpr double least_fold_nanoseconds = Tuning::least_fold_nanoseconds * sizeof(state);
  static constexpr std::size_t group_tiles = Tuning::group_tiles, largest_group = Tuning::largest_group;
  static constexpr std::size_t polls_a_tile = Tuning::polls_a_tile;
  static constexpr bool any_order = std::is_integral_v<state>;

  compiled_tiles(Problem const& problem, internal::instruction_set which)
      : in_(reinterpret_cast<word const*>(problem.in.data)),
        out_(reinterpret_cast<word*>(problem.out.data)),
        n_(problem.n),
        kernels_(&cpu_kernels_for<word, operation>(which)),
        fold_(n_ * sizeof(word) <= Tuning::cached_bytes ? kernels_->fold_cached : kernels_->fold),
        streams_(streams_past_caches<Tuning>(in_, out_, n_)),
        scan_((streams_ ? kernels_->scan_streaming : kernels_->scan)[Problem::inclusive]) {}

  std::size_t group_alone() const { return streams_ ? group_tiles : std::min(Tuning::group_alone, group_tiles); }

  void fold(std::size_t first, std::size_t last, state* aggregates) const {
    for (std::size_t tile = first; tile < last; ++tile)
      aggregates[tile - first] = static_cast<state>(fold_(in_ + tile * size, length(tile)));
  }
  state fold_unordered(std::size_t first, std::size_t last) const {
    return static_cast<state>(fold_(in_ + first * size, std::min(last * size, n_) - first * size));
  }

  void scan(std::size_t first, std::size_t last, state const* prefixes, std::size_t ahead) const {
    for (std::size_t tile = first; tile < last; ++tile) {
      // Over the tiles of a group, each prefetches its part of every tile of the next group.
      std::size_t const part = size / (last - first) * (tile - first);
      word const* const next = ahead == 0 ? nullptr : in_ + ahead * size + part;
      scan_(in_ + tile * size, out_ + tile * size, length(tile), static_cast<word>(prefixes[tile - first]), next, size);
    }
  }

  state scan_on(std::size_t first, std::size_t last, state const& prefix) const {
    return scan_range(first * size, std::min(last * size, n_), prefix);
  }
  state scan_serially(state const& init) const { return scan_range(0, n_, init); }

  void finish() const { kernels_->drain(); }

 private:
  std::size_t length(std::size_t tile) const { return std::min(size, n_ - tile * size); }
  state scan_range(std::size_t begin, std::size_t end, state const& prefix) const {
    word const last = in_[end - 1];  // read first: in may be out
    scan_(in_ + begin, out_ + begin, end - begin, static_cast<word>(prefix), nullptr, 0);
    state const all = static_cast<state>(out_[end - 1]);
    return Problem::inclusive ? all : monoid{}(all, static_cast<state>(last));
  }

  word const* in_;
  word* out_;
  std::size_t n_;
  kernels const* kernels_;
  word (*fold_)(word const*, std::size_t);
  bool streams_;
  typename kernels::scan_function scan_;
};

/// Any sequences and any monoid. Four tiles together are four chains that do not wait for each other's operations, and
/// four pages at a time for the hardware's prefetching.
/// Association: a tile's aggregate is the left fold of its elements by fours, (x0 x1) (x2 x3), and of what is left;
/// where operands commute, that of fold_range().
template <class Problem, class Tuning = cpu_tuning>
class generic_tiles {
  using output = typename Problem::output;

 public:
  using state = typename Problem::state;
  static constexpr std::size_t size = std::max<std::size_t>(16, Tuning::generic_tile_bytes / sizeof(state));
  static constexpr std::size_t parallel_tiles = 2;
  static constexpr std::size_t tiles_per_thread = 1;
  static constexpr double least_nanoseconds = Tuning::least_generic_nanoseconds;
  static constexpr double least_fold_nanoseconds = Tuning::least_generic_nanoseconds;
  /// Of large states fewer: threads have one for each tile of a group on their stacks.
  static constexpr std::size_t largest_group =
      std::min(Tuning::largest_generic_group, std::max<std::size_t>(32, Tuning::stack_bytes / sizeof(state)));
  static constexpr std::size_t group_tiles = std::min(Tuning::generic_group_tiles, largest_group);
  static constexpr std::size_t polls_a_tile = Tuning::generic_polls_a_tile;
  static constexpr bool any_order = std::is_integral_v<state> && commutes<typename Problem::monoid_type>;

  explicit generic_tiles(Problem const& problem) : p_(problem) {}

  static std::size_t group_alone() { return std::min(Tuning::generic_group_alone, group_tiles); }

  void fold(std::size_t first, std::size_t last, state* aggregates) const {
    if constexpr (commutes<typename Problem::monoid_type>) {
      for (; first < last; ++first) *aggregates++ = fold_range(p_, first * size, end_of(first));
    } else {
      for (; last - first >= 4 && is_whole(first + 3); first += 4, aggregates += 4) fold_tiles<4>(first, aggregates);
      for (; first < last; ++first) fold_tiles<1>(first, aggregates++);
    }
  }
  state fold_unordered(std::size_t first, std::size_t last) const {
    return fold_range(p_, first * size, end_of(last - 1));
  }

  void scan(std::size_t first, std::size_t last, state const* prefixes, std::size_t ahead) const {
    Problem const p = p_;
    if constexpr (chains_fit) {
      std::size_t const next = ahead == 0 ? 0 : ahead - first;
      for (; last - first >= 4 && is_whole(first + 3); first += 4, prefixes += 4)
        scan_chains(p, first * size, prefixes, (first + next) * size);
    }
    for (; first < last; ++first, ++prefixes) scan_range(first * size, end_of(first), *prefixes);
  }
  state scan_on(std::size_t first, std::size_t last, state const& prefix) const {
    return scan_range(first * size, end_of(last - 1), prefix);
  }

  state scan_serially(state const& init) const { return scan_range(0, p_.n, init); }

  void finish() const {}

 protected:
  /// Elements begin ... end - 1 behind `running`; returns the combination of all.
  state scan_range(std::size_t begin, std::size_t end, state running) const {
    Problem const p = p_;
    std::size_t i = begin;
    // Elements in memory are folded by vectors, so four chains are faster than one. A functor is called once.
    if constexpr (any_order && chains_fit && is_contiguous_sequence<decltype(Problem::in)>) {
      for (; end - i >= 4 * size; i += 4 * size) {
        state before[4] = {running};
        for (std::size_t k = 0; k < 3; ++k)
          before[k + 1] = p.monoid(before[k], fold_range(p, i + k * size, i + (k + 1) * size));
        running = scan_chains(p, i, before, i + 4 * size);
      }
    }
    for (; i < end; ++i) put(p, i, running);
    return running;
  }

 private:
  /// Whether the results of four tiles go on the stack.
  static constexpr bool chains_fit = 4 * size * sizeof(state) <= Tuning::stack_bytes;

  bool is_whole(std::size_t tile) const { return (tile + 1) * size <= p_.n; }
  std::size_t end_of(std::size_t tile) const { return std::min((tile + 1) * size, p_.n); }

  // Loops work on copies of the problem: what is stored may lie anywhere, but not in these.

  static state value(Problem const& p, std::size_t i) { return internal::lift(p.monoid, p.in.load(i)); }
  static void store(Problem const& p, std::size_t i, state const& result) {
    auto const lowered = internal::lower<output>(p.monoid, result);
    if constexpr (stores_with_element<decltype(Problem::out)>) p.out.store(i, lowered, p.out.element_of(i));
    else p.out.store(i, lowered);
  }
  static void put(Problem const& p, std::size_t i, state& running) {
    auto const put_between = [&](state const& next, auto const&... element) {
      p.out.store(i, internal::lower<output>(p.monoid, Problem::inclusive ? next : running), element...);
      running = next;
    };
    // Elements are read before the store: in may be out.
    if constexpr (stores_with_element<decltype(Problem::out)>) {
      auto const x = p.out.element_of(i);
      put_between(p.monoid(running, internal::lift(p.monoid, x)), x);
    } else {
      put_between(p.monoid(running, value(p, i)));
    }
  }
  /// Of integers in the order that compilers choose, else in as many chains as two vectors have elements, which take
  /// turns. Pre: begin < end; operands commute.
  static state fold_range(Problem const& of, std::size_t begin, std::size_t end) {
    Problem const p = of;
    if constexpr (any_order) {
      // Two chains of vectors: g++ 16 makes one of one sum, and waits for it.
      std::size_t const half = (end - begin) / 2;
      state left = p.monoid.identity(), right = left;
      for (std::size_t i = begin; i < begin + half; ++i) {
        left = p.monoid(left, value(p, i));
        right = p.monoid(right, value(p, i + half));
      }
      if ((end - begin) % 2 != 0) right = p.monoid(right, value(p, end - 1));
      return p.monoid(left, right);
    }
    constexpr std::size_t chains = std::max<std::size_t>(4, std::bit_floor(128 / sizeof(state)));
    std::size_t i = begin;
    state sum;
    if (end - begin >= chains) {
      state sums[chains];
      for (std::size_t k = 0; k < chains; ++k) sums[k] = value(p, i + k);
      for (i += chains; end - i >= chains; i += chains)
        for (std::size_t k = 0; k < chains; ++k) sums[k] = p.monoid(sums[k], value(p, i + k));
      for (std::size_t half = chains / 2; half > 0; half /= 2)
        for (std::size_t k = 0; k < half; ++k) sums[k] = p.monoid(sums[k], sums[k + half]);
      sum = sums[0];
    } else {
      sum = value(p, i++);
    }
    for (; i < end; ++i) sum = p.monoid(sum, value(p, i));
    return sum;
  }
  static state value_of_four(Problem const& p, std::size_t i) {
    state const left = p.monoid(value(p, i), value(p, i + 1)), right = p.monoid(value(p, i + 2), value(p, i + 3));
    return p.monoid(left, right);
  }
  /// Pre: tiles are whole, a single one may be the last.
  template <int Tiles>
  void fold_tiles(std::size_t first, state* aggregates) const {
    Problem const p = p_;
    std::size_t const begin = first * size, length = Tiles == 1 ? end_of(first) - begin : size;
    auto const for_each_tile = [&](auto const& f) {
      for (std::size_t t = 0; t < Tiles; ++t) f(t, begin + t * size);
    };
    state sums[Tiles];
    std::size_t k = length >= 4 ? 4 : 1;
    for_each_tile([&](std::size_t t, std::size_t i) { sums[t] = length >= 4 ? value_of_four(p, i) : value(p, i); });
    for (; length - k >= 4; k += 4)
      for_each_tile([&](std::size_t t, std::size_t i) { sums[t] = p.monoid(sums[t], value_of_four(p, i + k)); });
    for (; k < length; ++k)
      for_each_tile([&](std::size_t t, std::size_t i) { sums[t] = p.monoid(sums[t], value(p, i + k)); });
    std::copy_n(sums, Tiles, aggregates);
  }
  /// Four tiles; returns the combination of all. Elements from `ahead` on will be folded next: they are prefetched,
  /// since memory would be idle meanwhile. Results go by way of the stack, so that they are written in order.
  static state scan_chains(Problem const& p, std::size_t begin, state const* prefixes, std::size_t ahead) {
    state results[4 * size];
    state a = prefixes[0], b = prefixes[1], c = prefixes[2], d = prefixes[3];
    auto const next = [&](std::size_t k, state& running) {
      state const before = running;
      running = p.monoid(before, value(p, begin + k));
      results[k] = Problem::inclusive ? running : before;
    };
    for (std::size_t k = 0; k < size; ++k) {
      if constexpr (is_contiguous_sequence<decltype(Problem::in)>) __builtin_prefetch(p.in.data + ahead + 4 * k);
      next(k, a);
      next(k + size, b);
      next(k + 2 * size, c);
      next(k + 3 * size, d);
    }
    for (std::size_t k = 0; k < 4 * size; ++k) store(p, begin + k, results[k]);
    return d;
  }

  Problem p_;
};

}  // namespace upsweep::scan::detail
