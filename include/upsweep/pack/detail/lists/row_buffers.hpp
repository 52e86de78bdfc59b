// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/fetch.hpp>
#include <upsweep/base/internal/arguments/require_reachable.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/byte_layout.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/pack/detail/lists/check_visits.hpp>
#include <upsweep/pack/detail/lists/pack_kernels.hpp>
#include <upsweep/pack/detail/lists/pack_memory.hpp>
#include <upsweep/pack/detail/lists/two_pass.hpp>
#include <upsweep/pack/lists.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

// One pass with a small buffer for each row.
//
// Rows [0, buffered) have a buffer each, as many as the memory budget allows; a row's first records wait there while
// rows are counted. Rows that overflow their buffer, and rows without one, are emitted by a second call of the functor.
// For threads of CPUs: GPUs take two passes, which were faster in all that was measured there (docs/pack.md). A row a
// thread, where the functor is called and where buffers are copied.

/// The buffers of the first rows.
template <class T>
struct row_buffers {
  T* records;
  std::size_t per_row;
  std::int64_t buffered;

  /// Whether all records of a row are in its buffer.
  KOKKOS_FUNCTION bool complete(std::int64_t i, std::size_t count) const { return i < buffered && count <= per_row; }
  KOKKOS_FUNCTION T* of(std::int64_t i) const { return records + static_cast<std::size_t>(i) * per_row; }
};

/// Counts the records of every row and keeps what fits.
template <class T, class Functor>
struct buffer_rows_kernel {
  Functor functor;
  visit_order order;
  row_buffers<T> buffers;
  std::size_t* counts;
  std::uint64_t* incomplete;  ///< becomes 1 where a row overflows
  internal::error_word errors;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    std::int64_t const i = order.row(k);
    if (order.skips(i)) return;
    emitter<T> const emit = i < buffers.buffered ? emitter<T>(buffers.of(i), buffers.per_row) : emitter<T>();
    functor(i, emit);
    counts[i] = emit.count();
    if (i + 1 == order.last) counts[i + 1] = 0;  // the place of the total
    if (!buffers.complete(i, emit.count())) compat::store_word(incomplete, 1);
    if (emit.code() != 0) errors.report(static_cast<std::size_t>(i), emit.code());
  }
};

/// Copies the records of complete rows into place.
template <class T>
struct place_buffers_kernel {
  row_buffers<T> buffers;
  std::size_t const* offsets;
  T* values;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::size_t const begin = offsets[i], count = offsets[i + 1] - begin;
    if (!buffers.complete(i, count)) return;
    T const* const from = buffers.of(i);
    for (std::size_t r = 0; r < count; ++r) values[begin + r] = from[r];
  }
};

/// The second call, for rows that are not complete.
template <class T, class Functor>
struct emit_incomplete_kernel {
  emit_rows_kernel<T, Functor> emit;
  row_buffers<T> buffers;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    std::int64_t const i = emit.order.row(k);
    if (emit.order.skips(i) || buffers.complete(i, emit.offsets[i + 1] - emit.offsets[i])) return;
    emit.emit_row(i);
  }
};

/// pack_lists by this strategy.
template <class T, class ExecutionSpace, class Functor>
struct buffered_pack {
  using memory_space = typename ExecutionSpace::memory_space;

  /// Bytes beside the result, with buffers for some rows.
  static std::size_t bytes(pack_options const& options, std::size_t rows, std::size_t buffered, char const* function) {
    std::size_t const records =
        internal::checked_multiply(buffered, buffer_records<T>(options), function, "rows * buffer_records");
    return workspace::header_bytes + layout(options, rows, records).bytes();
  }

  static lists<T, memory_space> pack(ExecutionSpace const& space, std::size_t rows, Functor const& functor,
                                     pack_options const& options, char const* function) {
    internal::require_reachable<ExecutionSpace>(options.visit, function, "visit");
    plan_options const passes = passes_of(options);
    std::size_t const per_row = buffer_records<T>(options), buffered = affordable_rows(options, rows, function);
    arrays const at = layout(options, rows, buffered * per_row);
    internal::temporary_memory memory(space, options.workspace);
    std::byte* const base = memory.get().reserve(space, at.bytes());
    row_buffers<T> const buffers{reinterpret_cast<T*>(base + at.records), per_row, static_cast<std::int64_t>(buffered)};
    auto* const incomplete = reinterpret_cast<std::uint64_t*>(base + at.incomplete);
    visit_order const order{options.visit.data(), 0, static_cast<std::int64_t>(rows)};
    auto* const slot = reinterpret_cast<std::size_t*>(memory.get().result_slot(space));
    auto const errors = memory.get().errors(space);
    check_visits(space, base, order, passes, errors);

    lists<T, memory_space> result;
    result.offsets = internal::allocate<std::size_t, memory_space>(space, rows + 1, function, "offsets");
    auto* const counts = result.offsets.data();
    if (rows == 0) {
      offsets_of_no_rows(space, counts);
      space.fence(internal::label("pack_lists", "fence"));
      return result;
    }
    Kokkos::deep_copy(space, Kokkos::View<std::uint64_t, memory_space, Kokkos::MemoryUnmanaged>(incomplete),
                      std::uint64_t(0));
    for_visits(space, buffer_rows_kernel<T, Functor>{functor, order, buffers, counts, incomplete, errors}, order,
               "buffer", passes);
    scan_offsets(space, counts, rows, slot, passes, memory.get());
    std::uint64_t total = 0;
    throw_row_error(memory.get().take_error(space, &total, 1), function);
    require_countable(space, counts, rows, total, function);
    result.values = internal::allocate<T, memory_space>(space, total, function, "values");

    internal::for_each_index(
        space, [&] { return internal::label("pack_lists", "place", options.label); }, buffered,
        place_buffers_kernel<T>{buffers, counts, result.values.data()});
    if (internal::fetch_one(space, incomplete, "pack_lists") != 0) {
      emit_rows_kernel<T, Functor> const emit{
          functor, order, counts, 0, result.values.data(), total, memory.get().errors(space)};
      for_visits(space, emit_incomplete_kernel<T, Functor>{emit, buffers}, order, "emit", passes);
      check_rows(space, memory.get(), function);
    }
    return result;
  }

 private:
  /// Where things lie in the workspace, behind what the scan takes.
  struct arrays {
    internal::byte_layout all;
    std::size_t records, incomplete;
    std::size_t bytes() const { return all.bytes(); }
  };
  static arrays layout(pack_options const& options, std::size_t rows, std::size_t records) {
    arrays a;
    plan_options const passes = passes_of(options);
    // The marks of visits are done with before the scan begins.
    a.all.template add<std::byte>(
        std::max(offset_scan_bytes<ExecutionSpace>(passes, rows), visit_marks_bytes(passes, rows)));
    a.incomplete = a.all.template add<std::uint64_t>(1);
    a.records = a.all.template add<T>(records);
    return a;
  }

  /// Rows whose buffers fit in the budget: all, or one at least.
  static std::size_t affordable_rows(pack_options const& options, std::size_t rows, char const* function) {
    if (!options.memory_budget || bytes(options, rows, rows, function) <= *options.memory_budget) return rows;
    std::size_t const fixed = bytes(options, rows, 0, function);
    require_budget(options.memory_budget, bytes(options, rows, 1, function), function, "one_pass_buffer");
    std::size_t const row_bytes = buffer_records<T>(options) * sizeof(T);
    // Arrays are rounded up to 256 bytes.
    return std::min(rows, (*options.memory_budget - fixed) / 256 * 256 / row_bytes);
  }
};

}  // namespace upsweep::pack::detail
