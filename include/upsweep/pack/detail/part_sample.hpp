// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/index.hpp>
#include <upsweep/base/internal/label.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/detail/marks.hpp>
#include <upsweep/scan/internal/selection.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

// Which of two parts is the larger one, by a sample of four tiles, before the others are asked for. The sample's
// answers are kept as bits and not asked for again. What the sample says decides what is done first, never what comes
// out. Four, because a tile whose answers are read delays those that wait for its count: H200, 2^28 int32, one tile in
// 256: 250 us beside 580.

/// The sample's bits, a byte for 8 elements, and how many of them are set. From it select_in_one_pass() knows at
/// which end to begin.
struct part_sample {
  static constexpr std::size_t tiles = 4, per_byte = 8;
  /// From so many elements on the sample costs little beside them.
  static constexpr std::size_t least = std::size_t(1) << 24;

  std::uint64_t* found;
  unsigned char* bytes;
  std::size_t size;  ///< bytes; none for short inputs
  std::size_t bytes_per_tile;
  std::size_t spacing;  ///< tiles from one of the sample to the next

  /// Of the workspace.
  static std::size_t bytes_for(std::size_t n, std::size_t tile) {
    return n < least ? 0 : sizeof(std::uint64_t) + tiles * (tile / per_byte);
  }
  /// The first element of a byte.
  KOKKOS_FUNCTION std::size_t first(std::size_t byte) const {
    return (byte / bytes_per_tile * spacing * bytes_per_tile + byte % bytes_per_tile) * per_byte;
  }

  /// Whether the second part is the larger one.
  KOKKOS_FUNCTION bool backwards() const { return size > 0 && *found * 2 < size * per_byte; }
  KOKKOS_FUNCTION bool knows(std::size_t tile) const { return size > 0 && number(tile) < tiles; }
  KOKKOS_FUNCTION bool chosen(std::size_t tile, int at) const {
    return (bytes[number(tile) * bytes_per_tile + static_cast<std::size_t>(at / 8)] >> at % 8 & 1) != 0;
  }

 private:
  /// Among those of the sample; `tiles` for others.
  KOKKOS_FUNCTION std::size_t number(std::size_t tile) const {
    std::size_t k = 0;
    while (k < tiles && tile != k * spacing) ++k;
    return k;
  }
};

/// Asks for a byte of the sample.
template <class In, class PartOf>
struct sample_kernel {
  In in;
  PartOf part_of;
  part_sample sample;
  std::size_t n;

  KOKKOS_FUNCTION void operator()(std::int64_t k, std::uint64_t& chosen) const {
    std::size_t const begin = sample.first(static_cast<std::size_t>(k));
    unsigned bits = 0;
    UPSWEEP_UNROLL
    for (unsigned b = 0; b < part_sample::per_byte; ++b)
      if (begin + b < n && part_of(in.load(begin + b), begin + b)) bits |= 1u << b;
    sample.bytes[k] = static_cast<unsigned char>(bits);
    chosen += popcount(bits);
  }
};

/// Takes the sample; in memory that reserve(bytes_for()) has given.
template <class ExecutionSpace, class In, class PartOf, class Engine>
part_sample take_part_sample(ExecutionSpace const& space, std::size_t n, In const& in, PartOf const& part_of,
                             workspace& memory, basic_scan_options<Engine> const& options, char const* function) {
  constexpr std::size_t tile = internal::selection_tile<ExecutionSpace, typename In::value_type>;
  static_assert(!internal::takes_short_tiles<ExecutionSpace, typename In::value_type>(part_sample::least),
                "upsweep: a sample has long tiles.");
  if (n < part_sample::least) return {nullptr, nullptr, 0, 1, 1};
  constexpr std::size_t bytes = tile / part_sample::per_byte, size = part_sample::tiles * bytes;
  auto* const found = reinterpret_cast<std::uint64_t*>(memory.reserve(space, part_sample::bytes_for(n, tile)));
  part_sample const sample{found, reinterpret_cast<unsigned char*>(found + 1), size, bytes,
                           n / tile / part_sample::tiles};
  Kokkos::parallel_reduce(internal::label(function, "sample", options.label), internal::index_policy(space, size),
                          sample_kernel<In, PartOf>{in, part_of, sample, n}, word_view<ExecutionSpace>(found));
  return sample;
}

}  // namespace upsweep::pack::detail
