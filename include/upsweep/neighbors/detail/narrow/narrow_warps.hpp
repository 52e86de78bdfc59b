// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/neighbors/detail/narrow/narrow_pass.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep::neighbors::detail {

/// One warp per row, in the order of cells; one lane per pair, 32 pairs at a time, whose answers are one ballot. No
/// scratch, and nothing is shared: lane 0 alone writes the words and the count of a row. `Lanes` has 32 lanes.
template <class Real, class Lanes = internal::warp_lanes>
struct narrow_warps {
  static_assert(Lanes::size == 32, "upsweep: a word has the bits of 32 pairs.");
  static constexpr int warps = 4;  ///< of a team

  /// The row of a warp; -1 where it has none.
  template <class Member>
  KOKKOS_FUNCTION static std::int64_t row_of(Member const& member, narrow_pass<Real> const& pass, int places) {
    std::int64_t const place =
        static_cast<std::int64_t>(member.league_rank()) * warps + member.team_rank() / Lanes::size;
    if (place >= places) return -1;
    int const row = pass.order[place];
    return row < static_cast<std::int64_t>(pass.from.rows) ? row : -1;
  }

  /// body(row, length of the row, lane) by the lanes of a warp.
  template <class Member, class Body>
  KOKKOS_FUNCTION static void on_row(Member const& member, narrow_pass<Real> const& pass, int places,
                                     Body const& body) {
    std::int64_t const row = row_of(member, pass, places);
    if (row >= 0) body(row, pass.length(row), member.team_rank() % Lanes::size);
  }

  /// The bits of a row and its count; or, where it emits, the pairs whose bits are set.
  template <bool Emits>
  struct row_kernel {
    narrow_pass<Real> pass;
    narrow_slots rows;
    int places;

    template <class Member>
    KOKKOS_FUNCTION void operator()(Member const& member) const {
      on_row(member, pass, places, [&](std::int64_t row, std::size_t length, int lane) {
        if constexpr (Emits) emit(row, length, lane);
        else count(row, length, lane);
      });
    }

   private:
    KOKKOS_FUNCTION void count(std::int64_t row, std::size_t length, int lane) const {
      std::uint32_t* const words = pass.words_of(row);
      std::size_t found = 0;
      for (std::size_t first = 0; first < length; first += 32) {
        std::size_t const k = first + static_cast<std::size_t>(lane);
        std::uint32_t const bits = Lanes::ballot(k < length && pass.is_hit(row, k));
        if (lane == 0) words[first / 32] = bits;
        found += static_cast<std::size_t>(Lanes::popcount(bits));
      }
      if (lane == 0) rows.offsets[row] = found;
    }

    KOKKOS_FUNCTION void emit(std::int64_t row, std::size_t length, int lane) const {
      std::size_t const begin = pass.from.offsets[row];
      std::uint32_t const* const words = pass.words_of(row);
      std::size_t out = rows.offsets[row];
      for (std::size_t first = 0; first < length; first += 32) {
        std::uint32_t const bits = words[first / 32];
        std::size_t const k = first + static_cast<std::size_t>(lane);
        if ((bits >> lane & 1u) != 0) {
          std::size_t const at = out + static_cast<std::size_t>(Lanes::popcount_below(bits, lane));
          rows.neighbors[at] = pass.from.neighbors[begin + k];
          if (rows.images != nullptr) rows.images[at] = pass.image_now(row, k);
        }
        out += static_cast<std::size_t>(Lanes::popcount(bits));
      }
    }
  };

  template <class ExecutionSpace>
  static void count(ExecutionSpace const& space, std::string const& label, narrow_pass<Real> const& pass,
                    narrow_slots const& rows, int places) {
    launch(space, label, places, row_kernel<false>{pass, rows, places});
  }
  template <class ExecutionSpace>
  static void emit(ExecutionSpace const& space, std::string const& label, narrow_pass<Real> const& pass,
                   narrow_slots const& rows, int places) {
    launch(space, label, places, row_kernel<true>{pass, rows, places});
  }

 private:
  template <class ExecutionSpace, class Kernel>
  static void launch(ExecutionSpace const& space, std::string const& label, int places, Kernel const& kernel) {
    if (places == 0) return;
    int const teams = internal::divide_up(places, warps);
    Kokkos::parallel_for(label, Kokkos::TeamPolicy<ExecutionSpace>(space, teams, warps * Lanes::size), kernel);
  }
};

}  // namespace upsweep::neighbors::detail
