// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/scan/detail/hand_over/status_words.hpp>
#include <upsweep/scan/detail/problem/contiguous_bytes.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

// A segmented scan is a scan of {value, head} pairs: these sequences make the pairs while an engine loads, and take the
// values apart while it stores, so that engines serve segments without knowing of them. CPU threads and GPUs with warps
// do know, and combine values only (segmented_tiles.hpp, segmented_tile.hpp).
//
// Heads answer one question: does a segment start at element i? The first element always starts one: at(0) says so.
// starts(i) is called for the other elements only.

/// Heads from flags, one per element.
template <class Flags>
struct flag_heads {
  Flags flags;
  KOKKOS_FUNCTION bool starts(std::size_t i) const { return static_cast<bool>(flags.load(i)); }
  KOKKOS_FUNCTION bool at(std::size_t i) const { return i == 0 || starts(i); }
};

/// Heads where a key differs from the one before.
template <class Keys, class Equal>
struct key_heads {
  Keys keys;
  Equal equal;
  KOKKOS_FUNCTION bool starts(std::size_t i) const { return !equal(keys.load(i - 1), keys.load(i)); }
  KOKKOS_FUNCTION bool at(std::size_t i) const { return i == 0 || starts(i); }
};

/// Heads as one bit per element, made from offsets by segment_bits.hpp.
struct bit_heads {
  internal::contiguous_sequence<std::uint32_t const> words;
  KOKKOS_FUNCTION bool starts(std::size_t i) const { return (words.load(i / 32) >> (i % 32) & 1u) != 0; }
  KOKKOS_FUNCTION bool at(std::size_t i) const { return i == 0 || starts(i); }
};

/// segmented_value without bytes of padding, if T is aligned to 4 or 8 bytes: where a struct has some, nvcc 13 takes
/// its copies apart byte by byte, and spills.
template <class T>
struct segmented_state {
  T value;
  /// 0 or 1
  std::conditional_t<alignof(T) == 8, std::uint64_t, std::conditional_t<alignof(T) == 4, std::uint32_t, bool>> head;
};

/// segmented<Monoid> with these states, which leave the engine as they are: the output sequence lowers them itself,
/// because what it writes depends on the head, too.
template <class Monoid>
struct segmented_states {
  using value_type = segmented_state<typename Monoid::value_type>;
  Monoid op;
  KOKKOS_FUNCTION value_type identity() const { return {op.identity(), false}; }
  KOKKOS_FUNCTION value_type operator()(value_type const& left, value_type const& right) const {
    if (right.head != 0) return right;
    return {op(left.value, right.value), left.head};
  }
  template <class Input>
  KOKKOS_FUNCTION value_type lift(segmented_state<Input> const& x) const {
    return {upsweep::internal::lift(op, x.value), x.head != 0};
  }
  KOKKOS_FUNCTION value_type lower(value_type const& state) const { return state; }
};

/// The same combinations of values, and a ballot instead of shuffles of heads.
template <class Lanes, class Monoid>
KOKKOS_FORCEINLINE_FUNCTION segmented_state<typename Monoid::value_type> scan_lanes(
    segmented_states<Monoid> const& op, segmented_state<typename Monoid::value_type> const& state, int lane) {
  auto const heads = static_cast<typename Lanes::mask>(Lanes::ballot(state.head != 0) & ~Lanes::lanes_above());
  return {internal::scan_lanes_from<Lanes>(op.op, state.value, heads == 0 ? 0 : Lanes::highest_set_bit(heads), lane),
          heads != 0};
}

/// The head travels in the stamps of a look-back.
template <class T>
struct status_word_parts<segmented_state<T>> {
  using bytes_type = T;
  static constexpr bool has_flag = true;
  KOKKOS_FORCEINLINE_FUNCTION static bytes_type const& bytes(segmented_state<T> const& state) { return state.value; }
  KOKKOS_FORCEINLINE_FUNCTION static bool flag(segmented_state<T> const& state) { return state.head != 0; }
  KOKKOS_FORCEINLINE_FUNCTION static segmented_state<T> join(bytes_type const& bytes, bool flag) {
    return {bytes, flag};
  }
};

template <class Heads, class In>
struct segmented_input {
  using value_type = segmented_state<typename In::value_type>;
  Heads heads;
  In in;
  KOKKOS_FUNCTION value_type load(std::size_t i) const { return {in.load(i), heads.at(i)}; }
};

/// Inclusive, a state's value is the result. Exclusive, it is the fold of everything before the element since the last
/// head; where the element is a head itself, that belongs to the segment before, and the identity is written.
template <bool Inclusive, class Heads, class Out, class Monoid>
struct segmented_output {
  using value_type = segmented_state<typename Monoid::value_type>;
  Heads heads;
  Out out;
  Monoid monoid;
  KOKKOS_FUNCTION void store(std::size_t i, value_type const& state) const {
    using output = typename Out::value_type;
    if constexpr (Inclusive) out.store(i, internal::lower<output>(monoid, state.value));
    else out.store(i, internal::lower<output>(monoid, heads.at(i) ? monoid.identity() : state.value));
  }
};

template <class Problem>
inline constexpr bool is_segmented_problem = false;
template <bool Inclusive, class Heads, class In, class Out, class Monoid>
inline constexpr bool is_segmented_problem<scan_problem<
    segmented_input<Heads, In>, segmented_output<Inclusive, Heads, Out, Monoid>, segmented_states<Monoid>, Inclusive>> =
    true;

/// Where the values lie: what may_be_in_place() asks for.
template <class Heads, class In>
KOKKOS_FUNCTION char* contiguous_bytes(segmented_input<Heads, In> const& s) {
  return contiguous_bytes(s.in);
}
template <bool Inclusive, class Heads, class Out, class Monoid>
KOKKOS_FUNCTION char* contiguous_bytes(segmented_output<Inclusive, Heads, Out, Monoid> const& s) {
  return contiguous_bytes(s.out);
}

}  // namespace upsweep::scan::detail
