// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/pack/detail/lists/pack_kernels.hpp>
#include <upsweep/pack/detail/unique_rows/row_kernels.hpp>
#include <upsweep/pack/detail/unique_rows/unique_rows_pass.hpp>
#include <upsweep/pack/emitter.hpp>
#include <upsweep/pack/internal/sort_network.hpp>
#include <upsweep/team/shuffle.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// Whether the first pass has found a row to be long.
struct is_long_row {
  std::size_t const* counts;
  KOKKOS_FUNCTION bool operator()(std::int64_t i) const { return (counts[i] & long_row_mark) != 0; }
};

/// How many values a long row has.
struct long_row_size_kernel {
  std::size_t const* counts;
  std::int64_t const* rows;
  std::size_t* sizes;
  KOKKOS_FUNCTION void operator()(std::int64_t j) const { sizes[j] = counts[rows[j]] & ~long_row_mark; }
};

/// The memory of long rows: row rows[j] has sizes[j] values, and room for them from values[begins[j]] on.
template <class T>
struct long_row_memory {
  std::int64_t const* rows;
  std::size_t const* begins;
  std::size_t const* sizes;
  T* values;
  std::size_t* counts;  ///< of all rows of the call

  KOKKOS_FUNCTION T* slot(std::int64_t j) const { return values + begins[j]; }
};

/// Brings the values of long rows to their memory: one thread per row.
template <class T, class Functor>
struct emit_long_rows_kernel {
  Functor functor;
  long_row_memory<T> memory;
  internal::error_word errors;

  KOKKOS_FUNCTION void operator()(std::int64_t j) const {
    auto const row = static_cast<std::size_t>(memory.rows[j]);
    emitter<T> const emit(memory.slot(j), memory.sizes[j]);
    functor(row, emit);
    if (emit.code() != 0) errors.report(row, emit.code());
    else if (emit.count() != memory.sizes[j]) errors.report(behind_failures + row, count_mismatch_code);
  }
};

/// Sorts long rows of up to `most` values on CPUs: one thread per row.
template <class T, class Rows>
struct unique_long_rows_cpu {
  Rows rows;
  long_row_memory<T> memory;
  std::size_t most;
  row_sorter<T> sorter;

  void operator()(std::int64_t j) const {
    std::size_t const size = memory.sizes[j];
    if (size > most) return;
    T* const slot = memory.slot(j);
    T const* from = slot;
    if constexpr (Rows::are_stored) from = rows.begin(memory.rows[j]);
    memory.counts[memory.rows[j]] = sorter.unique(from, size, slot, slot);
  }
};

/// The same on GPUs: one team per row, by a network within the row's memory.
template <class T, class Rows>
struct unique_long_rows_team {
  using sum = plus<std::uint32_t>;

  Rows rows;
  long_row_memory<T> memory;
  std::size_t most;

  static std::size_t scratch_bytes(int threads) {
    return team::shuffle::scratch_bytes<std::uint32_t>(threads) + alignof(std::uint32_t);
  }

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    auto const j = static_cast<std::int64_t>(m.league_rank());
    std::size_t const size = memory.sizes[j];
    if (size > most) return;
    int const threads = m.team_size(), rank = m.team_rank();
    auto* const sums = static_cast<std::uint32_t*>(m.team_scratch(0).get_shmem_aligned(
        team::shuffle::scratch_bytes<std::uint32_t>(threads), alignof(std::uint32_t)));
    auto const n = static_cast<std::int64_t>(size);
    T* const slot = memory.slot(j);
    if constexpr (Rows::are_stored) {
      T const* const from = rows.begin(memory.rows[j]);
      for (std::int64_t k = rank; k < n; k += threads) slot[k] = from[k];
      m.team_barrier();
    }
    internal::sort_by_network(n, rank, threads, internal::compare_values<T>{slot}, [&] { m.team_barrier(); });
    // Values go to places before their own. The one before a thread's first can only have been overwritten by itself.
    std::size_t found = 0;
    for (std::int64_t first = 0; first < n; first += threads) {
      std::int64_t const k = first + rank;
      T const value = k < n ? slot[k] : T(0);
      bool const is_head = k < n && (k == 0 || slot[k - 1] != value);
      std::uint32_t all = 0;
      std::uint32_t const before = team::shuffle::exclusive_scan(m, is_head ? 1u : 0u, sum{}, sums, all);
      if (is_head) slot[found + before] = value;
      found += all;
      m.team_barrier();
    }
    if (rank == 0) memory.counts[memory.rows[j]] = found;
  }
};

/// Where one row's sorted values go.
template <class T>
struct long_row_target {
  std::size_t const* offsets;
  T* values;
  KOKKOS_FUNCTION T* slot(std::int64_t row) const { return values + offsets[row]; }
  KOKKOS_FUNCTION std::int64_t size(std::int64_t row) const {
    return static_cast<std::int64_t>(offsets[row + 1] - offsets[row]);
  }
};

/// Copies long rows that had up to `most` values to their places: one team per row, or one thread of a CPU.
template <class T>
struct copy_long_rows_kernel {
  long_row_memory<T> memory;
  long_row_target<T> target;
  std::size_t most;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    copy(m.league_rank(), m.team_rank(), m.team_size());
  }
  /// The share of one thread of `threads`.
  KOKKOS_FUNCTION void copy(std::int64_t j, int thread, int threads) const {
    if (memory.sizes[j] > most) return;
    std::int64_t const row = memory.rows[j], n = target.size(row);
    T const* const from = memory.slot(j);
    T* const to = target.slot(row);
    for (std::int64_t k = thread; k < n; k += threads) to[k] = from[k];
  }
};

/// Takes one longer row from the table, and copies it to its place: one thread per value.
template <class T, class Rows>
struct take_huge_row_kernel {
  Rows rows;
  std::int64_t row;
  T* to;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const { to[k] = rows.begin(row)[k]; }
};
template <class T>
struct copy_huge_row_kernel {
  T const* from;
  long_row_target<T> target;
  std::int64_t row;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const { target.slot(row)[k] = from[k]; }
};

}  // namespace upsweep::pack::detail
