// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/pack/detail/unique_rows/row_kernels.hpp>
#include <upsweep/pack/detail/unique_rows/unique_rows_pass.hpp>
#include <upsweep/pack/emitter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep::pack::detail {

/// Short rows on CPUs: a thread takes a block of rows, and sorts each in a buffer on its stack.
template <class T, class Rows>
struct cpu_unique_rows {
  static constexpr std::int64_t rows_per_block = 64;
  /// Records of a short row at most: 16 KiB, which stay in the first-level cache.
  static constexpr std::size_t most = 16384 / sizeof(T);
  static_assert(most % row_padding == 0);

  Rows rows;
  unique_rows_pass<T> pass;
  row_sorter<T> sorter;

  void operator()(std::int64_t block) const {
    alignas(64) T buffer[most];
    std::int64_t const first = block * rows_per_block, last = std::min(first + rows_per_block, pass.rows);
    for (std::int64_t i = first; i < last; ++i) {
      if constexpr (Rows::are_stored) stored_row(i, buffer);
      else emitted_row(i, buffer);
    }
  }

  template <class ExecutionSpace>
  static void launch(ExecutionSpace const& space, std::string const& label, Rows const& rows,
                     unique_rows_pass<T> const& pass) {
    // Uneven: long rows may lie side by side.
    internal::run_on_cpu(
        space, [&] { return label; }, static_cast<std::size_t>(internal::divide_up(pass.rows, rows_per_block)),
        cpu_unique_rows{rows, pass, {}}, {}, internal::tile_cost::uneven);
  }

 private:
  void stored_row(std::int64_t i, T* buffer) const {
    std::size_t const size = rows.size(i);
    if (size <= most) pass.finish(i, sorter.unique(rows.begin(i), size, buffer, pass.emits() ? pass.slot(i) : nullptr));
    else if (!pass.emits()) pass.finish_long(i, size);
  }
  void emitted_row(std::int64_t i, T* buffer) const {
    if (pass.emits() && pass.is_left_out(i)) return;
    emitter<T> const emit(buffer, most);
    rows.functor(static_cast<std::size_t>(i), emit);
    pass.report_code(i, emit.code());
    if (emit.count() > most) return pass.finish_long(i, emit.count());
    // Not straight to its slot: a functor that is not pure may have made more values than there is room for.
    std::size_t const found = sorter.unique(buffer, emit.count(), buffer, pass.emits() ? buffer : nullptr);
    if (pass.emits() && found <= pass.capacity(i)) std::copy_n(buffer, found, pass.slot(i));
    pass.finish(i, found);
  }
};

}  // namespace upsweep::pack::detail
