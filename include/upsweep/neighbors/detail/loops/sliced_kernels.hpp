// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/internal/monoids/saturating_plus.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// What the kernels of a sliced list find wrong with what they read.
enum class sliced_error : std::uint16_t { bad_offset = 1, long_row, bad_order, repeated_row, changed_row, wide_index };

inline void throw_sliced_error(std::uint64_t found) {
  if (found == 0) return;
  auto const at = std::to_string(internal::error_word::index(found));
  switch (static_cast<sliced_error>(internal::error_word::code(found))) {
    case sliced_error::bad_offset:
      throw precondition_error("sliced_list: offsets(" + at +
                               ") or the one behind it is wrong: none is negative or less than the "
                               "one before, and the last is at most the number of neighbours");
    case sliced_error::long_row: throw overflow_error("sliced_list: row " + at + " has 2^32 neighbours or more");
    case sliced_error::bad_order: throw precondition_error("sliced_list: order(" + at + ") is not the number of a row");
    case sliced_error::repeated_row: throw precondition_error("sliced_list: row " + at + " is in order more than once");
    case sliced_error::changed_row:
      throw count_mismatch_error("sliced_list: row " + at + " has another length than when it was planned");
    case sliced_error::wide_index:
      throw overflow_error("sliced_list: row " + at + " has a neighbour that does not fit in the list's type");
  }
}

/// Neighbours of all rows and of the longest one.
struct row_sizes {
  std::uint64_t total, longest;
};
struct row_sizes_monoid {
  using value_type = row_sizes;
  KOKKOS_FUNCTION row_sizes identity() const { return {0, 0}; }
  KOKKOS_FUNCTION row_sizes operator()(row_sizes const& a, row_sizes const& b) const {
    return {internal::saturating_plus{}(a.total, b.total), a.longest < b.longest ? b.longest : a.longest};
  }
};

/// Offsets of any integer type as checked lengths.
template <class Offsets>
struct bounded_rows {
  Offsets offsets;
  std::size_t neighbors;  ///< how many there are

  KOKKOS_FUNCTION std::size_t begin(std::size_t i) const { return static_cast<std::size_t>(offsets.load(i)); }
  /// False where the row does not lie within the neighbours: a negative offset is larger than any number of them.
  KOKKOS_FUNCTION bool good(std::size_t i) const { return begin(i) <= begin(i + 1) && begin(i + 1) <= neighbors; }
  KOKKOS_FUNCTION std::size_t length(std::size_t i) const { return begin(i + 1) - begin(i); }
};

/// Size of row i; the first pass over the offsets, which finds all that is wrong with them.
template <class Offsets>
struct measure_row {
  bounded_rows<Offsets> rows;
  internal::error_word errors;

  KOKKOS_FUNCTION row_sizes operator()(std::size_t i) const {
    if (!rows.good(i)) {
      errors.report(i, static_cast<std::uint16_t>(sliced_error::bad_offset));
      return {0, 0};
    }
    std::size_t const length = rows.length(i);
    if (length > 0xffffffffu) errors.report(i, static_cast<std::uint16_t>(sliced_error::long_row));
    return {length, length};
  }
};

/// Copies the caller's order, null for 0, 1, 2, ..., and writes each row's place. Pre: places holds -1 everywhere.
/// An order of as many entries as rows misses a row only where it has another one twice, or a number that is no row. Of
/// a repeated row its number is reported, not the place: which of its places comes second depends on timing.
struct place_rows_kernel {
  int const* given;
  int* order;
  int* places;
  std::int64_t rows;
  internal::error_word errors;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    std::int64_t const i = given == nullptr ? p : given[p];
    if (i < 0 || i >= rows)
      return errors.report(static_cast<std::size_t>(p), static_cast<std::uint16_t>(sliced_error::bad_order));
    if (Kokkos::atomic_compare_exchange(places + i, -1, static_cast<int>(p)) != -1)
      return errors.report(static_cast<std::size_t>(i), static_cast<std::uint16_t>(sliced_error::repeated_row));
    order[p] = static_cast<int>(i);
  }
};

/// Keys by which longer rows come first within each window of places.
template <class Offsets>
struct window_keys_kernel {
  bounded_rows<Offsets> rows;
  int const* order;
  std::uint64_t* keys;
  std::uint64_t longest, window;
  int length_bits;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    std::uint64_t const w = static_cast<std::uint64_t>(p) / window;
    keys[p] = w << length_bits | (longest - rows.length(static_cast<std::size_t>(order[p])));
  }
};

struct invert_order_kernel {
  int const* order;
  int* places;
  KOKKOS_FUNCTION void operator()(std::int64_t p) const { places[order[p]] = static_cast<int>(p); }
};

/// Lengths by place, those of the last slice's missing rows too.
template <class Offsets>
struct place_lengths_kernel {
  bounded_rows<Offsets> rows;
  int const* order;
  std::uint32_t* lengths;
  std::int64_t count;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    std::size_t const i =
        order == nullptr || p >= count ? static_cast<std::size_t>(p) : static_cast<std::size_t>(order[p]);
    lengths[p] = p >= count ? 0 : static_cast<std::uint32_t>(rows.length(i));
  }
};

/// Entries of slice s. No template, so that its scan is compiled once.
struct slice_entries {
  std::uint32_t const* lengths;
  std::size_t slice_rows;
  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t s) const {
    std::uint32_t longest = 0;
    for (std::size_t lane = 0; lane < slice_rows; ++lane)
      longest = Kokkos::max(longest, lengths[s * slice_rows + lane]);
    return longest * slice_rows;
  }
};

/// Whether every value of an integer sequence fits in another type.
template <class To, class From>
KOKKOS_FUNCTION constexpr bool fits(From value) {
  // Asked of the type first: an unsigned number below 0 is what compilers warn of.
  auto const negative = []<class T>(T x) {
    if constexpr (std::is_signed_v<T>) return x < 0;
    else return false;
  };
  auto const converted = static_cast<To>(value);
  return static_cast<From>(converted) == value && negative(converted) == negative(value);
}

/// One place's entries: its row's neighbours, then padding. Threads of one slice write side by side.
template <class Offsets, class Neighbors, class Index, int SliceRows>
struct fill_place_kernel {
  bounded_rows<Offsets> rows;
  Neighbors from;
  image const* from_images;
  int const* order;
  std::uint32_t const* lengths;
  std::size_t const* slice_starts;
  Index* neighbors;
  image* images;
  std::size_t count;
  std::int64_t padding;
  internal::error_word errors;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    auto const p = static_cast<std::size_t>(place), slice = p / SliceRows;
    std::size_t const columns = (slice_starts[slice + 1] - slice_starts[slice]) / SliceRows;
    std::size_t const at = slice_starts[slice] + p % SliceRows;
    std::size_t const length = lengths[p];
    std::size_t begin = 0;
    if (p < count) {
      std::size_t const i = order == nullptr ? p : static_cast<std::size_t>(order[p]);
      if (!rows.good(i) || rows.length(i) != length)
        return errors.report(i, static_cast<std::uint16_t>(sliced_error::changed_row));
      begin = rows.begin(i);
      for (std::size_t k = 0; k < length; ++k) {
        auto const j = from.load(begin + k);
        if (!fits<Index>(j)) errors.report(i, static_cast<std::uint16_t>(sliced_error::wide_index));
        neighbors[at + k * SliceRows] = static_cast<Index>(j);
      }
    }
    // Padding repeats a neighbour of the row, so that loading what belongs to it is safe and hits the cache.
    Index const last = padding >= 0  ? static_cast<Index>(padding)
                       : length == 0 ? Index(0)
                                     : neighbors[at + (length - 1) * SliceRows];
    for (std::size_t k = length; k < columns; ++k) neighbors[at + k * SliceRows] = last;
    if (images == nullptr) return;
    for (std::size_t k = 0; k < columns; ++k)
      images[at + k * SliceRows] = length == 0 ? image(0, 0, 0) : from_images[begin + Kokkos::min(k, length - 1)];
  }
};

}  // namespace upsweep::neighbors::detail
