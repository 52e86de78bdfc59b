// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/instruction_set.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

// Loops over candidates, compiled in src/neighbors for several instruction sets and chosen at run time. Masks are words
// of 32 bits, the bits behind the last candidate being 0.

inline constexpr int cpu_group = 64;  ///< most particles of a group

/// Coordinates of candidates, of which `readable` are in memory.
template <class Real>
struct filter_source {
  Real const *x, *y, *z;
  int readable;
};

/// Candidates in single precision, relative to the origin of a group, and their squared distances from it. With radii
/// (distance_filter.hpp) the squares of these are taken off the distances.
struct filter_candidates {
  float *x, *y, *z, *squared;
  float* radius = nullptr;            ///< null: no pair is limited by radii
  int const* half_numbers = nullptr;  ///< null: pairs are not halved
};

/// The particles of a group as distance tests want them: -2 times their coordinates relative to the origin, and what
/// candidate^2 - 2 candidate . particle must not exceed for a certain hit, and for a possible one
/// (distance_filter.hpp).
struct filter_particles {
  int count;
  float x[cpu_group], y[cpu_group], z[cpu_group], certain[cpu_group], possible[cpu_group];
  float radius[cpu_group];     ///< -2 times it; not set where candidates have none
  int half_number[cpu_group];  ///< not set unless the list is half
};

/// Ids of candidates in two halves of 32 bits, of which the lower is stored with its first bit flipped: then both
/// compare as signed numbers.
struct split_id {
  int low, high;
  static constexpr int flipped(std::uint32_t low) { return static_cast<int>(low ^ 0x80000000u); }
  static constexpr split_id of(std::int64_t id) {
    return {flipped(static_cast<std::uint32_t>(id)), static_cast<int>(id >> 32)};
  }
};
/// A half list has the pair of i and j in the row of i where half_number(i) - half_number(j), a number of 32 bits that
/// may overflow, is negative: it is the difference of their ids, and if that is odd, its sign bit is flipped. So its
/// sign says whether j is larger, or, where one is odd and the other even, whether it is smaller. Pre: the ids differ
/// by less than 2^31.
constexpr int half_number(split_id id) {
  auto const low = static_cast<std::uint32_t>(id.low);
  return static_cast<int>(low + (low << 31));
}
struct split_ids {
  int const *low, *high;  ///< high is null where all have the same higher half, that of the particle too
};

/// Pairs of a particle at `own` with those at places, all in one image, whose displacement is `shift`.
template <class Real>
struct pairs_of_particle {
  Real const *x, *y, *z;
  int const* places;
  Real own[3], shift[3];
};

/// So many numbers are in a range, and so many are below it.
struct numbers_in_range {
  int count, below;
};

/// Words that are sorted: whole blocks of them are written.
constexpr int padded_words(int n) { return (n + 127) / 128 * 128; }

inline constexpr int most_sorted = 8192;  ///< candidates that are sorted together: what the second-level cache holds
/// From a column of transposed bits to the next: not a power of two, or all would be in the same places of a cache.
inline constexpr int bit_column = most_sorted / 32 + 16;

template <class Real>
struct cpu_hit_kernels {
  /// out = (position - origin) + shift, n times. Pre: out has room for 16 more, in which anything may be left.
  void (*relate)(filter_source<Real> const& from, int n, Real const* origin, Real const* shift,
                 filter_candidates const& out);
  /// The largest of n numbers. Pre: n is a multiple of 16, at least 16.
  float (*largest)(float const* of, int n);
  /// Bit k of a particle's words: candidate k is a certain hit; of `possible`: it may be one. Where there are numbers
  /// for it, the pairs of a half list alone are hits. The words of a particle stand side by side, the number of certain
  /// hits in `hits`. Returns the particles whose words differ, as bits: only theirs are written to `possible`. Pre: n
  /// is a multiple of 32, at least 32.
  std::uint64_t (*test)(filter_candidates const& candidates, int n, filter_particles const& particles,
                        std::uint32_t* words, std::uint32_t* possible, int* hits);
  /// Whether `test` looks at numbers for half lists. Not in portable code: compilers do not vectorize a loop with that.
  bool halves;
  /// Bit k of `words`: id k is odd. Pre: n is a multiple of 32.
  void (*parities)(int const* low, int n, std::uint32_t* words);
  /// Of the candidates whose bits are set, leaves those that a half list has in the row of `own`: larger ids of the
  /// same parity, and smaller ones of the other; none that has the same id. Returns the number of bits that are left.
  /// Pre: n is a multiple of 32; `odd` are the parities of the ids.
  int (*keep_half)(split_ids const& ids, std::uint32_t const* odd, int n, split_id own, std::uint32_t* words);
  /// Clears the bits of candidates that have this id. Pre: n is a multiple of 32.
  void (*remove)(split_ids const& ids, int n, split_id id, std::uint32_t* words);
  /// The number of set bits in n words.
  int (*count)(std::uint32_t const* words, int n);
  /// Bit k of `words`: marks[k] is not 0. Clears the marks. Pre: n is a multiple of 32.
  void (*take_marks)(unsigned char* marks, int n, std::uint32_t* words);
  /// Sorts n words. Pre: they are in order by their bits below `low`; both arrays have room for padded_words(n).
  void (*sort)(std::uint32_t* words, int n, int low, std::uint32_t* other);
  void (*sort_wide)(std::uint64_t* words, int n, int low, std::uint64_t* other);
  /// Rows of bits become columns: bit i of out[k * bit_column + w] is bit k of in[i * stride + w], for k below 32 and w
  /// below n. Only `rows` of them are read, at most 32; the bits of others are 0. Pre: n is at most bit_column - 16,
  /// and each column of `out` has room for bit_column words.
  void (*transpose)(std::uint32_t const* in, int rows, int stride, int n, std::uint32_t* out);
  /// The indices whose bits are set, side by side; returns their number. Pre: out has room for 32 more.
  int (*select)(int const* in, std::uint32_t const* words, int n, int* out);
  /// Copies to memory that nobody reads soon: whole lines pass by the caches. Others see them after `finish`.
  void (*stream)(int const* in, int n, int* out);
  /// Says that ints from first to last will be streamed, or stored: their lines are fetched meanwhile.
  void (*prefetch_for_stream)(int const* first, int const* last);
  void (*prefetch_for_store)(int const* first, int const* last);
  void (*finish)();
  /// The displacements of n pairs, three numbers each, and their distances, unless these are null; with the bits of
  /// pairs/pair_slots.hpp.
  void (*measure)(pairs_of_particle<Real> const& pairs, int n, Real* displacements, Real* distances);
  /// The squared distances of n pairs, with the same bits.
  void (*square)(pairs_of_particle<Real> const& pairs, int n, Real* squared);
  /// Copies to `around` those of n numbers that are in a range with the one that comes `wanted` when all are sorted.
  /// Few, where they are not equal. Pre: 0 < wanted <= n; no number is negative or above `most`; `around` has room for
  /// n + 1.
  numbers_in_range (*near_rank)(Real const* of, int n, int wanted, Real most, Real* around);
};

/// The kernels for float and double, by an instruction set that is available, and by the widest of this processor.
template <class Real>
cpu_hit_kernels<Real> const& cpu_hits(internal::instruction_set which) noexcept;
template <class Real>
cpu_hit_kernels<Real> const& cpu_hits() noexcept;

}  // namespace upsweep::neighbors::detail
