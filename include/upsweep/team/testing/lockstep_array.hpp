// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Host only: scratch memory that counts its accesses and finds missing barriers.

#include <upsweep/team/testing/lockstep_member.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace upsweep::team::testing {

template <class T>
class lockstep_array;

/// One slot of a lockstep_array: reading converts it to T, writing assigns to it.
template <class T>
class lockstep_reference {
 public:
  KOKKOS_FUNCTION lockstep_reference(lockstep_array<T>* array, std::ptrdiff_t slot) : array_(array), slot_(slot) {}
  lockstep_reference(lockstep_reference const&) = delete;

  KOKKOS_FUNCTION operator T() const {
    KOKKOS_IF_ON_HOST((return array_->read(slot_);))
    KOKKOS_IF_ON_DEVICE((return T{};))
  }
  KOKKOS_FUNCTION lockstep_reference const& operator=([[maybe_unused]] T const& value) const {
    KOKKOS_IF_ON_HOST((array_->write(slot_, value);))
    return *this;
  }
  KOKKOS_FUNCTION lockstep_reference const& operator=(lockstep_reference const& other) const {
    return *this = static_cast<T>(other);
  }

 private:
  lockstep_array<T>* array_;
  std::ptrdiff_t slot_;
};

/// What the team algorithms take as scratch: a pointer into a lockstep_array.
template <class T>
class lockstep_pointer {
 public:
  KOKKOS_FUNCTION lockstep_pointer(lockstep_array<T>* array, std::ptrdiff_t slot) : array_(array), slot_(slot) {}
  KOKKOS_FUNCTION lockstep_reference<T> operator[](std::ptrdiff_t i) const { return {array_, slot_ + i}; }
  KOKKOS_FUNCTION friend lockstep_pointer operator+(lockstep_pointer p, std::ptrdiff_t i) {
    return {p.array_, p.slot_ + i};
  }

 private:
  lockstep_array<T>* array_;
  std::ptrdiff_t slot_;
};

/// An array in the scratch of a lockstep_team: lockstep_array<int> scratch(team, 8); ... scratch.data() ...
///
/// Throws: lockstep_error where a slot is read that another thread has written since the last barrier, or written that
/// another thread has read or written since then: what the program then does depends on the order of the threads. Also
/// where a slot is read that was never written, or lies outside.
template <class T>
class lockstep_array {
 public:
  lockstep_array(lockstep_team& team, std::size_t n) : team_(&team), slots_(n) {}
  lockstep_array(lockstep_array const&) = delete;
  lockstep_array& operator=(lockstep_array const&) = delete;

  lockstep_pointer<T> data() { return {this, 0}; }
  std::size_t size() const { return slots_.size(); }
  std::uint64_t reads() const { return reads_; }
  std::uint64_t writes() const { return writes_; }

  T read(std::ptrdiff_t i) {
    auto& s = at(i, "read");
    ++reads_;
    if (s.written == 0) fail(i, "is read but was never written");
    if (s.written == team_->phase() && s.writer != team_->current())
      fail(i, "is read but thread " + std::to_string(s.writer) + " has written it since the last barrier");
    s.reader = s.was_read == team_->phase() && s.reader != team_->current() ? several : team_->current();
    s.was_read = team_->phase();
    return s.value;
  }

  void write(std::ptrdiff_t i, T const& value) {
    auto& s = at(i, "written");
    ++writes_;
    if (s.written == team_->phase() && s.writer != team_->current())
      fail(i, "is written but thread " + std::to_string(s.writer) + " has written it since the last barrier");
    if (s.was_read == team_->phase() && s.reader != team_->current())
      fail(i, "is written but " +
                  (s.reader == several ? "other threads have" : "thread " + std::to_string(s.reader) + " has") +
                  " read it since the last barrier");
    s.value = value;
    s.writer = team_->current();
    s.written = team_->phase();
  }

 private:
  static constexpr int several = -1;
  struct slot {
    T value{};
    std::uint64_t written = 0, was_read = 0;  // the phase in which it happened last
    int writer = 0, reader = 0;
  };

  slot& at(std::ptrdiff_t i, char const* how) {
    if (i < 0 || static_cast<std::size_t>(i) >= slots_.size())
      fail(i, std::string("is ") + how + " but lies outside of " + std::to_string(slots_.size()) + " slots");
    return slots_[static_cast<std::size_t>(i)];
  }

  [[noreturn]] void fail(std::ptrdiff_t i, std::string const& what) const {
    throw lockstep_error("thread " + std::to_string(team_->current()) + ": slot " + std::to_string(i) + " " + what);
  }

  lockstep_team* team_;
  std::vector<slot> slots_;
  std::uint64_t reads_ = 0, writes_ = 0;
};

}  // namespace upsweep::team::testing
