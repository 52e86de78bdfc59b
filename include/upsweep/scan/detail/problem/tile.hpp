// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/tuning.hpp>
#include <upsweep/team/coarsened.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::scan::detail {

// How one team folds or scans `size` consecutive elements, the same in every engine.
//
// On GPUs thread r of the team holds `items` consecutive elements (32 bytes of state, so that a warp's loads cover
// whole sectors); the threads' folds are scanned by kogge_stone in level-0 scratch. Elements are read once and written
// once. On CPUs a team is one thread and a tile is a plain loop: no scratch and no barrier.
//
// open() gives the tile's aggregate, close() stores its scan behind a prefix; fold() and scan() run over a
// range of tiles.

template <class ExecutionSpace, class State, class Tuning = engine::tuning<ExecutionSpace>,
          bool Gpu = compat::is_gpu<ExecutionSpace>>
struct tile;

template <class ExecutionSpace, class State, class Tuning>
struct tile<ExecutionSpace, State, Tuning, false> {
  static constexpr int team_size = Tuning::team_size;
  static constexpr std::size_t size = Tuning::tile_size;
  static constexpr std::size_t max_blocks = Tuning::max_blocks;
  /// The elements of a tile between open() and close(), so that input is read once. Lies on the thread's stack.
  struct held {
    State values[size];
  };
  static constexpr std::size_t scratch_bytes() { return 0; }

  template <class Member>
  KOKKOS_FUNCTION static State* take_scratch(Member const&) {
    return nullptr;
  }

  template <class Member, class In, class Monoid>
  KOKKOS_FUNCTION static State open(Member const&, State*, std::size_t begin, std::size_t end, In const& in,
                                    Monoid const& monoid, held& h) {
    State total = monoid.identity();
    for (std::size_t k = 0; k < end - begin; ++k) {
      h.values[k] = internal::lift(monoid, in.load(begin + k));
      total = monoid(total, h.values[k]);
    }
    return total;
  }

  template <bool Inclusive, class Member, class In, class Out, class Monoid>
  KOKKOS_FUNCTION static void close(Member const&, std::size_t begin, std::size_t end, In const&, Out const& out,
                                    Monoid const& monoid, held& h, State running) {
    using output = typename Out::value_type;
    for (std::size_t k = 0; k < end - begin; ++k) {
      State const next = monoid(running, h.values[k]);
      out.store(begin + k, internal::lower<output>(monoid, Inclusive ? next : running));
      running = next;
    }
  }

  template <class Member, class In, class Monoid>
  KOKKOS_FUNCTION static void fold(Member const&, State*, std::size_t begin, std::size_t end, In const& in,
                                   Monoid const& monoid, State& running) {
    for (std::size_t i = begin; i < end; ++i) running = monoid(running, internal::lift(monoid, in.load(i)));
  }

  template <bool Inclusive, class Member, class In, class Out, class Monoid>
  KOKKOS_FUNCTION static void scan(Member const&, State*, std::size_t begin, std::size_t end, In const& in,
                                   Out const& out, Monoid const& monoid, State& running) {
    using output = typename Out::value_type;
    for (std::size_t i = begin; i < end; ++i) {
      auto const next = monoid(running, internal::lift(monoid, in.load(i)));  // read before the store: in may be out
      out.store(i, internal::lower<output>(monoid, Inclusive ? next : running));
      running = next;
    }
  }
};

template <class ExecutionSpace, class State, class Tuning>
struct tile<ExecutionSpace, State, Tuning, true> {
  static constexpr int team_size = Tuning::team_size;
  static constexpr std::size_t bytes = Tuning::bytes_per_thread;
  static constexpr int items = sizeof(State) >= bytes ? 1 : static_cast<int>(bytes / sizeof(State));
  static constexpr std::size_t size = std::size_t(team_size) * items;
  static constexpr std::size_t max_blocks = Tuning::max_blocks;
  using algorithm = team::coarsened<items>;

  /// A tile between open() and close(): this thread's elements, and the fold of those of the threads before it.
  struct held {
    State values[items];
    State before;
  };

  static constexpr std::size_t scratch_bytes() { return algorithm::template scratch_bytes<State>(team_size) + 32; }

  template <class Member>
  KOKKOS_FUNCTION static State* take_scratch(Member const& m) {
    return static_cast<State*>(m.team_scratch(0).get_shmem_aligned(sizeof(State) * team_size, alignof(State)));
  }

  template <class Member, class In, class Monoid>
  KOKKOS_FUNCTION static State open(Member const& m, State* scratch, std::size_t begin, std::size_t end, In const& in,
                                    Monoid const& monoid, held& h) {
    load(m, begin, end, in, monoid, h.values);
    State total = monoid.identity();
    h.before = algorithm::scan_threads(m, h.values, monoid, scratch, total);
    return total;
  }

  template <bool Inclusive, class Member, class In, class Out, class Monoid>
  KOKKOS_FUNCTION static void close(Member const& m, std::size_t begin, std::size_t end, In const&, Out const& out,
                                    Monoid const& monoid, held& h, State const& prefix) {
    // Nothing is before the first thread: the prefix may be -0.0, which a sum with the identity is not.
    State const running = m.team_rank() == 0 ? prefix : monoid(prefix, h.before);
    if constexpr (Inclusive) algorithm::inclusive_items(h.values, monoid, running);
    else algorithm::exclusive_items(h.values, monoid, running);
    using output = typename Out::value_type;
    std::size_t const first = begin + static_cast<std::size_t>(m.team_rank()) * items;
    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k)
      if (first + k < end) out.store(first + k, internal::lower<output>(monoid, h.values[k]));
  }

  template <class Member, class In, class Monoid>
  KOKKOS_FUNCTION static void fold(Member const& m, State* scratch, std::size_t begin, std::size_t end, In const& in,
                                   Monoid const& monoid, State& running) {
    held h;
    for (std::size_t at = begin; at < end; at += size)
      running = monoid(running, open(m, scratch, at, Kokkos::min(at + size, end), in, monoid, h));
  }

  template <bool Inclusive, class Member, class In, class Out, class Monoid>
  KOKKOS_FUNCTION static void scan(Member const& m, State* scratch, std::size_t begin, std::size_t end, In const& in,
                                   Out const& out, Monoid const& monoid, State& running) {
    held h;
    for (std::size_t at = begin; at < end; at += size) {
      std::size_t const stop = Kokkos::min(at + size, end);
      State const total = open(m, scratch, at, stop, in, monoid, h);
      close<Inclusive>(m, at, stop, in, out, monoid, h, running);
      running = monoid(running, total);
    }
  }

 private:
  template <class Member, class In, class Monoid>
  KOKKOS_FUNCTION static void load(Member const& m, std::size_t begin, std::size_t end, In const& in,
                                   Monoid const& monoid, State (&values)[items]) {
    std::size_t const first = begin + static_cast<std::size_t>(m.team_rank()) * items;
    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k)
      values[k] = first + k < end ? internal::lift(monoid, in.load(first + k)) : monoid.identity();
  }
};

/// tile number `t` of n elements.
struct tile_range {
  std::size_t begin, end;
  template <class Tile>
  KOKKOS_FUNCTION static tile_range of(std::size_t t, std::size_t n) {
    return {t * Tile::size, Kokkos::min((t + 1) * Tile::size, n)};
  }
};

}  // namespace upsweep::scan::detail
