// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/lists/row_errors.hpp>
#include <upsweep/pack/detail/lists/visit_order.hpp>
#include <upsweep/pack/emitter.hpp>
#include <upsweep/pack/pack_options.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace upsweep::pack::detail {

/// First pass, one thread per row: how many records it makes. A 0 follows the counts of all rows, the
/// place of the total.
template <class T, class Functor>
struct count_rows_kernel {
  Functor functor;
  visit_order order;
  std::size_t* counts;
  internal::error_word errors;
  std::size_t row_bound = no_bound;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    std::int64_t const i = order.row(k);
    if (order.skips(i)) return;
    emitter<T> const emit;
    functor(static_cast<std::size_t>(i), emit);
    // Else GCC branches on rows without records, which are always within the bound: a branch that nobody foresees.
    std::size_t const records = compat::opaque(emit.count());
    counts[i] = records;
    if (i + 1 == order.last) counts[i + 1] = 0;
    report_row(errors, i, emit.code(), records, row_bound);
  }
};

/// Second pass, one thread per row: its records into its slot. Rows that end behind the room that there is are left
/// out.
template <class T, class Functor>
struct emit_rows_kernel {
  Functor functor;
  visit_order order;
  std::size_t const* offsets;
  std::size_t base;  ///< the offset that values[0] stands for
  T* values;
  std::size_t room;  ///< entries of values
  internal::error_word errors;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    std::int64_t const i = order.row(k);
    if (order.skips(i)) return;
    std::size_t const begin = offsets[i] - base, end = offsets[i + 1] - base, capacity = end - begin;
    if (end > room) return;
    emitter<T> const emit(values + begin, capacity);
    functor(static_cast<std::size_t>(i), emit);
    if (!report_row(errors, i, emit.code(), emit.count(), no_bound) && emit.count() != capacity)
      errors.report(behind_failures + static_cast<std::size_t>(i), count_mismatch_code);
  }
};

/// Runs a kernel with a visit_order: over its rows, or over the visits that the caller gave.
template <class ExecutionSpace, class Kernel>
void for_visits(ExecutionSpace const& space, Kernel const& kernel, visit_order const& order, std::string_view phase,
                plan_options const& options) {
  std::int64_t const visits =
      options.visit.given() ? static_cast<std::int64_t>(options.visit.extent(0)) : order.last - order.first;
  internal::for_each_index(
      space, [&] { return internal::label("pack_lists", phase, options.label); }, static_cast<std::size_t>(visits),
      kernel);
}

}  // namespace upsweep::pack::detail
