// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/pack/detail/unique_rows/unique_rows_pass.hpp>
#include <upsweep/pack/detail/unique_rows/warp_row.hpp>
#include <upsweep/pack/emitter.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep::pack::detail {

/// What a team has: so many rows, and room for so many values in scratch.
template <class T, int RowsOfTeam, int Values>
struct team_of_rows {
  static std::size_t teams(std::int64_t rows) {
    return static_cast<std::size_t>(internal::divide_up<std::int64_t>(rows, RowsOfTeam));
  }
  static constexpr std::size_t scratch_bytes() { return Values * sizeof(T) + alignof(T); }
  template <class Member>
  KOKKOS_FUNCTION static T* scratch_of(Member const& m) {
    return static_cast<T*>(m.team_scratch(0).get_shmem_aligned(Values * sizeof(T), alignof(T)));
  }
};

/// Short rows of a table on GPUs: a warp takes a row.
template <class T, class Rows, class Lanes>
struct warp_table_rows {
  static constexpr int team_size = 128, warps = team_size / Lanes::size;
  /// Values of a short row at most.
  static constexpr int most = 4096 / sizeof(T);

  Rows rows;
  unique_rows_pass<T> pass;

  using team = team_of_rows<T, warps, warps * most>;

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    T* const scratch = team::scratch_of(m);
    int const lane = m.team_rank() % Lanes::size, warp = m.team_rank() / Lanes::size;
    std::int64_t const i = static_cast<std::int64_t>(m.league_rank()) * warps + warp;
    if (i >= pass.rows) return;
    std::size_t const size = rows.size(i);
    if (size > static_cast<std::size_t>(most)) {
      if (lane == 0 && !pass.emits()) pass.finish_long(i, size);
      return;
    }
    T* const out = pass.emits() ? pass.slot(i) : nullptr;
    std::size_t const room = pass.emits() ? pass.capacity(i) : 0;
    std::size_t const found =
        warp_row<T, Lanes>::unique(rows.begin(i), static_cast<int>(size), scratch + warp * most, out, room, lane);
    if (lane == 0) pass.finish(i, found);
  }
};

/// Short rows of a functor on GPUs: a thread calls it for its row, with room in scratch; then the warp sorts its rows
/// one after the other.
template <class T, class Rows, class Lanes>
struct warp_functor_rows {
  static constexpr int team_size = 64;
  /// Records of a short row at most.
  static constexpr int most = 512 / sizeof(T);
  /// Odd, so that neighbouring threads use other banks.
  static constexpr int stride = most + 1;

  Rows rows;
  unique_rows_pass<T> pass;

  using team = team_of_rows<T, team_size, team_size * stride>;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    T* const scratch = team::scratch_of(m);
    int const lane = m.team_rank() % Lanes::size, first = m.team_rank() - lane;
    std::int64_t const first_row = static_cast<std::int64_t>(m.league_rank()) * team_size + first,
                       own = first_row + lane;
    T* const slots = scratch + first * stride;

    std::size_t size = 0;
    bool const is_mine = own < pass.rows && !(pass.emits() && pass.is_left_out(own));
    if (is_mine) {
      emitter<T> const emit(slots + lane * stride, most);
      rows.functor(static_cast<std::size_t>(own), emit);
      pass.report_code(own, emit.code());
      size = emit.count();
    }
    bool const is_long = size > static_cast<std::size_t>(most);
    int const sorted = is_long ? 0 : static_cast<int>(size);
    Lanes::sync();

    std::size_t found = 0;  // of the own row
    for (int k = 0; k < Lanes::size; ++k) {
      int const n = Lanes::shuffle(sorted, k);
      if (n == 0) continue;
      T* const slot = slots + k * stride;
      T* const out = pass.emits() ? pass.slot(first_row + k) : nullptr;
      std::size_t const room = pass.emits() ? pass.capacity(first_row + k) : 0;
      std::size_t const of_row = warp_row<T, Lanes>::unique(slot, n, slot, out, room, lane);
      if (k == lane) found = of_row;
    }
    if (!is_mine) return;
    if (is_long) pass.finish_long(own, size);
    else pass.finish(own, found);
  }
};

/// Launches one of them.
template <class Kernel, class ExecutionSpace>
void launch_warp_rows(ExecutionSpace const& space, std::string const& label, Kernel const& kernel,
                      char const* function) {
  using policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<Kernel::team_size>>;
  int const teams = internal::narrow<int>(Kernel::team::teams(kernel.pass.rows), function, "the number of teams");
  Kokkos::parallel_for(label,
                       policy(space, teams, Kernel::team_size)
                           .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Kernel::team::scratch_bytes()))),
                       kernel);
}

}  // namespace upsweep::pack::detail
