// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/monoids/in_any_order.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/builders/part_kernels.hpp>
#include <upsweep/neighbors/detail/grid/systems.hpp>
#include <upsweep/neighbors/detail/pairs/pair_arrays.hpp>
#include <upsweep/neighbors/detail/pairs/pair_slots.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

// The rows of a batch from two lists: that of its part, which is new, and that of all systems of before.

/// The offsets of both lists.
struct two_lists {
  systems_in_part in_part;
  std::size_t const *kept, *rebuilt;

  KOKKOS_FUNCTION std::size_t length(std::int64_t row) const {
    int const system = in_part.of_particle[row];
    std::size_t const* const at = in_part.has(system) ? rebuilt + (row - in_part.shift(system)) : kept + row;
    return at[1] - at[0];
  }
};

/// One thread per row: its length.
struct merge_lengths_kernel {
  two_lists lists;
  std::size_t* lengths;
  KOKKOS_FUNCTION void operator()(std::int64_t row) const { lengths[row] = lists.length(row); }
};

/// How many pairs the merged rows have, how long the longest is, and whether kept rows move.
struct merged_summary {
  std::size_t pairs, largest_row;
  bool moved;  ///< whether a kept row begins elsewhere than before
};
struct merged_summary_monoid : internal::in_any_order {
  using value_type = merged_summary;
  KOKKOS_FUNCTION value_type identity() const { return {0, 0, false}; }
  KOKKOS_FUNCTION value_type operator()(value_type a, value_type const& b) const {
    if (b.pairs > a.pairs) a.pairs = b.pairs;
    if (b.largest_row > a.largest_row) a.largest_row = b.largest_row;
    a.moved = a.moved || b.moved;
    return a;
  }
};
struct summarize_merged {
  two_lists lists;
  std::size_t const* offsets;  ///< of the merged rows
  KOKKOS_FUNCTION merged_summary operator()(std::size_t row) const {
    std::size_t const begin = offsets[row], end = offsets[row + 1];
    return {end, end - begin, !lists.in_part.has(lists.in_part.of_particle[row]) && begin != lists.kept[row]};
  }
};

/// Where the pairs of a system come from.
struct pair_run {
  std::size_t offset;  ///< pair k of the merged list is pair k + offset there
  int shift;           ///< added to the numbers of particles
  bool is_rebuilt;
};

/// One thread per system: its run, and where it begins in the merged list.
struct find_runs_kernel {
  two_lists lists;
  std::size_t const* offsets;
  std::size_t* begins;
  pair_run* runs;
  KOKKOS_FUNCTION void operator()(std::int64_t b) const {
    auto const& in_part = lists.in_part;
    bool const is_rebuilt = in_part.has(b);
    std::int64_t const first = in_part.offsets[b], shift = is_rebuilt ? in_part.shift(b) : 0;
    begins[b] = offsets[first];
    runs[b] = {(is_rebuilt ? lists.rebuilt : lists.kept)[first - shift] - offsets[first], static_cast<int>(shift),
               is_rebuilt};
  }
};

/// The arrays of a list's pairs as kernels have them; null where nothing is kept.
template <class Real>
struct pair_memory {
  int* neighbors;
  image* images;
  pair_slots<Real> values;

  template <class MemorySpace>
  pair_memory(pair_arrays<MemorySpace, Real> const& arrays, pair_contents const& kept)
      : neighbors(arrays.neighbors.data()),
        images(kept.images ? arrays.images.data() : nullptr),
        values(arrays.slots(kept, nullptr)) {}
};

/// Copies pairs of two lists into one. A team has a tile of them, and its threads go on from system to system, of which
/// a tile mostly has one or two: a pair costs no search then. Where pairs are kept in place, only those of the part are
/// copied.
template <class Real>
struct merge_pairs {
  std::size_t const* begins;  ///< of each system
  pair_run const* runs;
  int systems;
  std::size_t pairs;
  bool in_place;
  pair_memory<Real> to, kept, rebuilt;

  static constexpr int threads = 256, each = 4, rounds = 8;
  static constexpr std::size_t tile = std::size_t(threads) * each * rounds;

  /// A GPU's team.
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    auto const number = static_cast<std::size_t>(member.league_rank());
    std::size_t const begin = number * tile, end = Kokkos::min(begin + tile, pairs);
    int const first = system_at(begin);
    if (in_place && !may_have_rebuilt(first, end)) return;
    current at = {first, next_of(first), runs[first]};
    for (std::size_t k = begin + static_cast<std::size_t>(member.team_rank()); k < end; k += threads * each)
      copy_some(at, k, end);
  }

  /// A CPU's tile, system by system.
  void copy_tile(std::int64_t number) const {
    std::size_t const begin = static_cast<std::size_t>(number) * tile,
                      end = begin + tile < pairs ? begin + tile : pairs;
    int system = last_not_above(begins, systems, static_cast<std::int64_t>(begin));
    for (std::size_t k = begin; k < end; ++system) {
      std::size_t const next = system + 1 < systems ? begins[system + 1] : pairs;
      std::size_t const stop = next < end ? next : end;
      if (!in_place || runs[system].is_rebuilt) copy_run(runs[system], k, stop);
      k = stop;
    }
  }

  template <class ExecutionSpace>
  void launch(ExecutionSpace const& space) const {
    static constexpr char const* name = "upsweep::batched_neighbor_list::merge_pairs";
    std::size_t const tiles = internal::divide_up(pairs, tile);
    if (tiles == 0) return;
    if constexpr (compat::is_gpu<ExecutionSpace>) {
      Kokkos::parallel_for(name, Kokkos::TeamPolicy<ExecutionSpace>(space, static_cast<int>(tiles), threads), *this);
    } else {
      internal::for_each_index(space, name, tiles, [&](std::int64_t number) { copy_tile(number); });
    }
  }

 private:
  /// The system that has pair k. Looked for from where it would be if all had as many pairs.
  KOKKOS_FUNCTION int system_at(std::size_t k) const {
    int low = static_cast<int>(static_cast<double>(k) / static_cast<double>(pairs) * systems);
    if (low >= systems) low = systems - 1;
    int step = 1;
    if (begins[low] > k) {
      // Pair 0 is of the first system, or of the last of several that begin there.
      int high = low;
      for (low = high - step; low > 0 && begins[low] > k; low = high - step) {
        high = low;
        step *= 2;
      }
      if (low < 0) low = 0;
      return low + last_not_above(begins + low, high - low, static_cast<std::int64_t>(k));
    }
    for (; low + step < systems && begins[low + step] <= k; step *= 2) low += step;
    return low + last_not_above(begins + low, Kokkos::min(step, systems - low), static_cast<std::int64_t>(k));
  }
  KOKKOS_FUNCTION std::size_t next_of(int system) const { return system + 1 < systems ? begins[system + 1] : pairs; }
  /// False for tiles of one or two systems, neither of them rebuilt.
  KOKKOS_FUNCTION bool may_have_rebuilt(int first, std::size_t end) const {
    if (runs[first].is_rebuilt) return true;
    if (next_of(first) >= end) return false;
    return runs[first + 1].is_rebuilt || next_of(first + 1) < end;
  }

  /// The system that a thread has come to.
  struct current {
    int system;
    std::size_t next;  ///< where its pairs end
    pair_run run;
  };
  KOKKOS_FORCEINLINE_FUNCTION void go_on(current& at, std::size_t k) const {
    if (k < at.next) return;
    at.system += 1;
    int count = 1;
    while (at.system + count < systems && begins[at.system + count] <= k) count *= 2;
    at.system +=
        last_not_above(begins + at.system, Kokkos::min(count, systems - at.system), static_cast<std::int64_t>(k));
    at.next = next_of(at.system);
    at.run = runs[at.system];
  }

  /// Where a pair comes from.
  struct source {
    std::size_t at;
    int shift;
    bool is_rebuilt, is_copied;
  };
  struct sources {
    source of[each];
    std::size_t first;
  };

  /// Pairs k, k + threads, ...
  KOKKOS_FUNCTION void copy_some(current& at, std::size_t k, std::size_t end) const {
    sources from;
    from.first = k;
    UPSWEEP_UNROLL
    for (int u = 0; u < each; ++u) {
      std::size_t const pair = k + static_cast<std::size_t>(u * threads);
      if (pair < end) go_on(at, pair);
      from.of[u] = {pair + at.run.offset, at.run.shift, at.run.is_rebuilt,
                    pair < end && (!in_place || at.run.is_rebuilt)};
    }
    copy<1, true>(from, to.neighbors, kept.neighbors, rebuilt.neighbors);
    copy<1, false>(from, to.images, kept.images, rebuilt.images);
    auto const &a = to.values, &b = kept.values, &c = rebuilt.values;
    copy<1, true>(from, a.first_indices, b.first_indices, c.first_indices);
    copy<3, false>(from, a.unwrapped_images, b.unwrapped_images, c.unwrapped_images);
    copy<3, false>(from, a.displacements, b.displacements, c.displacements);
    copy<1, false>(from, a.distances, b.distances, c.distances);
  }
  /// All loads come before the first store, so that several are under way.
  template <int width, bool has_shift, class T>
  KOKKOS_FUNCTION void copy(sources const& from, T* out, T const* old, T const* made) const {
    if (out == nullptr) return;
    T values[each * width] = {};
    UPSWEEP_UNROLL
    for (int u = 0; u < each; ++u) {
      if (!from.of[u].is_copied) continue;
      T const* const p = (from.of[u].is_rebuilt ? made : old) + width * from.of[u].at;
      for (int d = 0; d < width; ++d) values[width * u + d] = p[d];
    }
    UPSWEEP_UNROLL
    for (int u = 0; u < each; ++u) {
      if (!from.of[u].is_copied) continue;
      T* const p = out + width * (from.first + static_cast<std::size_t>(u * threads));
      for (int d = 0; d < width; ++d) {
        if constexpr (has_shift) p[d] = values[width * u + d] + from.of[u].shift;
        else p[d] = values[width * u + d];
      }
    }
  }

  void copy_run(pair_run const& run, std::size_t begin, std::size_t end) const {
    auto const& from = run.is_rebuilt ? rebuilt : kept;
    auto const move = [&](auto* out, auto const* in, std::size_t width, int shift) {
      if (out == nullptr) return;
      in += width * (begin + run.offset);
      out += width * begin;
      for (std::size_t k = 0; k < width * (end - begin); ++k)
        if constexpr (std::is_same_v<decltype(out), int*>) out[k] = in[k] + shift;
        else out[k] = in[k];
    };
    move(to.neighbors, from.neighbors, 1, run.shift);
    move(to.images, from.images, 1, 0);
    move(to.values.first_indices, from.values.first_indices, 1, run.shift);
    move(to.values.unwrapped_images, from.values.unwrapped_images, 3, 0);
    move(to.values.displacements, from.values.displacements, 3, 0);
    move(to.values.distances, from.values.distances, 1, 0);
  }
};

}  // namespace upsweep::neighbors::detail
