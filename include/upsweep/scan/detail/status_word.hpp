// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/stamped_value.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

/// 64-bit words in a line of 128 bytes. Every tile has lines of its own: resident teams poll the same few words, and
/// neighbours in one line would make that hot spot hotter (measured: 0.81 to 0.86 of copy speed for 8-byte values on an H200).
inline constexpr std::size_t words_per_line = 16;

/// The status of one tile, as stamped values: for a value of up to 4 bytes one word, in which the prefix replaces the
/// aggregate. Longer values have words for the aggregate and others for the prefix, so that each word is written with one
/// content only and no reader can meet half of a change. Pairs of words begin at even places: one access reads both.
template <class Value>
class status_words {
  using stamped = stamped_value<Value>;
  static constexpr bool shared = stamped::pieces == 1;
  static constexpr int aggregate_at = shared ? 0 : (stamped::pieces + 1) / 2 * 2;

 public:
  /// 64-bit words from one tile's status to the next.
  static constexpr std::size_t stride = (aggregate_at + stamped::pieces + words_per_line - 1) / words_per_line * words_per_line;

  std::uint64_t* first;

  /// The owner tells everybody; what a helper may have put there has the same bits.
  KOKKOS_FUNCTION void publish(std::size_t tile, std::uint32_t epoch, tile_state state, Value const& value) const {
    stamped::write(words(tile, state), stamp::make(epoch, state), value);
  }

  /// A helper's aggregate, where nothing of this epoch stands yet: the owner may be faster at any moment, and what it wrote
  /// stays.
  KOKKOS_FUNCTION void publish_if_invalid(std::size_t tile, std::uint32_t epoch, Value const& value) const {
    stamped::write_over_less(words(tile, tile_state::aggregate), epoch, tile_state::aggregate, value);
  }

  /// What the tile has published in this epoch; value is set unless that is nothing.
  KOKKOS_FUNCTION tile_state read(std::size_t tile, std::uint32_t epoch, Value& value) const {
    tile_state const state = stamped::read(words(tile, tile_state::prefix), epoch, value);
    if (shared || state != tile_state::invalid) return state;
    return stamped::read(words(tile, tile_state::aggregate), epoch, value);
  }

 private:
  KOKKOS_FUNCTION std::uint64_t* words(std::size_t tile, tile_state state) const {
    return first + tile * stride + (state == tile_state::aggregate ? aggregate_at : 0);
  }
};

}  // namespace upsweep::detail
