// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/fetch.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/mpi/detail/agree_and_scan/host_copy.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/sort.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace upsweep::mpi::detail {

/// Rows in lists, one behind the other: those of list b are rows(offsets[b]) ... rows(offsets[b + 1] - 1), ascending.
template <class ExecutionSpace>
struct listed_rows {
  std::vector<std::size_t> offsets;
  Kokkos::View<std::size_t*, typename ExecutionSpace::memory_space> rows;
  std::size_t size() const { return offsets.back(); }
};

template <class Predicate>
struct report_if_bad {
  Predicate bad;
  upsweep::internal::error_word errors;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const i = static_cast<std::size_t>(k);
    if (bad(i)) errors.report(i, std::uint16_t(1));
  }
};

/// Index of the first bad row, or n. Waits for the instance. One thread per row, and a word that bad rows are reported
/// to: predicates branch, and there are few bad rows. Cost: one launch, n calls of the predicate.
template <class ExecutionSpace, class Predicate>
std::size_t first_bad_row(ExecutionSpace const& space, std::size_t n, Predicate const& bad, std::string_view name,
                          workspace* memory = nullptr) {
  if (n == 0) return 0;
  upsweep::internal::temporary_memory words(space, memory);
  upsweep::internal::for_each_index(
      space, [&] { return upsweep::internal::label(name, "bad_rows"); }, n,
      report_if_bad<Predicate>{bad, upsweep::internal::access::errors(words.get(), space)});
  auto const found = upsweep::internal::access::take_error(words.get(), space);
  return found == 0 ? n : upsweep::internal::error_word::index(found);
}

/// A row and the list that it belongs to in one word, so that a sort by the list's bits moves nothing else.
struct list_entry {
  static constexpr int row_bits = 40;
  static constexpr std::size_t rows = (std::size_t(1) << row_bits) - 1;
  static constexpr std::size_t lists = std::size_t(1) << (64 - row_bits);

  KOKKOS_FORCEINLINE_FUNCTION static std::size_t make(std::size_t list, std::size_t row) {
    return list << row_bits | row;
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::size_t list(std::size_t entry) { return entry >> row_bits; }
  KOKKOS_FORCEINLINE_FUNCTION static std::size_t row(std::size_t entry) { return entry & rows; }
};

/// The list of an entry, as a bin of a histogram.
template <class Entries>
struct list_of_entry {
  Entries entries;
  KOKKOS_FUNCTION std::int64_t operator()(std::size_t i) const {
    return static_cast<std::int64_t>(list_entry::list(entries(i)));
  }
};

/// Where each of `lists` lists begins, and where the last one ends. Waits for the instance.
template <class ExecutionSpace, class ListOf>
std::vector<std::size_t> offsets_of_lists(ExecutionSpace const& space, std::size_t n, ListOf const& list_of,
                                          std::size_t lists, workspace& memory, char const* function) {
  auto const counts = allocate<std::uint64_t>(space, lists, function, "counts");
  auto const offsets = allocate<std::size_t>(space, lists + 1, function, "offsets");
  upsweep::histogram(space, n, list_of, counts, offsets, {.workspace = &memory, .label = function});
  return to_host(space, offsets);
}

/// Sorts entries whose rows ascend by their lists.
template <class ExecutionSpace, class Entries>
void sort_entries(ExecutionSpace const& space, Entries const& entries, std::size_t lists, workspace& memory,
                  char const* function) {
  int const bits = lists < 2 ? 0 : static_cast<int>(std::bit_width(lists - 1));
  upsweep::sort(space, entries,
                {.workspace = &memory,
                 .label = function,
                 .first_bit = list_entry::row_bits,
                 .last_bit = list_entry::row_bits + bits});
}

/// Entry k becomes row k, those from `before` on with `gap` places between.
template <class Entries, class Rows>
struct store_rows {
  Entries entries;
  Rows rows;
  std::size_t before, gap;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const k = static_cast<std::size_t>(i);
    rows(k < before ? k : k + gap) = list_entry::row(entries(k));
  }
};

/// Every row is its own number.
template <class Rows>
struct every_row {
  Rows rows;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const row = static_cast<std::size_t>(i);
    rows(row) = row;
  }
};

template <class Destinations, bool Equal>
struct goes_to {
  Destinations destinations;
  int rank;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return (destinations(i) == rank) == Equal; }
};
template <class Destinations, class Rows>
struct make_entries {
  Destinations destinations;
  Rows rows, entries;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::size_t const row = rows(i);
    entries(i) = list_entry::make(static_cast<std::size_t>(destinations(row)), row);
  }
};

/// The rows for each rank. Most rows stay on `own`, so that only the others are sorted. Pre: every destination is a
/// rank. Waits for the instance.
template <class ExecutionSpace, class Destinations>
listed_rows<ExecutionSpace> list_by_rank(ExecutionSpace const& space, Destinations const& destinations, int ranks,
                                         int own, char const* function) {
  using rows_view = Kokkos::View<std::size_t*, typename ExecutionSpace::memory_space>;
  std::size_t const n = destinations.extent(0);
  internal::require(n <= list_entry::rows, function,
                    [&] { return "there are " + std::to_string(n) + " rows; at most 2^40 - 1 are supported"; });
  workspace memory(space);
  upsweep::call_options const options{.workspace = &memory, .label = function};
  listed_rows<ExecutionSpace> result;
  result.rows = allocate<std::size_t>(space, n, function, "rows");
  // Rows that leave come first, at the front: how many there are for each rank says where those that stay begin.
  std::size_t const leaving =
      upsweep::compact_indices(space, n, result.rows, goes_to<Destinations, false>{destinations, own}, options);
  std::size_t const stay = n - leaving;
  if (leaving == 0) {
    result.offsets.assign(static_cast<std::size_t>(ranks) + 1, 0);
    std::fill(result.offsets.begin() + own + 1, result.offsets.end(), n);
    upsweep::internal::for_each_index(
        space, [&] { return internal::label(function, "rows"); }, n, every_row<rows_view>{result.rows});
    return result;
  }
  rows_view const entries = allocate<std::size_t>(space, leaving, function, "entries");
  upsweep::internal::for_each_index(
      space, [&] { return internal::label(function, "entries"); }, leaving,
      make_entries<Destinations, rows_view>{destinations, result.rows, entries});
  sort_entries(space, entries, static_cast<std::size_t>(ranks), memory, function);
  result.offsets = offsets_of_lists(space, leaving, list_of_entry<rows_view>{entries}, static_cast<std::size_t>(ranks),
                                    memory, function);
  std::size_t const before = result.offsets[static_cast<std::size_t>(own)];
  for (auto r = static_cast<std::size_t>(own) + 1; r < result.offsets.size(); ++r) result.offsets[r] += stay;
  if (stay != 0)
    upsweep::compact_indices(space, n, Kokkos::subview(result.rows, std::make_pair(before, before + stay)),
                             goes_to<Destinations, true>{destinations, own}, options);
  upsweep::internal::for_each_index(
      space, [&] { return internal::label(function, "rows"); }, leaving,
      store_rows<rows_view, rows_view>{entries, result.rows, before, stay});
  space.fence(internal::label(function, "rows"));  // entries are freed
  return result;
}

}  // namespace upsweep::mpi::detail
