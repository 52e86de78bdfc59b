// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

// What the lanes of a warp (CUDA, 32) or of a wavefront (HIP, 64 or 32) do together. Kernels take the lanes as a
// type, so that tests run them with the lanes of team/testing/lockstep_lanes.hpp. On the host these functions only
// have to compile.
//
// All lanes call each function, at the same place of the program.
//
// Memory order: sync() alone orders memory. What a lane wrote before it, to scratch or to global memory, is seen by all
// lanes behind it. Ballots and shuffles move values of registers and order nothing.
//   CUDA  __syncwarp() waits for the lanes, which may be at different instructions, and promises that order.
//   HIP   The lanes of a wavefront execute one instruction at a time together, so nothing waits, and the hardware
//         performs a wavefront's accesses of one address in the order of the program. Only the compiler could change
//         it, since it sees accesses of different lanes as unrelated. LLVM's memory model for AMDGPU gives the order: a
//         release fence and an acquire fence of wavefront scope synchronise the lanes of a wavefront. They are no
//         instructions on any GPU. The wave barrier between them keeps the compiler from moving the fences to different
//         branches. This is what HIP's own __syncwarp() does since ROCm 6.4.

namespace upsweep::internal {

/// The operations of the hardware. Pre: Width is the number of lanes that a warp or wavefront has.
template <int Width>
struct hardware_lanes {
  static_assert(Width == 32 || Width == 64, "upsweep: warps have 32 lanes, wavefronts 32 or 64.");
  static constexpr int size = Width;
  /// One bit for each lane: bit k is lane k's.
  using mask = std::conditional_t<Width == 32, std::uint32_t, std::uint64_t>;
  static constexpr mask all_lanes = static_cast<mask>(~mask(0));

  /// The lanes meet, and see what each other wrote before.
  KOKKOS_FORCEINLINE_FUNCTION static void sync() {
#if defined(__CUDA_ARCH__)
    __syncwarp();
#elif defined(__HIP_DEVICE_COMPILE__)
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
#endif
  }

  /// The lanes whose value is true.
  KOKKOS_FORCEINLINE_FUNCTION static mask ballot([[maybe_unused]] bool value) {
#if defined(__CUDA_ARCH__)
    return __ballot_sync(0xffffffffu, value);
#elif defined(__HIP_DEVICE_COMPILE__)
    return static_cast<mask>(__ballot(value));
#else
    return 0;
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION static bool all(bool value) { return ballot(value) == all_lanes; }

  /// The lanes whose values are equal in the bits that are given, one in each word of `bit`; a word of 0 compares
  /// nothing. One ballot a bit. CUDA, 2^26 keys sorted on an H200: 1450 us with these instructions, 1690 with what the
  /// compiler makes of the same ballots, and 2600 with the instruction that compares whole words.
  template <int Bits>
  KOKKOS_FORCEINLINE_FUNCTION static mask match_bits(std::uint32_t value, std::uint32_t const (&bit)[Bits]) {
    mask lanes = all_lanes;
    UPSWEEP_UNROLL
    for (int b = 0; b < Bits; ++b) lanes &= match_bit(value, bit[b]);
    return lanes;
  }

  /// The value, which is the same in all lanes. HIP's compiler learns that here: it then branches with the whole
  /// wavefront, which a barrier inside the branch needs.
  KOKKOS_FORCEINLINE_FUNCTION static int uniform(int value) {
#if defined(__HIP_DEVICE_COMPILE__)
    return __builtin_amdgcn_readfirstlane(value);
#else
    return value;
#endif
  }

  /// The number of bits that are set.
  KOKKOS_FORCEINLINE_FUNCTION static int popcount([[maybe_unused]] mask bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    if constexpr (Width == 32) return __popc(bits);
    else return __popcll(bits);
#else
    return 0;
#endif
  }
  /// The same of the bits of lanes below.
  KOKKOS_FORCEINLINE_FUNCTION static int popcount_below(mask bits, int lane) {
    return popcount(bits & ((mask(1) << lane) - mask(1)));
  }
  /// Pre: bits != 0.
  KOKKOS_FORCEINLINE_FUNCTION static int lowest_set_bit([[maybe_unused]] mask bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    if constexpr (Width == 32) return __ffs(static_cast<int>(bits)) - 1;
    else return __ffsll(static_cast<unsigned long long>(bits)) - 1;
#else
    return 0;
#endif
  }
  /// Pre: bits != 0.
  KOKKOS_FORCEINLINE_FUNCTION static int highest_set_bit([[maybe_unused]] mask bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    if constexpr (Width == 32) return 31 - __clz(static_cast<int>(bits));
    else return 63 - __clzll(static_cast<long long>(bits));
#else
    return 0;
#endif
  }

  /// The lanes below the one that calls, and those above it.
  KOKKOS_FORCEINLINE_FUNCTION static mask lanes_below() { return lanes_beside<true>(); }
  KOKKOS_FORCEINLINE_FUNCTION static mask lanes_above() { return lanes_beside<false>(); }
  template <bool Below>
  KOKKOS_FORCEINLINE_FUNCTION static mask lanes_beside() {
    mask lanes = 0;
#if defined(__CUDA_ARCH__)
    std::uint32_t word;
    if constexpr (Below) asm("mov.u32 %0, %%lanemask_lt;" : "=r"(word));
    else asm("mov.u32 %0, %%lanemask_gt;" : "=r"(word));
    lanes = word;
#elif defined(__HIP_DEVICE_COMPILE__)
    lanes = Below ? (mask(1) << __lane_id()) - mask(1) : all_lanes << __lane_id() << 1;
#endif
    return lanes;
  }

  /// The sum over all lanes.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t reduce_sum(std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(UPSWEEP_PORTABLE_GPU)
    return __reduce_add_sync(0xffffffffu, value);
#else
    for (int bit = 1; bit < size; bit *= 2) value += shuffle_xor(value, bit);
    return value;
#endif
  }

  /// The value of another lane.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T shuffle(T const& value, int lane) {
    return by_words(value, [=](std::uint32_t word) { return shuffle_word(word, lane); });
  }
  /// The value of the lane `distance` below; the own one where there is none.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T shuffle_up(T const& value, int distance) {
    return by_words(value, [=](std::uint32_t word) { return shuffle_word_up(word, distance); });
  }
  /// The value of the lane whose number differs in the bits of `bits`.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T shuffle_xor(T const& value, int bits) {
    return by_words(value, [=](std::uint32_t word) { return shuffle_word_xor(word, bits); });
  }

 private:
  template <class T, class Shuffle>
  KOKKOS_FORCEINLINE_FUNCTION static T by_words(T const& value, Shuffle const& shuffle) {
    constexpr int words = static_cast<int>((sizeof(T) + 3) / 4);
    std::uint32_t word[words] = {};
    memcpy(word, &value, sizeof(T));
    UPSWEEP_UNROLL
    for (int k = 0; k < words; ++k) word[k] = shuffle(word[k]);
    T result = value;
    memcpy(&result, word, sizeof(T));
    return result;
  }

#if defined(__CUDA_ARCH__)
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shuffle_word(std::uint32_t w, int lane) {
    return __shfl_sync(0xffffffffu, w, lane);
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shuffle_word_up(std::uint32_t w, int distance) {
    return __shfl_up_sync(0xffffffffu, w, static_cast<unsigned>(distance));
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shuffle_word_xor(std::uint32_t w, int bits) {
    return __shfl_xor_sync(0xffffffffu, w, bits);
  }
  /// The lanes whose values have the same bit.
  KOKKOS_FORCEINLINE_FUNCTION static mask match_bit(std::uint32_t value, std::uint32_t bit) {
    std::uint32_t lanes;
    asm volatile(
        "{\n.reg .pred one;\n.reg .b32 masked;\n"
        "and.b32 masked, %1, %2;\n"
        "setp.ne.u32 one, masked, 0;\n"
        "vote.sync.ballot.b32 %0, one, 0xffffffff;\n"
        "@!one not.b32 %0, %0;\n}"
        : "=r"(lanes)
        : "r"(value), "r"(bit));
    return lanes;
  }
#else
#if defined(__HIP_DEVICE_COMPILE__)
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shuffle_word(std::uint32_t w, int lane) {
    return __shfl(w, lane, Width);
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shuffle_word_up(std::uint32_t w, int distance) {
    return __shfl_up(w, static_cast<unsigned>(distance), Width);
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shuffle_word_xor(std::uint32_t w, int bits) {
    return __shfl_xor(w, bits, Width);
  }
#else
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shuffle_word(std::uint32_t w, int) { return w; }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shuffle_word_up(std::uint32_t w, int) { return w; }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shuffle_word_xor(std::uint32_t w, int) { return w; }
#endif
  KOKKOS_FORCEINLINE_FUNCTION static mask match_bit(std::uint32_t value, std::uint32_t bit) {
    bool const one = (value & bit) != 0;
    mask const ones = ballot(one);
    return one ? ones : static_cast<mask>(~ones);
  }
#endif
};

/// A thread alone, with the operations that a look-back needs.
struct one_lane {
  static constexpr int size = 1;
  using mask = std::uint32_t;
  KOKKOS_FORCEINLINE_FUNCTION static void sync() {}
  KOKKOS_FORCEINLINE_FUNCTION static mask ballot(bool value) { return value ? 1u : 0u; }
  KOKKOS_FORCEINLINE_FUNCTION static bool all(bool value) { return value; }
  KOKKOS_FORCEINLINE_FUNCTION static int uniform(int value) { return value; }
  KOKKOS_FORCEINLINE_FUNCTION static int lowest_set_bit(mask) { return 0; }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T shuffle(T const& value, int) {
    return value;
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T shuffle_xor(T const& value, int) {
    return value;
  }
};

/// The lanes of CUDA's warps, for kernels that only run with 32.
using warp_lanes = hardware_lanes<32>;

/// The lanes of the hardware behind an execution space.
template <class ExecutionSpace>
using lanes_of = hardware_lanes<compat::warp_width<ExecutionSpace>>;

/// The combination of a lane's value and of the one that the lane across `bit` gives, in the order of the two lanes.
/// Values are copied: a choice between two of them, where they are no numbers, is for nvcc 13 one between addresses,
/// and keeps them out of registers.
template <class Lanes, class Monoid>
KOKKOS_FORCEINLINE_FUNCTION typename Monoid::value_type join_lanes(Monoid const& op,
                                                                   typename Monoid::value_type const& kept,
                                                                   typename Monoid::value_type const& given, int bit,
                                                                   int lane) {
  auto const other = Lanes::shuffle_xor(given, bit);
  auto left = kept, right = other;
  if ((lane & bit) != 0) {
    left = other;
    right = kept;
  }
  return op(left, right);
}

/// The combination of all lanes' values, in order, in every lane: a balanced tree.
template <class Lanes, class Monoid>
KOKKOS_FORCEINLINE_FUNCTION typename Monoid::value_type fold_lanes(Monoid const& op, typename Monoid::value_type value,
                                                                   int lane) {
  UPSWEEP_UNROLL
  for (int bit = 1; bit < Lanes::size; bit *= 2) value = join_lanes<Lanes>(op, value, value, bit, lane);
  return value;
}

/// The combination of `Rows` rows from `First` on that have a value a lane, row by row and in the order of the lanes,
/// in every lane: a balanced tree for each power of two of them. Lanes share the rows out, so that it takes about as
/// many shuffles as there are rows, and not five for each. Overwrites the rows.
template <class Lanes, int First, int Rows, class Monoid, int All>
KOKKOS_FORCEINLINE_FUNCTION typename Monoid::value_type fold_rows(Monoid const& op,
                                                                  typename Monoid::value_type (&row)[All], int lane) {
  using state = typename Monoid::value_type;
  constexpr int even =
      static_cast<int>(Kokkos::bit_floor(static_cast<unsigned>(Rows < Lanes::size ? Rows : Lanes::size)));
  UPSWEEP_UNROLL
  for (int half = even / 2; half > 0; half /= 2) {
    // Of two lanes the left one goes on with the first half of the rows, the right one with the second half.
    int const bit = even / 2 / half;
    UPSWEEP_UNROLL
    for (int k = First; k < First + half; ++k) {
      state kept = row[k], given = row[k + half];
      if ((lane & bit) != 0) {
        kept = row[k + half];
        given = row[k];
      }
      row[k] = join_lanes<Lanes>(op, kept, given, bit, lane);
    }
  }
  state sum = row[First];
  UPSWEEP_UNROLL
  for (int bit = even; bit < Lanes::size; bit *= 2) sum = join_lanes<Lanes>(op, sum, sum, bit, lane);
  UPSWEEP_UNROLL
  for (int bit = even / 2; bit > 0; bit /= 2) sum = join_lanes<Lanes>(op, sum, sum, bit, lane);
  if constexpr (even < Rows) return op(sum, fold_rows<Lanes, First + even, Rows - even>(op, row, lane));
  else return sum;
}

/// The combination of the values of all lanes up to and including this one (Kogge-Stone).
template <class Lanes, class Monoid>
KOKKOS_FORCEINLINE_FUNCTION typename Monoid::value_type scan_lanes(Monoid const& op, typename Monoid::value_type value,
                                                                   int lane) {
  UPSWEEP_UNROLL
  for (int distance = 1; distance < Lanes::size; distance *= 2) {
    auto const left = Lanes::shuffle_up(value, distance);
    if (lane >= distance) value = op(left, value);
  }
  return value;
}

/// The combination of the values of the lanes from `start` up to and including this one, where lanes of one segment
/// have the same `start`: the steps of scan_lanes() that stay in the segment.
template <class Lanes, class Monoid>
KOKKOS_FORCEINLINE_FUNCTION typename Monoid::value_type scan_lanes_from(Monoid const& op,
                                                                        typename Monoid::value_type value, int start,
                                                                        int lane) {
  UPSWEEP_UNROLL
  for (int distance = 1; distance < Lanes::size; distance *= 2) {
    auto const left = Lanes::shuffle_up(value, distance);
    if (lane - distance >= start) value = op(left, value);
  }
  return value;
}

}  // namespace upsweep::internal
