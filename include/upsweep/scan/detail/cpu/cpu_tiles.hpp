// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/cpu/cpu_kernels.hpp>
#include <upsweep/scan/detail/cpu/cpu_tuning.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>

#include <algorithm>
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
//   fold(first, last, aggregates)           aggregates[k] of tile first + k
//   any_order, fold_unordered(first, last)  whether any order of operations gives the same bits; if so, the
//                                           aggregate of all these
//   scan(first, last, prefixes, ahead)      each tile behind its prefix; then come the tiles from `ahead`, 0 for none
//   scan_serially(init)                     all elements as one tile; returns the combination of all
//   finish()                                before other threads may read what was stored

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
        scan_(kernels_->scan[Problem::inclusive]) {
    if (n_ * sizeof(word) >= Tuning::streaming_bytes && in_ != out_ && reinterpret_cast<std::uintptr_t>(out_) % 64 == 0)
      scan_ = kernels_->scan_streaming[Problem::inclusive];
  }

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

  state scan_serially(state const& init) const {
    word const last = in_[n_ - 1];  // read first: in may be out
    scan_(in_, out_, n_, static_cast<word>(init), nullptr, 0);
    state const end = static_cast<state>(out_[n_ - 1]);
    return Problem::inclusive ? end : monoid{}(end, static_cast<state>(last));
  }

  void finish() const { kernels_->drain(); }

 private:
  std::size_t length(std::size_t tile) const { return std::min(size, n_ - tile * size); }

  word const* in_;
  word* out_;
  std::size_t n_;
  kernels const* kernels_;
  word (*fold_)(word const*, std::size_t);
  typename kernels::scan_function scan_;
};

/// Any sequences and any monoid. Four tiles together are four chains that do not wait for each other's operations, and
/// four pages at a time for the hardware's prefetching.
template <class Problem, class Tuning = cpu_tuning>
class generic_tiles {
  using output = typename Problem::output;

 public:
  using state = typename Problem::state;
  static constexpr std::size_t tile_bytes =
      stores_with_element<decltype(Problem::out)> ? Tuning::called_tile_bytes : Tuning::generic_tile_bytes;
  static constexpr std::size_t size = std::max<std::size_t>(16, tile_bytes / sizeof(state));
  static constexpr std::size_t parallel_tiles = 2;
  static constexpr std::size_t tiles_per_thread = 1;
  static constexpr double least_nanoseconds = Tuning::least_generic_nanoseconds;
  static constexpr double least_fold_nanoseconds = Tuning::least_generic_nanoseconds;
  static constexpr std::size_t group_tiles = Tuning::group_tiles, largest_group = Tuning::largest_group;
  static constexpr std::size_t polls_a_tile = Tuning::polls_a_tile;
  static constexpr bool any_order = false;

  explicit generic_tiles(Problem const& problem) : p_(problem) {}

  void fold(std::size_t first, std::size_t last, state* aggregates) const {
    for (; last - first >= 4 && is_whole(first + 3); first += 4, aggregates += 4) fold_four(first * size, aggregates);
    for (; first < last; ++first, ++aggregates) {
      state sum = value(first * size);
      for (std::size_t i = first * size + 1; i < end_of(first); ++i) sum = p_.monoid(sum, value(i));
      *aggregates = sum;
    }
  }

  void scan(std::size_t first, std::size_t last, state const* prefixes, std::size_t) const {
    for (; last - first >= 4 && is_whole(first + 3); first += 4, prefixes += 4) scan_four(first * size, prefixes);
    for (; first < last; ++first, ++prefixes) {
      state running = *prefixes;
      for (std::size_t i = first * size; i < end_of(first); ++i) put(i, running);
    }
  }

  state scan_serially(state const& init) const {
    state running = init;
    for (std::size_t i = 0; i < p_.n; ++i) put(i, running);
    return running;
  }

  void finish() const {}

 private:
  bool is_whole(std::size_t tile) const { return (tile + 1) * size <= p_.n; }
  std::size_t end_of(std::size_t tile) const { return std::min((tile + 1) * size, p_.n); }
  state value(std::size_t i) const { return internal::lift(p_.monoid, p_.in.load(i)); }
  void put(std::size_t i, state& running) const {
    state const next = p_.monoid(running, value(i));  // read before the store: in may be out
    p_.out.store(i, internal::lower<output>(p_.monoid, Problem::inclusive ? next : running));
    running = next;
  }

  void fold_four(std::size_t i, state* aggregates) const {
    state a = value(i), b = value(i + size), c = value(i + 2 * size), d = value(i + 3 * size);
    for (std::size_t const end = i++ + size; i < end; ++i) {
      a = p_.monoid(a, value(i));
      b = p_.monoid(b, value(i + size));
      c = p_.monoid(c, value(i + 2 * size));
      d = p_.monoid(d, value(i + 3 * size));
    }
    aggregates[0] = a;
    aggregates[1] = b;
    aggregates[2] = c;
    aggregates[3] = d;
  }

  void scan_four(std::size_t i, state const* prefixes) const {
    state a = prefixes[0], b = prefixes[1], c = prefixes[2], d = prefixes[3];
    for (std::size_t const end = i + size; i < end; ++i) {
      put(i, a);
      put(i + size, b);
      put(i + 2 * size, c);
      put(i + 3 * size, d);
    }
  }

  Problem p_;
};

}  // namespace upsweep::scan::detail
