// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::mpi::detail {

/// A word that one rank writes and another one waits for. Each has 32 bytes of its own, so that words of several slots
/// are not read and written in one sector.
struct alignas(32) peer_word {
  std::uint32_t value;
};

/// Whether a count that wraps around has come as far as `wanted`. Pre: they differ by less than 2^31.
KOKKOS_FORCEINLINE_FUNCTION bool has_reached(std::uint32_t count, std::uint32_t wanted) {
  return static_cast<std::int32_t>(count - wanted) >= 0;
}

/// What travels from one rank to another goes through a ring of slots in the receiver's memory, a chunk in each. Chunks
/// between two ranks are numbered by 32 bits: chunk k has slot k % slots, which is right behind 2^32 because slots is a
/// power of two.
struct peer_ring_shape {
  std::uint32_t slots = 128;
  std::uint32_t slot_bytes = 1 << 16;  ///< a multiple of 16
  std::uint32_t first = 0;             ///< the number of the first chunk; the value of all words at first

  std::size_t bytes() const { return std::size_t{slots} * slot_bytes; }
};

/// The memory of a rank that the other ranks store into:
/// - arrived: for each ring, and each slot in it, the number of the last chunk that was stored there, plus 1;
/// - taken: for each ring through which this rank sends, the same of the last chunk that its receiver has copied out of
///   the slot. The sender stores chunk k where chunk k - slots has been taken;
/// - left: for each rank, whether it has given up, 0 at first;
/// - the rings of the ranks that send to this one.
struct peer_window {
  std::byte* base;
  int ranks;
  peer_ring_shape shape;

  /// The number of the ring from one rank to another, in the windows of both.
  int ring(int from, int to) const { return (to - from + ranks) % ranks - 1; }

  peer_word* arrived(int ring) const { return words() + ring_words(ring); }
  peer_word* taken(int ring) const { return words() + ring_words(ranks - 1 + ring); }
  peer_word* left() const { return words() + ring_words(2 * (ranks - 1)); }
  std::byte* slots(int ring) const { return base + begin_of_slots() + static_cast<std::size_t>(ring) * shape.bytes(); }
  std::size_t bytes() const { return begin_of_slots() + static_cast<std::size_t>(ranks - 1) * shape.bytes(); }

 private:
  peer_word* words() const { return reinterpret_cast<peer_word*>(base); }
  std::size_t ring_words(int rings) const { return static_cast<std::size_t>(rings) * shape.slots; }
  std::size_t begin_of_slots() const {
    std::size_t const bytes = (ring_words(2 * (ranks - 1)) + static_cast<std::size_t>(ranks)) * sizeof(peer_word);
    return (bytes + 255) / 256 * 256;
  }
};

}  // namespace upsweep::mpi::detail
