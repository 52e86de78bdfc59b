// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>

namespace upsweep::scan::detail {

/// What the threads of a CPU scan know of its tile groups: the prefix of each group, once a thread has folded all
/// groups before it, and which threads still read the group's input. Also hands out the numbers of groups. Made on the
/// stack of the thread that launches the kernel; `Bytes` bounds it.
///
/// Rules: a thread that has taken a group is one of its readers from the start; others may enter() while somebody
/// reads. Each reader has folded the group, or has seen that the prefix behind it is there, before it leaves, and sends
/// that prefix before it leaves. Who leaves last, and nobody else, writes the group's output.
///
/// Memory order. A prefix is written by the one thread that has claimed it by compare-exchange, and released with
/// `ready`; who reads it has acquired that. All changes of `readers` are read-modify-write and leave() acquires and
/// releases, so that all reads of a group's input happen before the last reader's writes: the output may lie where the
/// input was. If enter() fails, the prefix of the next group is there: the thread that claimed it sent it before it
/// left, and enter() acquires what leave() released.
/// Progress: no function waits.
template <class State, std::size_t Bytes>
class prefix_relay {
  enum : unsigned { absent, claimed, ready };
  struct slot {
    std::atomic<unsigned> phase{absent};
    std::atomic<unsigned> readers{1};
    State prefix;
  };
  /// Groups that threads work on at the same time lie on different cache lines.
  struct alignas(64) line {
    slot of[std::max<std::size_t>(1, 64 / sizeof(slot))];
  };
  static constexpr std::size_t a_line = sizeof(line::of) / sizeof(slot);
  /// One line more than asked for: for the prefix behind the last group.
  static constexpr std::size_t lines = std::max<std::size_t>(64, Bytes / sizeof(line)) + 1;

 public:
  static constexpr std::size_t largest_count = lines * a_line - 1;

  /// Of `groups` groups, the first behind `init`. Pre: groups <= largest_count.
  prefix_relay(std::size_t groups, State const& init) : groups_(groups) {
    // Of the slots only those that are used are touched.
    for (std::size_t g = 0; g <= groups; ++g) std::construct_at(&at(g));
    send(0, init);
  }
  ~prefix_relay() {
    for (std::size_t g = 0; g <= groups_; ++g) std::destroy_at(&at(g));
  }
  prefix_relay(prefix_relay const&) = delete;
  prefix_relay& operator=(prefix_relay const&) = delete;

  /// The next group that nobody has taken.
  std::size_t take() { return ticket_.fetch_add(1, std::memory_order_relaxed); }

  /// Whether the prefix of a group is there. The number of groups asks for the prefix behind the last group.
  bool has(std::size_t group) { return at(group).phase.load(std::memory_order_acquire) == ready; }
  /// Pre: has(group).
  State const& prefix(std::size_t group) { return at(group).prefix; }
  /// The last group up to this one whose prefix is there.
  std::size_t latest(std::size_t group) {
    while (!has(group)) --group;
    return group;
  }

  /// Gives group g its prefix, unless somebody else does: all compute the same.
  void send(std::size_t group, State const& prefix) {
    slot& to = at(group);
    unsigned expected = absent;
    if (!to.phase.compare_exchange_strong(expected, claimed, std::memory_order_relaxed)) return;
    to.prefix = prefix;
    to.phase.store(ready, std::memory_order_release);
  }

  /// Makes the caller one more reader of a group. False if the last one has left, and then has(group + 1).
  bool enter(std::size_t group) {
    std::atomic<unsigned>& readers = at(group).readers;
    unsigned now = readers.load(std::memory_order_acquire);
    while (now != 0)
      if (readers.compare_exchange_weak(now, now + 1, std::memory_order_acquire)) return true;
    return false;
  }
  /// True for the last reader.
  bool leave(std::size_t group) { return at(group).readers.fetch_sub(1, std::memory_order_acq_rel) == 1; }

 private:
  slot& at(std::size_t group) { return reinterpret_cast<line*>(memory_)[group % lines].of[group / lines]; }

  alignas(64) std::atomic<std::size_t> ticket_{0};
  std::size_t groups_;
  alignas(line) std::byte memory_[lines * sizeof(line)];
};

}  // namespace upsweep::scan::detail
