// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/scan/detail/problem/contiguous_bytes.hpp>
#include <upsweep/scan/detail/tiles/pipeline_hardware.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

/// A tile of elements in a stage of persistent_kernel.hpp, behind the element before it where that is asked for. Rows
/// is a selection_rows. Contiguous elements aligned to 16 bytes come by the hardware's copies; others, and those of the
/// last, partial tile, by the lanes' own loads.
template <class Problem, class Rows>
struct staged_rows {
  using element = typename Problem::element;
  static constexpr std::size_t bytes_before = Rows::bytes_before;
  static constexpr std::size_t bytes = bytes_before + Rows::size * sizeof(element);
  static constexpr bool can_copy_in = is_contiguous_sequence<decltype(Problem::in)>;

  /// Whether whole tiles of a problem come by the hardware's copies.
  static bool copies_in(Problem const& p) {
    return can_copy_in && reinterpret_cast<std::uintptr_t>(contiguous_bytes(p.in)) % 16 == 0;
  }

  KOKKOS_FUNCTION static element* slots_of(unsigned char* stage) {
    return reinterpret_cast<element*>(stage + bytes_before);
  }

  /// By one thread: has the tile that begins at element `first` copied into its stage, and arrives at `full`; where
  /// workers load it, it only arrives.
  KOKKOS_FUNCTION static void fill(Problem const& p, bool copy_in, std::size_t first, unsigned char* stage,
                                   phase_barrier& full) {
    if (can_copy_in && copy_in && Rows::is_whole(p, first)) {
      constexpr auto of_tile = static_cast<std::uint32_t>(Rows::size * sizeof(element));
      // The first tile has nothing before it; what is there then is asked for and not used.
      std::uint32_t const before = first > 0 ? bytes_before : 0;
      full.arrive_expecting(before + of_tile);
      bulk_copy::load(stage + bytes_before - before, contiguous_bytes(p.in) + first * sizeof(element) - before,
                      before + of_tile, full);
    } else {
      full.arrive();
    }
  }
};

}  // namespace upsweep::scan::detail
