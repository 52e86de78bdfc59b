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
#include <upsweep/neighbors/options.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace upsweep::neighbors::detail {

/// What the host needs to know of the counting pass, in memory that both can reach.
struct mask_totals {
  std::uint64_t pairs, largest_row, words, groups;
};

/// One thread: totals to the host.
struct publish_totals {
  std::size_t const* total;
  std::uint64_t const* used;
  std::uint64_t const* largest;
  std::uint64_t const* group_count;
  mask_totals* out;
  KOKKOS_FUNCTION void operator()(std::int64_t) const { *out = {*total, *largest, *used, *group_count >> 32}; }
};

/// Counts and emits neighbour lists with every distance computed once (hit_masks.hpp). Keeps its memory.
/// Where the budget, or the memory that is available, does not hold all masks, the emission makes them again, piece by
/// piece.
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
    return words_.extent(0) * sizeof(std::uint32_t) +
           (first_word_.extent(0) + statistics_.extent(0)) * sizeof(std::uint64_t);
  }

  template <class Positions>
  void bin(parts_type& parts, aim, Positions const& positions) {
    parts.grid.set_groups(group_size(parts.particles), most_merged(parts.particles));
    parts.bin(positions);
  }

  pair_totals count(parts_type& parts, aim what) {
    auto const search = parts.make_search();
    if (what == aim::list) parts.refuse_dense_cells(search);
    auto const& space = parts.space;
    auto& grid = parts.grid;
    auto const rows = static_cast<std::size_t>(parts.rows);
    internal::grow(space, parts.offsets, rows + 1, function, "offsets");
    std::size_t* const offsets = parts.offsets.data();
    budget_ = parts.options.memory_budget;
    // The smallest budgets allow no word at all.
    most_words_ = budget_ ? *budget_ / sizeof(std::uint32_t) : std::numeric_limits<std::size_t>::max();
    take_memory(space, grid);
    pass_ = mask_pass<Real, Systems>{search, grid.groups(), grid.group_count(), 0, grid.most_groups(), masks()};
    run_count(space, {offsets, statistics_.data() + 1}, true);
    using view = Kokkos::View<std::size_t*, memory_space, Kokkos::MemoryUnmanaged>;
    counts_to_offsets(space, view(offsets, rows), view(offsets, rows + 1),
                      {.workspace = &grid.workspace(), .label = function});
    mask_totals const totals = fetch(space, offsets + rows);
    pass_->last_group = static_cast<std::int64_t>(totals.groups);
    if (what == aim::list) parts.require_memory_for(totals.pairs);
    std::size_t const beside = parts.arrays.missing_bytes(parts.contents(), totals.pairs);
    in_pieces_ = totals.words > words_.extent(0);
    std::size_t const roomy = std::min<std::size_t>(totals.words + totals.words / 16, most_words_);
    if (in_pieces_ && totals.words <= most_words_ && affordable(space, roomy, beside)) {
      internal::grow(space, words_, roomy, function, "hit masks");
      pass_->masks = masks();
      run_count(space, {nullptr, nullptr}, true);
      in_pieces_ = false;
    }
    wanted_ = totals.words;
    return {totals.pairs, std::min<std::size_t>(totals.largest_row, search.rules.most_in_row)};
  }

  /// Whether values of pairs are stored while rows are written.
  static bool stores_values(row_order order) { return sorts_rows || order != row_order::sorted; }

  void emit(parts_type& parts) {
    row_order const order = parts.options.order;
    auto const sort = parts.row_sort();
    auto const values = parts.values();
    row_slots const rows{sort.offsets, sort.neighbors, sort.pair_images, order == row_order::sorted, sort};
    if (values.any() && stores_values(order)) emit_rows(parts.space, value_slots<Real>{rows, values});
    else emit_rows(parts.space, rows);
  }
  bool has_waited() const { return false; }

 private:
  template <class Slots>
  void emit_rows(ExecutionSpace const& space, Slots const& rows) {
    if (!in_pieces_) return passes::emit(space, *pass_, rows);
    std::int64_t const groups = pass_->last_group;
    double const share = 0.8 * static_cast<double>(words_.extent(0)) / static_cast<double>(wanted_);
    std::int64_t piece = std::max<std::int64_t>(1, static_cast<std::int64_t>(share * static_cast<double>(groups)));
    for (std::int64_t first = 0; first < groups;) {
      pass_->first_group = first;
      pass_->last_group = std::min(groups, first + piece);
      run_count(space, {nullptr, nullptr}, true);
      if (std::uint64_t const words = fetch(space, rows.offsets).words; words > words_.extent(0)) {
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

  hit_masks masks() const { return {words_.data(), words_.extent(0), statistics_.data(), first_word_.data()}; }

  template <class Grid>
  void take_memory(ExecutionSpace const& space, Grid const& grid) {
    if (totals_.data() == nullptr) totals_ = totals_view("upsweep::neighbor_list::totals");
    internal::grow(space, statistics_, 2, function, "statistics");
    internal::grow(space, first_word_, static_cast<std::size_t>(grid.most_groups()), function, "first_word");
    if (words_.extent(0) > most_words_) words_ = {};
    if (words_.extent(0) != 0) return;
    // A guess, for particles that are spread evenly, and a word that is not full. The second build knows.
    double const n = static_cast<double>(grid.particles());
    double const each = std::min(64.0, grid.candidates_each() / 32 + 2.5);
    auto const guess = static_cast<std::size_t>(each * n) + 1024;
    internal::grow(space, words_, std::min(guess, most_words_), function, "hit masks");
  }

  void run_count(ExecutionSpace const& space, row_counts const& rows, bool keep) {
    // The longest row is found only together with the counts.
    Kokkos::deep_copy(space,
                      Kokkos::View<std::uint64_t*, memory_space, Kokkos::MemoryUnmanaged>(
                          statistics_.data(), rows.counts == nullptr ? 1 : 2),
                      0);
    passes::count(space, *pass_, rows, keep);
  }

  mask_totals fetch(ExecutionSpace const& space, std::size_t const* total) {
    internal::for_each_index(
        space, "upsweep::neighbor_list::publish", 1,
        publish_totals{total, statistics_.data(), statistics_.data() + 1, pass_->group_count, totals_.data()});
    space.fence("upsweep::neighbor_list::totals");
    return *totals_.data();
  }

  std::optional<mask_pass<Real, Systems>> pass_;
  bool in_pieces_ = false;
  std::optional<std::size_t> budget_;  ///< bytes
  std::size_t most_words_ = 0;         ///< that the budget allows
  std::uint64_t wanted_ = 0;           ///< words of all masks
  Kokkos::View<std::uint32_t*, memory_space> words_;
  Kokkos::View<std::uint64_t*, memory_space> first_word_, statistics_;
  totals_view totals_;
};

}  // namespace upsweep::neighbors::detail
