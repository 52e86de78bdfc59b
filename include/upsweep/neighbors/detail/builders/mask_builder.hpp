// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/never_refused_bytes.hpp>
#include <upsweep/neighbors/detail/builders/list_parts.hpp>
#include <upsweep/neighbors/detail/builders/mask_passes.hpp>
#include <upsweep/neighbors/detail/masks/hit_masks.hpp>
#include <upsweep/neighbors/detail/masks/mask_totals.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace upsweep::neighbors::detail {

/// Counts and emits neighbour lists with every distance computed once (hit_masks.hpp). Keeps its memory.
/// Where the budget, or the memory that is available, does not hold all masks, the emission makes them again, piece by
/// piece.
///
/// On GPUs a list that has been built before is built at once: rows are written to the memory of the list before, and
/// written again only where that was too small. The host waits once, and before that for what cell_grid and list_rules
/// have to check first. With a memory budget, and where cells may be dense, it looks at counts between the steps.
/// H100, doubles, 78 neighbours, whole builds, us: 10,000 particles 147 with three waits, 84 with one; 32,000: 172,
/// 127; 100,000: 247, 199 (2026-11-28).
template <class ExecutionSpace, class Real, class Systems = one_system<Real>>
class mask_builder {
  static constexpr bool on_cpu = compat::launches_wait<ExecutionSpace>;
  using passes = mask_passes<ExecutionSpace, Real, Systems>;

 public:
  using memory_space = typename ExecutionSpace::memory_space;
  using parts_type = list_parts<ExecutionSpace, Real, Systems>;
  static constexpr bool exists = has_mask_builder<ExecutionSpace>;
  /// Rows are sorted while they are written.
  static constexpr bool sorts_rows = on_cpu;

  static int group_size(std::int64_t particles) { return passes::group_size(particles); }
  static int most_merged(std::int64_t particles) { return passes::most_merged(particles); }
  /// Device memory held.
  std::size_t bytes() const {
    return words_.extent(0) * sizeof(std::uint32_t) + first_word_.extent(0) * sizeof(std::uint64_t) +
           slots_.extent(0) * sizeof(int);
  }

  template <class Positions>
  void bin(parts_type& parts, aim what, Positions const& positions) {
    parts.grid.set_groups(group_size(parts.particles), most_merged(parts.particles));
    is_counted_ = are_written_ = false;
    if constexpr (!on_cpu)
      if (what == aim::list && builds_at_once(parts)) return build_at_once(parts, positions);
    parts.bin(positions);
  }

  pair_totals count(parts_type& parts, aim what) {
    auto const& space = parts.space;
    if (!is_counted_) {
      auto const search = parts.make_search();
      if (what == aim::list) parts.refuse_dense_cells(search);
      start_count(parts, search);
      fetch(parts);
    }
    mask_totals const totals = *totals_.data();
    pass_->last_group = static_cast<std::int64_t>(totals.groups);
    if (what == aim::list) parts.require_memory_for(totals.pairs);
    std::size_t const beside = parts.arrays.missing_bytes(parts.contents(), totals.pairs);
    in_pieces_ = totals.words > words_.extent(0);
    std::size_t const roomy = std::min<std::size_t>(totals.words + totals.words / 16, most_words_);
    if (in_pieces_ && totals.words <= most_words_ && affordable(space, roomy, beside)) {
      internal::grow(space, words_, roomy, function, "hit masks");
      pass_->masks = masks(parts.grid);
      count_again(parts);
      in_pieces_ = false;
    }
    wanted_ = totals.words;
    return {totals.pairs, std::min<std::size_t>(totals.largest_row, pass_->search.rules.most_in_row)};
  }

  /// Whether values of pairs are stored while rows are written.
  static bool stores_values(row_order order) { return sorts_rows || order != row_order::sorted; }

  void emit(parts_type& parts) {
    if (!are_written_) emit_rows(parts, {});
  }
  bool has_waited() const { return are_written_; }

 private:
  /// Whether there is memory of an earlier list, and nothing that has to be looked at between the steps.
  static bool builds_at_once(parts_type const& parts) {
    return parts.rows > 0 && !parts.options.memory_budget && parts.arrays.capacity(parts.contents()) > 0 &&
           !parts.may_have_dense_cells();
  }
  template <class Positions>
  void build_at_once(parts_type& parts, Positions const& positions) {
    auto const& space = parts.space;
    // Rules that wait are checked behind the particles.
    parts.bin(positions, parts.rules.waits(parts.options) ? bad_particles::thrown : bad_particles::noted);
    start_count(parts, parts.make_search());
    std::size_t const room = parts.arrays.capacity(parts.contents());
    in_pieces_ = false;
    emit_rows(parts, findings(parts, room));
    space.fence("upsweep::neighbor_list::at_once");
    mask_totals const found = *totals_.data();
    parts.grid.throw_noted(positions, found.bad);
    are_written_ = found.pairs <= room && found.words <= words_.extent(0);
    is_counted_ = true;
  }

  /// Counts pairs, and makes offsets of the counts of rows.
  void start_count(parts_type& parts, neighbor_search<Real, Systems> const& search) {
    auto const& space = parts.space;
    auto& grid = parts.grid;
    auto const rows = static_cast<std::size_t>(parts.rows);
    internal::grow(space, parts.offsets, rows + 1, function, "offsets");
    std::size_t* const offsets = parts.offsets.data();
    budget_ = parts.options.memory_budget;
    // The smallest budgets allow no word at all.
    most_words_ = budget_ ? *budget_ / sizeof(std::uint32_t) : std::numeric_limits<std::size_t>::max();
    take_memory(space, grid);
    pass_ = mask_pass<Real, Systems>{search, grid.groups(), grid.group_count(), 0, grid.most_groups(), masks(grid)};
    if constexpr (!on_cpu) compact_groups(space, grid);
    passes::count(space, *pass_, {offsets, largest_row(grid)}, true);
    using view = Kokkos::View<std::size_t*, memory_space, Kokkos::MemoryUnmanaged>;
    counts_to_offsets(space, view(offsets, rows), view(offsets, rows + 1),
                      {.workspace = &grid.workspace(), .label = function});
  }
  template <class Grid>
  void compact_groups(ExecutionSpace const& space, Grid const& grid) {
    double const each = static_cast<double>(grid.particles()) / static_cast<double>(grid.row_cells());
    if (!passes::has_compact_groups(each)) return;
    internal::grow(space, slots_, 2 * static_cast<std::size_t>(grid.particles()), function, "slots");
    passes::compact_groups(space, *pass_, grid.row_cells(), slots_.data());
  }
  mask_findings findings(parts_type const& parts, std::size_t room_for_pairs) const {
    auto const& grid = parts.grid;
    return {.pairs = parts.offsets.data() + parts.rows,
            .largest_row = largest_row(grid),
            .words = used_words(grid),
            .group_count = grid.group_count(),
            .bad = grid.noted_bad(),
            .room_for_pairs = room_for_pairs,
            .room_for_words = words_.extent(0),
            .out = totals_.data()};
  }
  void fetch(parts_type const& parts) const {
    internal::for_each_index(parts.space, "upsweep::neighbor_list::publish", 1, findings(parts, 0));
    parts.space.fence("upsweep::neighbor_list::totals");
  }

  /// found: what emission asks on the device before it writes.
  void emit_rows(parts_type& parts, mask_findings const& found) {
    row_order const order = parts.options.order;
    auto const sort = parts.row_sort();
    auto const values = parts.values();
    row_slots const rows{sort.offsets, sort.neighbors, sort.pair_images, order == row_order::sorted, sort, found};
    if (values.any() && stores_values(order)) emit_to(parts, value_slots<Real>{rows, values});
    else emit_to(parts, rows);
  }
  template <class Slots>
  void emit_to(parts_type& parts, Slots const& rows) {
    auto const& space = parts.space;
    if (!in_pieces_) return passes::emit(space, *pass_, rows);
    std::int64_t const groups = pass_->last_group;
    double const share = 0.8 * static_cast<double>(words_.extent(0)) / static_cast<double>(wanted_);
    std::int64_t piece = std::max<std::int64_t>(1, static_cast<std::int64_t>(share * static_cast<double>(groups)));
    for (std::int64_t first = 0; first < groups;) {
      pass_->first_group = first;
      pass_->last_group = std::min(groups, first + piece);
      count_again(parts);
      fetch(parts);
      if (std::uint64_t const words = totals_.data()->words; words > words_.extent(0)) {
        if (piece == 1) {
          throw out_of_memory_error(std::string(function) + ": the hit masks of a group of particles take " +
                                    std::to_string(words * sizeof(std::uint32_t)) + " bytes, " +
                                    (budget_ ? "the memory budget allows " : "there is memory for ") +
                                    std::to_string(budget_ ? *budget_ : words_.extent(0) * sizeof(std::uint32_t)) +
                                    "; give more, or use the plain builder");
        }
        piece = std::max<std::int64_t>(1, piece / 2);
        continue;
      }
      passes::emit(space, *pass_, rows);
      first = pass_->last_group;
    }
  }

  static constexpr char const* function = Systems::function;
  using totals_view = Kokkos::View<mask_totals, compat::mailbox_space<ExecutionSpace>>;

  /// Whether there is memory for so many words and for `beside` bytes.
  bool affordable(ExecutionSpace const& space, std::size_t words, std::size_t beside) const {
    std::size_t const bytes = words * sizeof(std::uint32_t);
    if (bytes < internal::never_refused_bytes) return true;
    std::size_t const available = available_memory(space), held = words_.extent(0) * sizeof(std::uint32_t);
    return beside < available && (bytes <= held || bytes - held <= available - beside);
  }

  template <class Grid>
  static std::uint64_t* used_words(Grid const& grid) {
    return grid.cleared_words();
  }
  template <class Grid>
  static std::uint64_t* step_left(Grid const& grid) {
    return grid.cleared_words() + 1;
  }
  template <class Grid>
  static std::uint64_t* largest_row(Grid const& grid) {
    return grid.cleared_words() + 2;
  }
  template <class Grid>
  hit_masks masks(Grid const& grid) const {
    return {words_.data(), words_.extent(0), used_words(grid), first_word_.data(), step_left(grid)};
  }

  template <class Grid>
  void take_memory(ExecutionSpace const& space, Grid const& grid) {
    if (totals_.data() == nullptr) totals_ = totals_view("upsweep::neighbor_list::totals");
    internal::grow(space, first_word_, static_cast<std::size_t>(grid.most_groups()), function, "first_word");
    if (words_.extent(0) > most_words_) words_ = {};
    if (words_.extent(0) != 0) return;
    // A guess, for particles that are spread evenly, and a word that is not full. The second build knows.
    double const n = static_cast<double>(grid.particles());
    double const each = std::min(64.0, grid.candidates_each() / 32 + 2.5);
    auto const guess = static_cast<std::size_t>(each * n) + 1024;
    internal::grow(space, words_, std::min(guess, most_words_), function, "hit masks");
  }

  /// Masks alone: rows are counted. used_words and step_left begin again: steps that an earlier piece needed would look
  /// at all groups of this one.
  void count_again(parts_type const& parts) {
    Kokkos::deep_copy(
        parts.space, Kokkos::View<std::uint64_t*, memory_space, Kokkos::MemoryUnmanaged>(used_words(parts.grid), 2), 0);
    passes::count(parts.space, *pass_, {nullptr, nullptr}, true);
  }

  std::optional<mask_pass<Real, Systems>> pass_;
  bool is_counted_ = false;   ///< the particles that are binned
  bool are_written_ = false;  ///< their rows
  bool in_pieces_ = false;
  std::optional<std::size_t> budget_;  ///< bytes
  std::size_t most_words_ = 0;         ///< that the budget allows
  std::uint64_t wanted_ = 0;           ///< words of all masks
  Kokkos::View<std::uint32_t*, memory_space> words_;
  Kokkos::View<std::uint64_t*, memory_space> first_word_;
  Kokkos::View<int*, memory_space> slots_;
  totals_view totals_;
};

}  // namespace upsweep::neighbors::detail
