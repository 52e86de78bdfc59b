// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/fetch.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/mpi/detail/rows/bad_destination.hpp>
#include <upsweep/mpi/detail/rows/kept_rows.hpp>
#include <upsweep/mpi/detail/rows/listed_rows.hpp>
#include <upsweep/pack/compact.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace upsweep::mpi::detail {

/// Entries of rows that leave; a destination that is not a rank counts as list `ranks`, behind all others.
template <class Destinations>
struct make_leaving_entries {
  Destinations destinations;
  std::size_t const* rows;
  std::size_t* entries;
  int ranks;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::size_t const row = rows[i];
    auto const to = destinations(row);
    bool const good = to >= 0 && to < ranks;
    entries[i] = list_entry::make(static_cast<std::size_t>(good ? static_cast<int>(to) : ranks), row);
  }
};

/// Where list b of sorted entries begins: a binary search.
struct find_list {
  std::size_t const* entries;
  std::size_t count;
  std::size_t* offsets;
  KOKKOS_FUNCTION void operator()(std::int64_t b) const {
    std::size_t const first = list_entry::make(static_cast<std::size_t>(b), 0);
    std::size_t lo = 0, hi = count;
    while (lo < hi) {
      std::size_t const middle = lo + (hi - lo) / 2;
      if (entries[middle] < first) lo = middle + 1;
      else hi = middle;
    }
    offsets[b] = lo;
  }
};

/// Which rows leave a rank, by destination, and which stay. Keeps its memory from call to call. For one instance.
template <class ExecutionSpace>
class leaving_rows {
 public:
  /// Lists the rows i < n by destinations(i); returns the first whose destination is not a rank, or n, and then there
  /// are lists. Only rows that leave are sorted. Waits for the instance.
  template <class Destinations>
  std::size_t find(ExecutionSpace const& space, std::size_t n, Destinations const& destinations, int ranks, int own) {
    static constexpr char const* function = "redistribute";
    if (n > list_entry::rows)
      throw precondition_error("mpi::redistribute: there are " + std::to_string(n) +
                               " rows; at most 2^40 - 1 are supported");
    if (ranks == 1) return stay_where_good(space, n, not_a_rank<Destinations>{destinations, 1}, function);
    rows_ = n;
    offsets_.assign(static_cast<std::size_t>(ranks) + 1, 0);
    upsweep::call_options const options{.workspace = &memory(space), .label = function};
    grow_with_headroom(space, listed_, n, "rows");
    std::size_t const leaving =
        compact_indices(space, n, listed_, goes_to<Destinations, false>{destinations, own}, options);
    if (leaving == 0) return n;
    // One list more, of destinations that are not ranks.
    std::size_t const lists = static_cast<std::size_t>(ranks) + 1;
    grow_with_headroom(space, entries_, leaving, "entries");
    grow_with_headroom(space, list_offsets_, lists + 1, "offsets");
    if (staying_.data() == nullptr) staying_ = count_view("upsweep::redistribute::staying");
    upsweep::internal::for_each_index(
        space, "upsweep::redistribute::entries", leaving,
        make_leaving_entries<Destinations>{destinations, listed_.data(), entries_.data(), ranks});
    sort_entries(space, Kokkos::subview(entries_, std::make_pair(std::size_t(0), leaving)), lists, memory(space),
                 function);
    upsweep::internal::for_each_index(space, "upsweep::redistribute::lists", lists + 1,
                                      find_list{entries_.data(), leaving, list_offsets_.data()});
    compact_indices(space, n, listed_, staying_, goes_to<Destinations, true>{destinations, own}, options);
    space.fence("upsweep::redistribute::lists");
    std::copy_n(list_offsets_.data(), lists, offsets_.begin());
    if (leaving > offsets_.back()) return first_row_of_entry(space, offsets_.back());
    return n;
  }

  /// On one rank: all rows stay. Returns the first bad one, or n. Waits for the instance.
  template <class Predicate>
  std::size_t stay_where_good(ExecutionSpace const& space, std::size_t n, Predicate const& bad, char const* name) {
    rows_ = n;
    offsets_.assign(2, 0);
    return first_bad_row(space, n, bad, name, &memory(space));
  }

  /// What find() has used, with head-room for a call with a few rows more.
  void keep_headroom(ExecutionSpace const& space) {
    std::size_t const held = memory(space).size_bytes();
    if (held == held_) return;
    std::size_t const kept = upsweep::internal::access::protocol_bytes(memory(space));
    upsweep::internal::access::reserve_protocol(memory(space), space, kept == 0 ? 0 : with_headroom(kept));
    upsweep::internal::access::reserve(memory(space), space, with_headroom(held - kept));
    held_ = memory(space).size_bytes();
  }

  workspace& memory(ExecutionSpace const& space) {
    if (!memory_) memory_.emplace(space);
    return *memory_;
  }

  /// Rows for rank r are entries()[offsets()[r]] ... entries()[offsets()[r + 1] - 1], ascending: list_entry::row.
  std::vector<std::size_t> const& offsets() const { return offsets_; }
  std::size_t const* entries() const { return entries_.data(); }
  std::size_t leaving() const { return offsets_.empty() ? 0 : offsets_.back(); }
  std::size_t staying() const { return rows_ - leaving(); }
  /// The rows that stay, ascending; null where all do.
  std::size_t const* staying_rows() const { return leaving() == 0 ? nullptr : listed_.data(); }

 private:
  using memory_space = typename ExecutionSpace::memory_space;
  using rows_view = Kokkos::View<std::size_t*, memory_space>;
  using count_view = Kokkos::View<std::uint64_t, memory_space>;

  std::size_t first_row_of_entry(ExecutionSpace const& space, std::size_t at) const {
    return list_entry::row(to_host(space, Kokkos::subview(entries_, std::make_pair(at, at + 1)))[0]);
  }

  std::optional<workspace> memory_;
  std::size_t held_ = 0;
  std::size_t rows_ = 0;
  rows_view listed_, entries_;
  count_view staying_;
  Kokkos::View<std::size_t*, compat::mailbox_space<ExecutionSpace>> list_offsets_;
  std::vector<std::size_t> offsets_;
};

}  // namespace upsweep::mpi::detail
