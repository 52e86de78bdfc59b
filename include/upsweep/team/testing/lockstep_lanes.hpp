// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Host only: the lanes of a warp or wavefront on any machine, for tests of kernels that take them as a type
// (base/internal/gpu/lanes.hpp).

#include <upsweep/team/testing/lockstep_member.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace upsweep::team::testing {

/// The operations of base/internal/gpu/lanes.hpp for neighbouring threads of a lockstep_team, `Width` of them a
/// wavefront: team.run(128, [&](lockstep_member const&) { auto const odd = lockstep_lanes<64>::ballot(...); });
///
/// Pre: called in the body of lockstep_team::run.
/// Throws: lockstep_error in run() where a lane of the wavefront does not come to an operation (it has ended, waits at
/// a barrier, or does not exist) or comes to another one, and where a shuffle asks for a lane that does not exist.
template <int Width>
struct lockstep_lanes {
  static constexpr int size = Width;
  using mask = std::conditional_t<Width == 32, std::uint32_t, std::uint64_t>;
  static constexpr mask all_lanes = static_cast<mask>(~mask(0));

  KOKKOS_FUNCTION static void sync() { meet("sync", char(0)); }
  KOKKOS_FUNCTION static mask ballot(bool value) {
    meet("ballot", value);
    mask lanes = 0;
    for (int k = 0; k < size; ++k) lanes |= static_cast<mask>(shown(value, k)) << k;
    return lanes;
  }
  KOKKOS_FUNCTION static bool all(bool value) { return ballot(value) == all_lanes; }
  template <int Bits>
  KOKKOS_FUNCTION static mask match_bits(std::uint32_t value, std::uint32_t const (&bit)[Bits]) {
    std::uint32_t compared = 0;
    for (int b = 0; b < Bits; ++b) compared |= bit[b];
    meet("match_bits", value);
    mask lanes = 0;
    for (int k = 0; k < size; ++k) lanes |= static_cast<mask>(((shown(value, k) ^ value) & compared) == 0) << k;
    return lanes;
  }

  /// Pre, and checked: the value is the same in all lanes.
  KOKKOS_FUNCTION static int uniform(int value) {
    meet("uniform", value);
    for (int k = 0; k < size; ++k) {
      if (shown(value, k) != value) {
        KOKKOS_IF_ON_HOST((throw lockstep_error("uniform: lane 0 has " + std::to_string(shown(value, 0)) + ", lane " +
                                                std::to_string(k) + " has " + std::to_string(shown(value, k)));))
      }
    }
    return value;
  }

  KOKKOS_FUNCTION static int popcount(mask bits) {
    int n = 0;
    for (; bits != 0; bits &= bits - 1) ++n;
    return n;
  }
  KOKKOS_FUNCTION static int popcount_below(mask bits, int lane) {
    return popcount(bits & ((mask(1) << lane) - mask(1)));
  }
  KOKKOS_FUNCTION static int lowest_set_bit(mask bits) {
    int k = 0;
    while ((bits >> k & 1u) == 0) ++k;
    return k;
  }
  KOKKOS_FUNCTION static int highest_set_bit(mask bits) {
    int k = size - 1;
    while ((bits >> k & 1u) == 0) --k;
    return k;
  }
  KOKKOS_FUNCTION static mask lanes_below() { return (mask(1) << own_lane()) - mask(1); }
  KOKKOS_FUNCTION static mask lanes_above() { return static_cast<mask>(all_lanes << own_lane() << 1); }

  KOKKOS_FUNCTION static std::uint32_t reduce_sum(std::uint32_t value) {
    meet("reduce_sum", value);
    std::uint32_t sum = 0;
    for (int k = 0; k < size; ++k) sum += shown(value, k);
    return sum;
  }

  template <class T>
  KOKKOS_FUNCTION static T shuffle(T const& value, int lane) {
    meet("shuffle", value);
    return shown(value, lane);
  }
  template <class T>
  KOKKOS_FUNCTION static T shuffle_up(T const& value, int distance) {
    meet("shuffle_up", value);
    int const lane = own_lane();
    return lane < distance ? value : shown(value, lane - distance);
  }
  template <class T>
  KOKKOS_FUNCTION static T shuffle_xor(T const& value, int bits) {
    meet("shuffle_xor", value);
    return shown(value, own_lane() ^ bits);
  }

 private:
  KOKKOS_FUNCTION static int own_lane() {
    KOKKOS_IF_ON_HOST((return lockstep_team::running().current() % size;))
    KOKKOS_IF_ON_DEVICE((return 0;))
  }
  template <class T>
  KOKKOS_FUNCTION static void meet([[maybe_unused]] char const* operation, [[maybe_unused]] T const& value) {
    KOKKOS_IF_ON_HOST((lockstep_team::running().meet_lanes(size, operation, &value, sizeof(T));))
  }
  /// The value of a lane; of the type of `like`.
  template <class T>
  KOKKOS_FUNCTION static T shown(T const& like, [[maybe_unused]] int lane) {
    T value = like;
    KOKKOS_IF_ON_HOST((memcpy(&value, lockstep_team::running().shown_by(lane), sizeof(T));))
    return value;
  }
};

}  // namespace upsweep::team::testing
