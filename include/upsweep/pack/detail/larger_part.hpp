// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/label.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/detail/marks.hpp>
#include <upsweep/scan/options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

// Which of two parts is the larger one, by a sample of one block of 8192 elements in 256, before the others are asked for. The
// sample's answers are kept as bits and not asked for again. What the sample says decides what is done first, never what comes out.

/// The sample's bits, a word for 64 elements, and how many of them are set; and which elements it has.
struct part_sample {
  static constexpr unsigned block_bits = 13, blocks_bits = 8;
  static constexpr std::size_t words_per_block = (std::size_t(1) << block_bits) / group_size;
  /// From so many elements on the sample costs little beside them.
  static constexpr std::size_t least = std::size_t(1) << 22;

  std::uint64_t* words;
  std::uint64_t* chosen;
  std::size_t size;  ///< words; none for short inputs

  static std::size_t words_for(std::size_t n) {
    return n < least ? 0 : divide_up(n, std::size_t(1) << (block_bits + blocks_bits)) * words_per_block;
  }
  /// Of the workspace.
  static std::size_t bytes_for(std::size_t n) { return n < least ? 0 : sizeof(std::uint64_t) * (words_for(n) + 1); }

  KOKKOS_FUNCTION bool has(std::size_t i) const { return size > 0 && (i >> block_bits & ((1u << blocks_bits) - 1)) == 0; }
  KOKKOS_FUNCTION bool bit(std::size_t i) const {
    std::size_t const in_block = i & ((std::size_t(1) << block_bits) - 1);
    std::uint64_t const word = words[(i >> (block_bits + blocks_bits)) * words_per_block + in_block / group_size];
    return (word >> i % group_size & 1u) != 0;
  }
  /// The first element of a word.
  KOKKOS_FUNCTION static std::size_t first(std::size_t word) {
    return (word / words_per_block << (block_bits + blocks_bits)) + word % words_per_block * group_size;
  }

  /// Whether the second part is the larger one.
  KOKKOS_FUNCTION bool backwards() const { return size > 0 && *chosen * 2 < size * group_size; }
};

/// Asks for a word of the sample.
template <class In, class PartOf>
struct sample_kernel {
  In in;
  PartOf part_of;
  part_sample sample;
  std::size_t n;

  KOKKOS_FUNCTION void operator()(std::int64_t k, std::uint64_t& chosen) const {
    std::size_t const begin = part_sample::first(static_cast<std::size_t>(k));
    std::uint64_t word = 0;
    for (std::size_t i = begin; i < begin + group_size && i < n; ++i)
      if (part_of(in.load(i), i)) word |= std::uint64_t(1) << (i - begin);
    sample.words[k] = word;
    chosen += count_bits(word);
  }
};

/// Asks for elements that are not in the sample.
template <class PartOf>
struct part_beyond_sample {
  PartOf part_of;
  part_sample sample;
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const& x, std::size_t i) const {
    return sample.has(i) ? sample.bit(i) : static_cast<bool>(part_of(x, i));
  }
};

/// Takes the sample; in memory that reserve(bytes_for(n)) has given.
template <class ExecutionSpace, class In, class PartOf>
part_sample take_part_sample(ExecutionSpace const& space, std::size_t n, In const& in, PartOf const& part_of, workspace& memory,
                             scan_options const& options, char const* function) {
  std::size_t const size = part_sample::words_for(n);
  if (size == 0) return {nullptr, nullptr, 0};
  auto* const words = reinterpret_cast<std::uint64_t*>(memory.reserve(space, part_sample::bytes_for(n)));
  part_sample const sample{words + 1, words, size};
  Kokkos::parallel_reduce(label(function, "sample", options.label), index_policy(space, size),
                          sample_kernel<In, PartOf>{in, part_of, sample, n}, word_view<ExecutionSpace>(words));
  return sample;
}

}  // namespace upsweep::detail
