// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <atomic>
#include <cstddef>

namespace upsweep::detail {

/// Hands the running prefix of a scan from group to group of its tiles, between threads of the host; also gives out the
/// numbers of groups. Made on the stack of the thread that launches the kernel.
///
/// Shared state: a ring of slots, one cache line or more each, so that waiting threads do not all poll one line. Slot
/// g % slots takes the prefix of group g from the thread that has group g - 1: value first, then the number, released; the
/// thread that waits acquires the number. A slot is used again by the owner of group g + slots - 1, which has
/// received its own prefix through a chain of hand-overs that starts at the reader of group g.
/// Progress: group g is waited for only by a thread that has taken a later number; so long as every taken group is
/// worked on by a started thread, and lower numbers first, the lowest one waits for nothing. A waiting thread spins for a few
/// microseconds, then yields its core.
template <class State>
class prefix_relay {
 public:
  /// The next group that nobody has taken.
  std::size_t take() { return ticket_.fetch_add(1, std::memory_order_relaxed); }

  /// The prefix of group g > 0.
  State receive(std::size_t group) {
    slot& from = slots_[group % count];
    for (int polls = 0; from.group.load(std::memory_order_acquire) != group; ++polls) {
      if (polls < spins) compat::spin_pause();
      else compat::pause();
    }
    return from.prefix;
  }

  /// Gives group g > 0 its prefix. Pre: the caller has received that of group g - 1, or g = 1.
  void send(std::size_t group, State const& prefix) {
    slot& to = slots_[group % count];
    to.prefix = prefix;
    to.group.store(group, std::memory_order_release);
  }

 private:
  static constexpr std::size_t count = 8;
  static constexpr int spins = 2000;
  struct alignas(128) slot {
    std::atomic<std::size_t> group{0};
    State prefix;
  };
  alignas(128) std::atomic<std::size_t> ticket_{0};
  slot slots_[count];
};

}  // namespace upsweep::detail
