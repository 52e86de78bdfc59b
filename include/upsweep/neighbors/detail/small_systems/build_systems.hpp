// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/detail/few_particles/few_particles_slots.hpp>
#include <upsweep/neighbors/detail/grid/row_sums.hpp>
#include <upsweep/neighbors/detail/grid/unmeasured_systems.hpp>
#include <upsweep/neighbors/detail/small_systems/find_near.hpp>
#include <upsweep/neighbors/detail/small_systems/load_system.hpp>
#include <upsweep/neighbors/detail/small_systems/small_systems.hpp>
#include <upsweep/neighbors/detail/small_systems/system_scratch.hpp>
#include <upsweep/neighbors/detail/small_systems/test_rows.hpp>
#include <upsweep/neighbors/detail/small_systems/write_rows.hpp>
#include <upsweep/team/internal/warp_sums.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// All lists of a batch of small systems by one launch (small_systems.hpp).
///
/// Work to threads: a team for each system, with a thread for each particle of the largest, four warps at most.
/// Scratch: what system_scratch says, 26 KiB for systems of 128 particles and 1,000 candidates, so that eight teams are
/// on a multiprocessor of an H200, and 1,024 on all together.
/// Shared state: numbers of pairs, between teams by row_sums; Progress is said there.
/// Errors: a system that cannot be built has no pairs, and the report says so.
template <class Real, class Lanes>
struct build_systems {
  static constexpr int team_size = system_scratch<Real, Lanes>::most_warps * Lanes::size;  ///< at most
  /// Teams whose sums are loaded together.
  static constexpr int most_waited = 8;

  unmeasured_systems<Real> batch;
  system_room room;
  row_sums sums;
  std::size_t* offsets;
  few_particles_slots<Real> to;
  small_systems_report* out;  ///< where the CPU reads it

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    using scratch = system_scratch<Real, Lanes>;
    static_assert(Lanes::size == 32, "words of hits have a bit for each of 32 candidates");
    scratch const s(m, room);
    int const rank = m.team_rank(), size = m.team_size(), lane = rank % Lanes::size, warp = rank / Lanes::size;
    if (rank == 0) s.common->team = sums.take_number();
    m.team_barrier();
    small_systems_found found;
    team_system<Real, Lanes> own{s.common->team};
    bool is_good = load_system<Real, Lanes>{batch, s}(m, own, found);
    bool const has_rows = is_good && own.count > 0;
    int words = 0;
    std::uint32_t pairs = 0;
    if (has_rows) {
      int const near = find_near<Real, Lanes>{s, batch.boxes[own.number], own}(m);
      words = internal::divide_up(near, Lanes::size);
      found.words = static_cast<unsigned>(words);
      is_good = near <= room.candidates();
      if (is_good) {
        test_rows<Real, Lanes>{batch, s, own, near}(m);
        m.team_barrier();
        unsigned const largest = count_rows(m, s, own, words);
        if (lane == 0) s.common->largest_of_warp[warp] = largest;
        m.team_barrier();
        pairs = s.row_begin[own.count];
        found.largest_row = static_cast<unsigned>(
            internal::fold_warps(max<std::uint64_t>{}, 0, s.common->largest_of_warp, size / Lanes::size));
      }
    }
    found.failed = !is_good;
    if (rank == 0) sums.publish(own.number, pairs, found.packed());
    std::uint64_t before =
        internal::fold_lanes<Lanes>(plus<std::uint64_t>{}, sums.part_before(own.number, rank, size), lane);
    if (lane == 0) s.common->before[warp] = before;
    m.team_barrier();
    before = internal::fold_warps(plus<std::uint64_t>{}, 0, s.common->before, size / Lanes::size);
    if (has_rows && is_good) {
      for (int i = rank; i < own.count; i += size)
        offsets[own.first + i] = static_cast<std::size_t>(before) + s.row_begin[i];
      if (to.hold(static_cast<std::size_t>(before) + pairs))
        write_rows<Real, Lanes>{s, own, words, to, static_cast<std::size_t>(before)}(m);
    }
    if (own.number == sums.teams - 1) report(m, s, before + pairs);
  }

 private:
  /// By the last team: what all have found.
  template <class Member>
  KOKKOS_FUNCTION void report(Member const& m, system_scratch<Real, Lanes> const& s, std::uint64_t pairs) const {
    int const rank = m.team_rank(), size = m.team_size(), lane = rank % Lanes::size;
    small_systems_found all;
    for (int first = 0; first < sums.teams; first += most_waited * size)
      sums.template wait_for<most_waited>(sums.largest_of(first), sums.teams - first, rank, size,
                                          [&](std::uint64_t found) { all.add(found); });
    UPSWEEP_UNROLL
    for (int bit = 1; bit < Lanes::size; bit *= 2) all.add(Lanes::shuffle_xor(all.packed(), bit));
    if (lane == 0) s.common->largest_of_warp[rank / Lanes::size] = all.packed();
    m.team_barrier();
    if (rank != 0) return;
    for (int w = 1; w < size / Lanes::size; ++w) all.add(s.common->largest_of_warp[w]);
    offsets[batch.particles] = static_cast<std::size_t>(pairs);
    *out = {all, pairs};
  }
};

}  // namespace upsweep::neighbors::detail
