// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/hand_over/status_words.hpp>
#include <upsweep/scan/tuning.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

// What teams that look back share: a region of the workspace that nothing else writes.
//   control   ticket, tiles finished, epoch, fallbacks taken
//   words     what tiles have published (decoupled_look_back.hpp)
// A tile takes its number from the ticket, so that all its predecessors have started; kernels of few tiles go without.
// The epoch changes only when all teams have counted themselves as finished, which none does before it has read it. The
// last one resets the ticket and advances the epoch, and clears the words when the stamp's bits run out, so that no
// other kernel has to, and a captured graph can be replayed.

/// Counters of one workspace; zeroed memory is the initial state.
struct look_back_control {
  std::uint64_t ticket;
  std::uint64_t finished;
  std::uint64_t epoch;
  std::uint64_t fallbacks;  ///< tiles whose aggregate a successor computed, over all calls; tests read it
};

/// 64-bit words in front of the first line: the control block has a line of its own.
inline constexpr std::size_t control_words = 16;

/// The last epoch that a stamp can hold.
inline constexpr std::uint32_t largest_epoch = (1u << stamp::epoch_bits) - 1;

struct look_back_memory {
  std::byte* region;
  std::size_t bytes;
  std::uint32_t epoch_limit = largest_epoch;
  int polls = 0;  ///< 0: the backend's default
};

/// Bytes of the region for so many tiles.
template <class Prefixes>
std::size_t prefix_bytes(std::size_t tiles) {
  return sizeof(std::uint64_t) * (control_words + Prefixes::words(tiles));
}

/// The region as a kernel sees it. in_place: teams may store where the fallback of others reads.
template <class Prefixes, class ExecutionSpace>
Prefixes make_prefixes(look_back_memory const& memory, std::size_t tiles, bool in_place) {
  auto* const words = reinterpret_cast<std::uint64_t*>(memory.region);
  return {reinterpret_cast<look_back_control*>(words),
          words + control_words,
          tiles,
          memory.bytes / sizeof(std::uint64_t) - control_words,
          memory.epoch_limit,
          memory.polls > 0 ? memory.polls : engine::tuning<ExecutionSpace>::polls,
          in_place};
}

}  // namespace upsweep::scan::detail
