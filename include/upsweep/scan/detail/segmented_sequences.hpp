// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/segmented.hpp>
#include <upsweep/base/sequence.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

// A segmented scan is a scan of {value, head} pairs: these sequences make the pairs while an engine loads, and take the
// values apart while it stores, so that engines serve segments without knowing of them. Threads of the host do know (segmented_tiles.hpp).
//
// Heads answer one question: does a segment start at element i? The first element starts one in any case: at(i) says so, starts(i) is
// asked of the others only.

/// Heads from flags, one an element.
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

/// Heads as one bit an element, made from offsets by segment_bits.hpp.
struct bit_heads {
  contiguous_sequence<std::uint32_t const> words;
  KOKKOS_FUNCTION bool starts(std::size_t i) const { return (words.load(i / 32) >> (i % 32) & 1u) != 0; }
  KOKKOS_FUNCTION bool at(std::size_t i) const { return i == 0 || starts(i); }
};

/// segmented<Monoid> whose states leave the engine as they are: the output sequence lowers them itself, because what it
/// writes depends on the head, too.
template <class Monoid>
struct segmented_states : segmented<Monoid> {
  using value_type = typename segmented<Monoid>::value_type;
  KOKKOS_FUNCTION value_type lower(value_type const& state) const { return state; }
};

template <class Heads, class In>
struct segmented_input {
  using value_type = segmented_value<typename In::value_type>;
  Heads heads;
  In in;
  KOKKOS_FUNCTION value_type load(std::size_t i) const { return {in.load(i), heads.at(i)}; }
};

/// Inclusive, a state's value is the result. Exclusive, it is the fold of everything before the element since the last
/// head; where the element is a head itself, that belongs to the segment before, and the identity is written.
template <bool Inclusive, class Heads, class Out, class Monoid>
struct segmented_output {
  using value_type = segmented_value<typename Monoid::value_type>;
  Heads heads;
  Out out;
  Monoid monoid;
  KOKKOS_FUNCTION void store(std::size_t i, value_type const& state) const {
    using output = typename Out::value_type;
    if constexpr (Inclusive) out.store(i, lower<output>(monoid, state.value));
    else out.store(i, lower<output>(monoid, heads.at(i) ? monoid.identity() : state.value));
  }
};

}  // namespace upsweep::detail
