// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Host only: how the sort for GPUs uses scratch, for its kernels with lockstep lanes.

#include <upsweep/pack/detail/moving/scratch_word.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_member.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace lockstep {

/// A word of scratch, and the low half of its address.
struct scratch_word {
  std::uint32_t* pointer = nullptr;
  std::uint32_t address = 0;
  KOKKOS_FUNCTION static scratch_word of(std::uint32_t* word) {
    return {word, static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(word))};
  }
  KOKKOS_FUNCTION scratch_word operator+(std::uint32_t words) const { return of(pointer + words); }
  KOKKOS_FUNCTION std::uint32_t index_in(std::uint32_t words) const { return address / 4 % words; }
  KOKKOS_FUNCTION void increment() const { ++*pointer; }
  KOKKOS_FUNCTION std::uint32_t load() const { return *pointer; }
  KOKKOS_FUNCTION void store(std::uint32_t value) const { *pointer = value; }
};

/// What a team's threads have begun to copy.
class begun_copies {
 public:
  static begun_copies& of_thread() {
    thread_local std::vector<begun_copies> all(1024);
    return all[static_cast<std::size_t>(upsweep::team::testing::lockstep_team::running().current())];
  }
  void begin(void* to, void const* from, std::size_t bytes) {
    if (reinterpret_cast<std::uintptr_t>(to) % bytes != 0 || reinterpret_cast<std::uintptr_t>(from) % bytes != 0)
      throw upsweep::team::testing::lockstep_error("a copy of " + std::to_string(bytes) +
                                                   " bytes is not aligned to them");
    copies_.push_back({to, from, bytes});
  }
  void close_group() {
    last_group_ = group_;
    group_ = copies_.size();
  }
  void wait_but_last() { finish(last_group_); }
  void wait() { finish(copies_.size()); }

 private:
  struct copy {
    void* to;
    void const* from;
    std::size_t bytes;
  };
  void finish(std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) std::memcpy(copies_[k].to, copies_[k].from, copies_[k].bytes);
    copies_.erase(copies_.begin(), copies_.begin() + static_cast<std::ptrdiff_t>(count));
    group_ -= std::min(group_, count);
    last_group_ -= std::min(last_group_, count);
  }

  std::vector<copy> copies_;
  std::size_t last_group_ = 0, group_ = 0;  // where the last group begins, and what comes behind it
};

/// Copies that come as late as they may.
struct scratch_copies {
  static constexpr int chunk = 16;
  static constexpr bool has_chunks = true;
  template <class T>
  KOKKOS_FUNCTION static void begin(T* to, T const* from) {
    KOKKOS_IF_ON_HOST((begun_copies::of_thread().begin(to, from, sizeof(T));))
  }
  KOKKOS_FUNCTION static void begin_chunk([[maybe_unused]] void* to, [[maybe_unused]] void const* from) {
    KOKKOS_IF_ON_HOST((begun_copies::of_thread().begin(to, from, chunk);))
  }
  KOKKOS_FUNCTION static void close_group() { KOKKOS_IF_ON_HOST((begun_copies::of_thread().close_group();)) }
  KOKKOS_FUNCTION static void wait_but_last() { KOKKOS_IF_ON_HOST((begun_copies::of_thread().wait_but_last();)) }
  KOKKOS_FUNCTION static void wait() { KOKKOS_IF_ON_HOST((begun_copies::of_thread().wait();)) }
};

}  // namespace lockstep

template <>
struct upsweep::pack::detail::scratch_access<upsweep::team::testing::lockstep_lanes<32>> {
  using word = lockstep::scratch_word;
  using copies = lockstep::scratch_copies;
};
