// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/detail/host_copy.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace upsweep::mpi::detail {

/// Rows listed by bucket: those of bucket b are rows(offsets[b]) ... rows(offsets[b + 1] - 1), ascending.
template <class ExecutionSpace>
struct bucketed_rows {
  std::vector<std::size_t> offsets;
  Kokkos::View<std::size_t*, typename ExecutionSpace::memory_space> rows;
  std::size_t size() const { return offsets.back(); }
};

/// What one chunk of rows has for each bucket: its column of the table. The bucket in use stays in a register, since
/// neighbouring rows mostly go to the same one, and neighbouring chunks share cache lines.
struct bucket_column {
  std::uint64_t* column;
  std::size_t chunks;
  int bucket = -1;
  std::uint64_t held = 0;

  KOKKOS_FUNCTION std::uint64_t& select(int b) {
    if (b != bucket) {
      store();
      bucket = b;
      held = column[static_cast<std::size_t>(b) * chunks];
    }
    return held;
  }
  KOKKOS_FUNCTION void store() const {
    if (bucket >= 0) column[static_cast<std::size_t>(bucket) * chunks] = held;
  }
};

struct count_sink {
  bucket_column column;
  KOKKOS_FUNCTION void operator()(int bucket) { ++column.select(bucket); }
};
struct place_sink {
  bucket_column column;
  std::size_t* rows;
  std::size_t row = 0;
  KOKKOS_FUNCTION void operator()(int bucket) { rows[column.select(bucket)++] = row; }
};

/// One thread a chunk of consecutive rows, in order; the table is bucket-major, so its scan gives every chunk its
/// slots.
template <class Functor>
struct count_rows {
  Functor functor;
  std::uint64_t* table;
  std::size_t n, chunks, length;
  KOKKOS_FUNCTION void operator()(std::size_t chunk) const {
    count_sink sink{{table + chunk, chunks}};
    std::size_t const end = (chunk + 1) * length < n ? (chunk + 1) * length : n;
    for (std::size_t i = chunk * length; i < end; ++i) functor(i, sink);
    sink.column.store();
  }
};
template <class Functor>
struct place_rows {
  Functor functor;
  std::uint64_t* table;
  std::size_t n, chunks, length;
  std::size_t* rows;
  KOKKOS_FUNCTION void operator()(std::size_t chunk) const {
    place_sink sink{{table + chunk, chunks}, rows};
    std::size_t const end = (chunk + 1) * length < n ? (chunk + 1) * length : n;
    for (std::size_t i = chunk * length; i < end; ++i) {
      sink.row = i;
      functor(i, sink);
    }
    sink.column.store();
  }
};

/// Every stride-th entry of a table.
template <class Table, class Out>
struct gather_strided {
  Table table;
  Out out;
  std::size_t stride;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { out(i) = table(i * stride); }
};

/// Lists rows by bucket: functor(i, sink) calls sink(b) for every bucket, 0 <= b < buckets, that row i belongs to, in
/// any number, the same ones each time it is asked. Count, scan, emit: no atomics, the order is fixed.
/// Cost: the functor twice a row; a table of 8 bytes for each bucket and chunk.
template <class ExecutionSpace, class Functor>
bucketed_rows<ExecutionSpace> bucket_rows(ExecutionSpace const& space, std::size_t n, int buckets,
                                          Functor const& functor, char const* function) {
  // Enough chunks to occupy the machine, few enough that the table stays small beside the rows.
  std::size_t const width = static_cast<std::size_t>(std::max(buckets, 1));
  std::size_t const wanted = compat::is_gpu<ExecutionSpace>
                                 ? std::min(n / 16, std::max<std::size_t>((std::size_t{1} << 22) / width, 4096))
                                 : static_cast<std::size_t>(space.concurrency());
  std::size_t length = divide_up(std::max<std::size_t>(n, 1), std::max<std::size_t>(wanted, 1));
  std::size_t const chunks = divide_up(std::max<std::size_t>(n, 1), length);

  auto const entries = checked_multiply(width, chunks, function, "buckets * chunks");
  auto const table = allocate<std::uint64_t>(space, entries + 1, "bucket_rows", "table");
  Kokkos::deep_copy(space, table, std::uint64_t{0});
  Kokkos::parallel_for(label(function, "count"), range(space, chunks),
                       count_rows<Functor>{functor, table.data(), n, chunks, length});
  using counts = Kokkos::View<std::uint64_t*, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>;
  std::uint64_t total = 0;
  counts_to_offsets(space, counts(table.data(), entries), table, total);

  auto const heads = allocate<std::size_t>(space, width + 1, "bucket_rows", "heads");
  Kokkos::parallel_for(label(function, "heads"), range(space, width + 1),
                       gather_strided<decltype(table), decltype(heads)>{table, heads, chunks});
  bucketed_rows<ExecutionSpace> result;
  result.offsets = to_host(space, heads);
  result.rows = allocate<std::size_t>(space, total, "bucket_rows", "rows");
  Kokkos::parallel_for(label(function, "emit"), range(space, chunks),
                       place_rows<Functor>{functor, table.data(), n, chunks, length, result.rows.data()});
  // The table is freed here.
  space.fence(label(function, "emit"));
  return result;
}

}  // namespace upsweep::mpi::detail
