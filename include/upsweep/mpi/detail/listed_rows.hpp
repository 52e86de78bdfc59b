// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/fetch.hpp>
#include <upsweep/base/index_policy.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/mpi/detail/host_copy.hpp>
#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/sort.hpp>
#include <upsweep/scan/reduce.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

namespace upsweep::mpi::detail {

/// Rows in lists, one behind the other: those of list b are rows(offsets[b]) ... rows(offsets[b + 1] - 1), ascending.
template <class ExecutionSpace>
struct listed_rows {
  std::vector<std::size_t> offsets;
  Kokkos::View<std::size_t*, typename ExecutionSpace::memory_space> rows;
  std::size_t size() const { return offsets.back(); }
};

/// The row itself where a predicate says that it is bad, else n.
template <class Predicate>
struct row_if_bad {
  Predicate bad;
  std::size_t n;
  KOKKOS_FUNCTION std::size_t operator()(std::size_t i) const { return bad(i) ? i : n; }
};

/// Index of the first bad row, or n. Waits for the instance.
template <class ExecutionSpace, class Predicate>
std::size_t first_bad_row(ExecutionSpace const& space, std::size_t n, Predicate const& bad, std::string_view name) {
  return n == 0 ? 0 : reduce(space, n, row_if_bad<Predicate>{bad, n}, min<std::size_t>{}, {.label = name});
}

template <class Destinations>
struct destination_of {
  Destinations destinations;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const { return destinations(static_cast<std::size_t>(i)); }
};

/// Keys and values of the sort.
template <class Destinations, class Keys, class Rows>
struct destination_keys {
  Destinations destinations;
  Keys keys;
  Rows rows;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const row = static_cast<std::size_t>(i);
    keys(row) = static_cast<unsigned>(destinations(row));
    rows(row) = row;
  }
};

/// The rows for each rank. Pre: every destination is a rank. Waits for the instance.
template <class ExecutionSpace, class Destinations>
listed_rows<ExecutionSpace> list_by_rank(ExecutionSpace const& space, Destinations const& destinations, int ranks,
                                         char const* function) {
  std::size_t const n = destinations.extent(0), size = static_cast<std::size_t>(ranks);
  workspace memory(space);
  listed_rows<ExecutionSpace> result;
  result.rows = allocate<std::size_t>(space, n, function, "rows");
  auto const keys = allocate<unsigned>(space, n, function, "keys");
  using keys_kernel = destination_keys<Destinations, std::remove_cvref_t<decltype(keys)>, decltype(result.rows)>;
  Kokkos::parallel_for(label(function, "keys"), upsweep::detail::index_policy(space, n),
                       keys_kernel{destinations, keys, result.rows});
  int const bits = std::bit_width(static_cast<unsigned>(ranks - 1));
  sort_by_key(space, keys, result.rows, {.last_bit = bits, .workspace = &memory, .label = function});
  auto const counts = allocate<std::uint64_t>(space, size, function, "counts");
  auto const offsets = allocate<std::size_t>(space, size + 1, function, "offsets");
  histogram(space, static_cast<std::int64_t>(n), destination_of<Destinations>{destinations}, counts, offsets,
            upsweep::scan_options{.workspace = &memory, .label = function});
  result.offsets = to_host(space, offsets);
  return result;
}

}  // namespace upsweep::mpi::detail
