// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Host only: teams of any size on any machine, for tests of team algorithms and for counting what they do.

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/team/member.hpp>
#include <upsweep/team/testing/fibre.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace upsweep::team::testing {

/// What a team may not do: threads that part at a barrier, lanes that part at an operation of theirs, or threads that
/// touch a value that another one is changing.
class lockstep_error : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

class lockstep_team;

/// A thread of a lockstep_team, as the team algorithms see it.
class lockstep_member {
 public:
  lockstep_member(lockstep_team& team, int rank, int size) : team_(&team), rank_(rank), size_(size) {}
  KOKKOS_FUNCTION int team_rank() const { return rank_; }
  KOKKOS_FUNCTION int team_size() const { return size_; }
  KOKKOS_FUNCTION void team_barrier() const;

 private:
  lockstep_team* team_;
  int rank_, size_;
};

/// A team whose threads run one after the other, each to its next barrier, in another random order after every barrier:
/// lockstep_team team; int barriers = team.run(1000, [&](lockstep_member const& m) { ... });
///
/// Pre: one host thread uses a team; a body does not call run. Seed 0 keeps the order of the ranks.
/// Cost: one fibre with 64 KiB of stack for each thread of the largest team so far.
/// Throws: lockstep_error when some threads wait at a barrier and the others have ended, or when some lanes of a
/// wavefront wait for others that do not come (lockstep_lanes.hpp); what a body throws.
class lockstep_team {
 public:
  explicit lockstep_team(std::uint64_t seed = 1) : seed_(seed), random_(seed) {}
  lockstep_team(lockstep_team const&) = delete;
  lockstep_team& operator=(lockstep_team const&) = delete;

  /// Calls body(member) by every thread of a team; returns the number of barriers that each of them has passed.
  template <class Body>
  int run(int size, Body const& body) {
    return run_threads(size, [&](lockstep_member const& m) { body(m); });
  }

  /// Counts the stretches between barriers, over all runs: what happens in one of them has no order.
  std::uint64_t phase() const { return phase_; }
  /// The thread that is running now.
  int current() const { return current_; }

  /// What team_barrier does: lets the other threads run up to theirs.
  void arrive(int rank) { stop(threads_[static_cast<std::size_t>(rank)], status::waiting); }

  /// The team whose thread runs on this thread of the operating system. Pre: there is one.
  static lockstep_team& running() { return *resumed_->team; }

  /// The running thread shows a value to the lanes of its wavefront of `width` threads, and waits until all have called
  /// this with the same operation and size.
  void meet_lanes(int width, char const* operation, void const* value, std::size_t bytes) {
    auto& self = threads_[static_cast<std::size_t>(current_)];
    auto const* const first = static_cast<std::byte const*>(value);
    self.call = {width, operation, bytes};
    // A lane may be one meeting ahead of another, never two: the values of two meetings are kept.
    ++self.meetings;
    self.shown[self.meetings % 2].assign(first, first + bytes);
    stop(self, status::at_lanes);
  }
  /// What a lane of the running thread's wavefront has shown at the meeting that this thread has left last.
  void const* shown_by(int lane) const {
    auto const& self = threads_[static_cast<std::size_t>(current_)];
    if (lane < 0 || lane >= self.call.width)
      throw lockstep_error("thread " + std::to_string(current_) + ": " + std::string(self.call.operation) +
                           " of lane " + std::to_string(lane) + " of " + std::to_string(self.call.width));
    return threads_[static_cast<std::size_t>(current_ / self.call.width * self.call.width + lane)]
        .shown[self.meetings % 2]
        .data();
  }

 private:
  enum class status { running, waiting, at_lanes, ended };
  struct lanes_call {
    int width = 1;
    std::string_view operation;
    std::size_t bytes = 0;
    bool operator==(lanes_call const&) const = default;
  };
  struct cancelled {};  // unwinds a thread that will not be taken up again
  struct thread {
    fibre context;
    lockstep_team* team = nullptr;
    int rank = 0;
    status state = status::ended;
    std::exception_ptr failure;
    lanes_call call;
    std::uint64_t meetings = 0;
    std::vector<std::byte> shown[2];
  };
  // Not a power of two: the tops of the stacks would share a few cache lines' worth of sets.
  static constexpr std::size_t stack_bytes = 65536 + 576;

  // The life of a fibre: one body after the other. makecontext passes no pointer, hence `resumed_`.
  static void live() {
    thread& self = *resumed_;
    for (;;) {
      try {
        self.team->body_(lockstep_member(*self.team, self.rank, self.team->size_));
      } catch (cancelled const&) {
      } catch (...) {
        self.failure = std::current_exception();
      }
      self.state = status::ended;
      fibre::switch_between(self.context, self.team->scheduler_);
    }
  }

  int run_threads(int size, std::function<void(lockstep_member const&)> body) {
    if (size < 1)
      throw std::invalid_argument("lockstep_team::run: size = " + std::to_string(size) + " is not positive");
    body_ = std::move(body);
    size_ = size;
    order_.resize(static_cast<std::size_t>(size));
    std::iota(order_.begin(), order_.end(), 0);
    for (auto& t : threads_) t.meetings = 0;
    for (int rank = static_cast<int>(threads_.size()); rank < size; ++rank) {
      auto& added = threads_.emplace_back();
      added.team = this;
      added.rank = rank;
      added.context.start(&live, stack_bytes);
    }
    for (int barriers = 0;; ++barriers) {
      ++phase_;
      shuffle();
      for (int rank : order_) resume(rank);
      while (lanes_have_met()) {
        shuffle();
        for (int rank : order_)
          if (threads_[static_cast<std::size_t>(rank)].state == status::at_lanes) resume(rank);
      }
      int waiting = 0;
      for (int rank = 0; rank < size; ++rank)
        waiting += threads_[static_cast<std::size_t>(rank)].state == status::waiting;
      if (waiting == 0) return barriers;
      if (waiting < size) part(barriers, waiting);
    }
  }

  void resume(int rank) {
    auto& chosen = threads_[static_cast<std::size_t>(rank)];
    current_ = rank;
    resumed_ = &chosen;
    chosen.state = status::running;
    fibre::switch_between(scheduler_, chosen.context);
    if (!chosen.failure) return;
    auto const failure = std::exchange(chosen.failure, nullptr);
    cancel();
    std::rethrow_exception(failure);
  }

  // Leaves the running thread until it is resumed.
  void stop(thread& self, status why) {
    self.state = why;
    fibre::switch_between(self.context, scheduler_);
    if (cancelling_) throw cancelled{};
    self.state = status::running;
  }

  // Whether lanes wait, and then all lanes of their wavefronts do, for each other: each lane for the next one, and the
  // last for the first.
  bool lanes_have_met() {
    bool some = false;
    for (int rank = 0; rank < size_; ++rank) {
      auto const& self = threads_[static_cast<std::size_t>(rank)];
      if (self.state != status::at_lanes) continue;
      some = true;
      int const other = (rank + 1) % self.call.width == 0 ? rank + 1 - self.call.width : rank + 1;
      if (other >= size_) part_lanes(rank, other);
      auto const& next = threads_[static_cast<std::size_t>(other)];
      if (next.state != status::at_lanes || next.call != self.call) part_lanes(rank, other);
    }
    return some;
  }

  [[noreturn]] void part_lanes(int rank, int other) {
    auto const& call = threads_[static_cast<std::size_t>(rank)].call;
    std::string what = "does not exist";
    if (other < size_) {
      auto const& their = threads_[static_cast<std::size_t>(other)];
      if (their.state == status::ended) what = "has ended";
      else if (their.state == status::waiting) what = "waits at a barrier";
      else what = "is at " + std::string(their.call.operation) + " of " + std::to_string(their.call.bytes) + " bytes";
    }
    std::string const where = "wavefront " + std::to_string(rank / call.width) + " of " + std::to_string(call.width) +
                              " lanes: lane " + std::to_string(rank % call.width) + " is at " +
                              std::string(call.operation) + " of " + std::to_string(call.bytes) + " bytes, but lane " +
                              std::to_string(other % call.width) + " " + what;
    cancel();
    throw lockstep_error(where);
  }

  [[noreturn]] void part(int barriers, int waiting) {
    int at_barrier = 0, ended = 0;
    while (threads_[static_cast<std::size_t>(at_barrier)].state != status::waiting) ++at_barrier;
    while (threads_[static_cast<std::size_t>(ended)].state != status::ended) ++ended;
    cancel();
    throw lockstep_error("team of " + std::to_string(size_) + ": " + std::to_string(waiting) +
                         " threads (the first is " + std::to_string(at_barrier) + ") wait at barrier number " +
                         std::to_string(barriers + 1) + ", which the others (the first is " + std::to_string(ended) +
                         ") never reach");
  }

  // Unwinds the threads that wait, so that what lies on their stacks is destroyed.
  void cancel() {
    cancelling_ = true;
    for (auto& t : threads_)
      if (t.state == status::waiting || t.state == status::at_lanes) fibre::switch_between(scheduler_, t.context);
    for (auto& t : threads_) t.failure = nullptr;
    cancelling_ = false;
  }

  void shuffle() {
    if (seed_ == 0) return;
    for (std::size_t i = order_.size(); i > 1; --i) {
      // splitmix64: quick, and the same on every platform
      std::uint64_t x = (random_ += 0x9e3779b97f4a7c15u);
      x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
      x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
      std::swap(order_[i - 1], order_[static_cast<std::size_t>((x ^ (x >> 31)) % i)]);
    }
  }

  inline static thread_local thread* resumed_ = nullptr;
  std::uint64_t seed_, random_;
  std::deque<thread> threads_;  // never moved: fibres know their addresses
  std::vector<int> order_;
  fibre scheduler_;
  std::function<void(lockstep_member const&)> body_;
  int size_ = 0, current_ = 0;
  std::uint64_t phase_ = 0;
  bool cancelling_ = false;
};

KOKKOS_INLINE_FUNCTION void lockstep_member::team_barrier() const { KOKKOS_IF_ON_HOST((team_->arrive(rank_);)) }

static_assert(member<lockstep_member>, "upsweep: a lockstep_member is a member as the team algorithms ask for.");

}  // namespace upsweep::team::testing
