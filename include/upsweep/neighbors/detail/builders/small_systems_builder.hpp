// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/builders/aim.hpp>
#include <upsweep/neighbors/detail/builders/list_parts.hpp>
#include <upsweep/neighbors/detail/builders/mask_builder.hpp>
#include <upsweep/neighbors/detail/few_particles/few_particles_slots.hpp>
#include <upsweep/neighbors/detail/grid/row_sums.hpp>
#include <upsweep/neighbors/detail/small_systems/build_systems.hpp>
#include <upsweep/neighbors/options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// Builds batches of small systems again (small_systems.hpp). Keeps its memory.
template <class ExecutionSpace, class Real>
class small_systems_builder {
  using kernel = build_systems<Real, internal::warp_lanes>;
  using scratch = system_scratch<Real, internal::warp_lanes>;
  using slots = few_particles_slots<Real>;

 public:
  using memory_space = typename ExecutionSpace::memory_space;
  using parts_type = list_parts<ExecutionSpace, Real, many_systems<Real>>;
  static constexpr bool exists = compat::has_warps_of_32<ExecutionSpace>;
  /// Of a system on average: a team has much to do beside its rows. H200, whole builds in float, here and by masks, us:
  /// 60,000 open systems of 5 to 9 particles 745 and 476, 20,000 of 11 to 21 271 and 273, 8,000 of 25 to 48 166 and 298
  /// (2026-11-29).
  static constexpr std::int64_t least_particles = 12;

  explicit small_systems_builder(ExecutionSpace const& space) : space_(space) {}

  /// Whether bin() may build the list: there is memory of an earlier one, its systems were small, but not too small,
  /// and the cutoff alone decides about pairs.
  bool takes(parts_type const& parts, aim what) const {
    auto const& o = parts.options;
    auto const kept = parts.contents();
    return exists && what == aim::list && !is_refused_ && parts.boxes.systems() > 0 &&
           parts.rows >= least_particles * parts.boxes.systems() && parts.boxes.largest() >= 0 &&
           parts.boxes.largest() <= most_particles_of_small_system && o.builder == neighbor_builder::automatic &&
           !o.types.given() && !o.radii.given() && !o.ids.given() && !o.exclusions.offsets.given() && !o.half &&
           !o.max_neighbors && !o.memory_budget && !kept.has_values() && parts.arrays.capacity(kept) > 0 &&
           !parts.may_have_dense_cells();
  }

  static constexpr bool sorts_rows = mask_builder<ExecutionSpace, Real, many_systems<Real>>::sorts_rows;
  static bool stores_values(row_order) { return false; }
  bool has_waited() const { return are_written_; }
  /// Systems that were too much for a team may be gone.
  void expect_other_systems() { is_refused_ = false; }
  /// Device memory held.
  std::size_t bytes() const { return sums_.extent(0) * sizeof(std::uint64_t); }

  /// Counts pairs, and writes the rows if arrays have room for all. False where some system could not be built: then
  /// another builder says why, or builds it. Waits for the instance.
  bool bin(parts_type& parts, strided_positions<Real> const& positions) {
    internal::grow(space_, parts.offsets, static_cast<std::size_t>(parts.rows) + 1, function, "offsets");
    if (mailbox_.data() == nullptr) mailbox_ = mailbox("upsweep::batched_neighbor_list::mailbox");
    batch_ = parts.boxes.unmeasured(space_, positions, parts.particles, parts.cutoff, parts.options.include_cutoff);
    slots const to(parts.arrays, parts.contents(), false);
    if (room_.particles == 0) make_room(static_cast<int>(parts.boxes.largest()), first_words);
    do {
      launch(parts.offsets.data(), to);
      space_.fence("upsweep::batched_neighbor_list::totals");
    } while (mailbox_.data()->found.failed && make_more_room(mailbox_.data()->found));
    auto const& [found, pairs] = *mailbox_.data();
    if (found.failed) return false;
    parts.boxes.note_measured(parts.particles, found.particles);
    totals_ = {static_cast<std::size_t>(pairs), found.largest_row};
    are_written_ = to.hold(totals_.pairs);
    // What the next build needs, and some candidates more.
    make_room(static_cast<int>(found.particles), static_cast<int>(found.words + found.words / 32 + 1));
    return true;
  }

  pair_totals count(parts_type& parts, aim) {
    parts.require_memory_for(totals_.pairs);
    return totals_;
  }

  void emit(parts_type& parts) {
    if (!are_written_) launch(parts.offsets.data(), slots(parts.arrays, parts.contents(), false));
  }

 private:
  static constexpr char const* function = many_systems<Real>::function;
  /// What Kokkos before 5.2 has, less what it needs itself.
  static constexpr std::size_t most_scratch = 46 * 1024;
  static constexpr int first_words = 24;
  using mailbox = Kokkos::View<small_systems_report, compat::mailbox_space<ExecutionSpace>>;

  /// False where there is not so much room.
  bool make_room(int particles, int words) {
    system_room const wanted{internal::divide_up(std::max(particles, 1), 32) * 32, std::max(words, 1)};
    if (particles > most_particles_of_small_system || scratch::bytes(wanted) > most_scratch) return false;
    room_ = wanted;
    return true;
  }
  /// For systems that need more. False where that would be too much, or is not what a system lacked.
  bool make_more_room(small_systems_found const& found) {
    auto const particles = static_cast<unsigned>(room_.particles), words = static_cast<unsigned>(room_.words);
    if (found.particles <= particles && found.words <= words) return false;
    bool const has_room = make_room(static_cast<int>(std::max(found.particles, particles)),
                                    static_cast<int>(std::max(found.words, words)));
    is_refused_ = !has_room && found.particles <= most_particles_of_small_system;
    return has_room;
  }

  void launch(std::size_t* offsets, slots const& to) {
    int const teams = batch_.count;
    internal::grow(space_, sums_, row_sums::words_of(teams), function, "sums of systems");
    Kokkos::deep_copy(space_, sums_, 0);
    kernel const build{batch_, room_, {sums_.data(), teams}, offsets, to, mailbox_.data()};
    // Registers for twice the threads, so that twice the teams are on a multiprocessor where scratch has room for them.
    using policy = compat::resident_team_policy<ExecutionSpace, 4, 2 * kernel::team_size, most_scratch>;
    int const warps = std::min(internal::divide_up(room_.particles, 32), scratch::most_warps);
    auto const where = policy(space_, teams, warps * internal::warp_lanes::size)
                           .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch::bytes(room_))));
    Kokkos::parallel_for("upsweep::batched_neighbor_list::build_systems", compat::light(where), build);
  }

  ExecutionSpace space_;
  unmeasured_systems<Real> batch_ = {};
  system_room room_ = {0, 0};
  bool is_refused_ = false;  ///< a team has not enough scratch for the candidates of these systems
  Kokkos::View<std::uint64_t*, memory_space> sums_;
  mailbox mailbox_;
  pair_totals totals_;
  bool are_written_ = false;
};

}  // namespace upsweep::neighbors::detail
