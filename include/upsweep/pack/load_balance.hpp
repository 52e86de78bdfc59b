// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/pack/detail/lists/pack_arguments.hpp>
#include <upsweep/pack/detail/lists/row_fill.hpp>
#include <upsweep/pack/detail/lists/row_starts.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/internal/temporary_bytes.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep {

/// The row of every item of compressed rows, so that work may be cut by items where rows differ in length: offsets
/// 0 2 2 5 give rows 0 0 2 2 2.
///
/// Pre: offsets, of an integer type, has one entry more than there are rows: the first is 0, none is less than the one
///   before, the last is the extent of rows, an integer View with other memory.
/// Cost: GPUs: two launches with one write per item, m + 1 reads and at most m writes for m rows; then an inclusive
///   scan (max) of rows in place, and its workspace. CPUs: one launch, one write per item, about 2 m reads; no
///   workspace.
/// Order: exact.
/// Sync: asynchronous with a workspace; without one it waits.
/// Aliasing: none; contiguous ranges that overlap are refused.
/// Throws: precondition_error (extents, overlap, workspace of another instance), overflow_error where the rows' type is
///   too narrow, out_of_memory_error. Wrong offsets: precondition_error naming the first, by workspace::check where
///   there is a workspace; rows has no meaning then, and nothing outside of it is written.
/// Source: S. Baxter, *Modern GPU*: load-balancing search; on GPUs by a scan.
template <execution_space_argument ExecutionSpace, class Offsets, class Rows>
void load_balance(ExecutionSpace const& space, Offsets const& offsets, Rows const& rows,
                  call_options const& options = {}) {
  static constexpr char const* function = "load_balance";
  using row = typename Rows::value_type;
  pack::detail::require_offsets_and_output<ExecutionSpace, Offsets, Rows>();
  internal::require(offsets.extent(0) >= 1, function, "offsets has no entries; it needs one more than rows");
  std::size_t const count = offsets.extent(0) - 1, n = rows.extent(0);
  if (count > 0) internal::narrow<row>(count - 1, function, "the last row");
  internal::require_apart(offsets, rows, function, "offsets", "rows");

  internal::temporary_memory memory(space, options.workspace);
  auto const from = internal::make_sequence(offsets);
  auto const to = internal::make_output_sequence(rows);
  using source = std::remove_const_t<decltype(from)>;
  using target = std::remove_const_t<decltype(to)>;
  auto const name = [&](char const* part) {
    return [part, &options] { return internal::label(function, part, options.label); };
  };
  // Memory is reserved before the address of the error word is taken: growing would move it.
  auto const reserve = [&](std::size_t bytes) {
    internal::access::reserve(memory.get(), space, bytes);
    return pack::detail::row_starts_kernel<source, target>{from, to, count, n,
                                                           internal::access::errors(memory.get(), space, function)};
  };
  if constexpr (compat::is_gpu<ExecutionSpace>) {
    auto const starts = reserve(n == 0 ? 0 : internal::scan_temporary_bytes<row, ExecutionSpace>(n));
    if (n > 0) internal::for_each_index(space, name("clear"), n, pack::detail::clear_kernel<target>{to});
    internal::for_each_index(space, name("starts"), count + 1, starts);
    inclusive_scan(space, rows, rows, max<row>{},
                   scan_options{.workspace = &memory.get(), .label = internal::inner_label(options.label, function)});
  } else {
    pack::detail::row_fill_kernel<source, target> const fill{reserve(0)};
    internal::run_on_cpu(space, name("fill"), fill.blocks(), fill, {0.03 * static_cast<double>(n)});
  }
  if (memory.owned()) memory.get().check(space);
}

UPSWEEP_WITHOUT_SPACE(load_balance)

}  // namespace upsweep
