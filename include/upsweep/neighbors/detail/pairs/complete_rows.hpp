// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/pairs/pair_slots.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// Stores the values of pairs whose rows are there already: rows of the plain builder, and rows that are sorted after
/// they were emitted. On GPUs a team takes some rows, its threads one each at a time, the lanes of a thread the pairs.
template <class Real, class Systems = one_system<Real>>
struct complete_rows {
  binned_particles<Real, Systems> particles;
  pair_slots<Real> to;
  std::size_t const* offsets;
  int const* neighbors;
  image const* images;  ///< null where nothing needs them

  static constexpr int rows_per_team = 16;

  /// Pair k, which is in row `row`.
  KOKKOS_FUNCTION void pair(std::int64_t row, std::size_t k) const {
    auto const& p = particles;
    store_pair(to, k, p, p.place_of[row], p.place_of[neighbors[k] + p.first_candidate],
               images == nullptr ? image(0, 0, 0) : images[k]);
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    std::int64_t const first = static_cast<std::int64_t>(member.league_rank()) * rows_per_team;
    for (std::int64_t row = first + member.team_rank(); row < first + rows_per_team && row < particles.rows;
         row += member.team_size()) {
      std::size_t const begin = offsets[row];
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, offsets[row + 1] - begin),
                           [&](std::size_t k) { pair(row, begin + k); });
    }
  }

  template <class ExecutionSpace>
  void launch(ExecutionSpace const& space) const {
    static constexpr char const* name = "upsweep::neighbor_list::complete_rows";
    if (particles.rows == 0) return;
    if constexpr (compat::is_gpu<ExecutionSpace>) {
      int const teams = internal::divide_up(particles.rows, rows_per_team);
      Kokkos::parallel_for(name, Kokkos::TeamPolicy<ExecutionSpace>(space, teams, 4, 32), *this);
    } else {
      internal::for_each_index(space, name, static_cast<std::size_t>(particles.rows), [&](std::int64_t row) {
        for (std::size_t k = offsets[row]; k < offsets[row + 1]; ++k) pair(row, k);
      });
    }
  }
};

}  // namespace upsweep::neighbors::detail
