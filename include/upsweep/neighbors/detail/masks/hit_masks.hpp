// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/masks/mask_totals.hpp>
#include <upsweep/neighbors/detail/pairs/pair_slots.hpp>
#include <upsweep/neighbors/detail/pairs/sort_rows.hpp>
#include <upsweep/neighbors/detail/rules/neighbor_search.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

// The fast builder. The particles of a group (of one cell, or of a row of sparse ones: particle_groups.hpp) share their
// candidates, the particles of the neighbourhood that are near the group's bounding box. Each candidate is loaded once
// for the group, each pair is tested once, and its hit is kept as a bit. When the counts have become offsets, a second
// kernel turns bits into rows, without any distance.

/// Memory for bits, in words of 32. A group takes what it may need, whichever comes first: where its words are does not
/// show in the list.
struct hit_masks {
  std::uint32_t* words;
  std::uint64_t capacity;
  std::uint64_t* used;        ///< words that groups have asked for, which may be more than the capacity
  std::uint64_t* first_word;  ///< of each group
  /// Where rows are limited: the last of the steps (keep_nearest_gpu.hpp) that rows are left to, 0 if none are.
  std::uint64_t* step_left = nullptr;

  /// Takes `wanted` words for a group; null when there are no more, or none are to be kept.
  KOKKOS_FUNCTION std::uint32_t* take(std::int64_t group, std::uint64_t wanted) const {
    return give(group, reserve(wanted), wanted);
  }
  /// The same in two steps, so that several groups reserve words together.
  KOKKOS_FUNCTION std::uint64_t reserve(std::uint64_t wanted) const { return Kokkos::atomic_fetch_add(used, wanted); }
  KOKKOS_FUNCTION std::uint32_t* give(std::int64_t group, std::uint64_t first, std::uint64_t wanted) const {
    first_word[group] = first;
    return first + wanted <= capacity ? words + first : nullptr;
  }
  KOKKOS_FUNCTION std::uint32_t* of(std::int64_t group) const { return words + first_word[group]; }
};

/// What a pass over the groups reads.
template <class Real, class Systems = one_system<Real>>
struct mask_pass {
  neighbor_search<Real, Systems> search;
  int const* groups;                 ///< first slots, and behind them the end of all
  std::uint64_t const* group_count;  ///< above bit 32
  std::int64_t first_group;
  std::int64_t last_group;  ///< of this pass; there may be fewer
  hit_masks masks;
  /// Warps that share a group, where candidates are numbered: where groups alone would not fill a GPU. Divides the
  /// warps of a team.
  int warps_per_group = 1;
  /// Where groups of a cell are compact (compact_groups.hpp), the places of their slots, and the slots of places; null
  /// where slots are places. Groups begin at slots, and those of a cell are as many as its places.
  int const* slots = nullptr;
  int const* slots_of_places = nullptr;

  KOKKOS_FUNCTION int place_of_slot(int slot) const { return slots == nullptr ? slot : slots[slot]; }
  KOKKOS_FUNCTION int slot_of_place(int place) const {
    return slots_of_places == nullptr ? place : slots_of_places[place];
  }
  KOKKOS_FUNCTION bool has(std::int64_t group) const {
    return group < last_group && group < static_cast<std::int64_t>(*group_count >> 32);
  }
  // A slot is in the cell of the place with its number.
  KOKKOS_FUNCTION int cell_of(int slot) const { return search.particles.cell_of[search.particles.order[slot]]; }
  /// The system that the group is in that begins at this slot.
  KOKKOS_FUNCTION typename Systems::name system_at(int slot) const {
    return search.particles.system_of(search.particles.order[slot]);
  }
  /// The cells of the particles from slot first to end - 1, all of one system.
  KOKKOS_FUNCTION group_cells<Systems> cells_of(int first, int end) const {
    return {system_at(first), cell_of(first), cell_of(end - 1)};
  }
};

/// What the counting pass leaves: the row lengths, and the longest of them.
struct row_counts {
  std::size_t* counts;  ///< null where they are known
  std::uint64_t* largest;
};

/// Where rows are written.
struct row_slots {
  std::size_t const* offsets;
  int* neighbors;
  image* images;          ///< null where they are not kept
  bool sorted;            ///< CPUs write rows in order; elsewhere they are sorted afterwards
  sort_rows_kernel sort;  ///< of a row that could not be
  /// Where rows are written before the host knows whether there is room for them. GPUs alone look.
  mask_findings found = {};

  /// Whether they are to be written. publishes: one thread of all, which passes to the host what was found.
  KOKKOS_FUNCTION bool are_wanted(bool publishes) const {
    if (!found.given()) return true;
    if (publishes) found(0);
    return found.fit();
  }
};

/// The same for lists that keep more of a pair. They have kernels of their own, so that other lists do not pay for it.
template <class Real>
struct value_slots : row_slots {
  pair_slots<Real> values;
};
template <class Real, bool Values>
using slots_of = std::conditional_t<Values, value_slots<Real>, row_slots>;

}  // namespace upsweep::neighbors::detail
