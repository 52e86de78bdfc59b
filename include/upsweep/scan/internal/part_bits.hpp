// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/one_pass/classify_work.hpp>
#include <upsweep/scan/detail/one_pass/one_pass.hpp>
#include <upsweep/scan/detail/one_pass/striped_selection.hpp>
#include <upsweep/scan/detail/tiles/part_bits.hpp>
#include <upsweep/scan/internal/part_counts.hpp>
#include <upsweep/scan/internal/selection.hpp>

#include <cstddef>
#include <string_view>

namespace upsweep::internal {

/// Which of three parts elements of type T belong to, asked for once and kept as bits: what select_in_one_pass() takes
/// as `chosen` where all parts must be counted before the first element is stored. Pre:
/// can_select_in_one_pass<ExecutionSpace, T>.
template <class ExecutionSpace, class T>
using part_bits_of = scan::detail::part_bits<
    scan::detail::selection_rows_of<T, scan::detail::classify_shape<ExecutionSpace>::bytes_per_thread>,
    lanes_of<ExecutionSpace>::size>;

/// Asks for the part of each element once, part_of(element, index) is 0, 1 or 2, keeps the answers and counts the
/// first two parts.
///
/// Pre: n > 0; `known` has device memory of known.bytes(n); `counts` is device memory.
/// Cost: n reads, known.bytes(n) written, 2 to 4 bits per element of up to 8 bytes; 1 launch; workspace 128 bytes per
///   tile, as select_in_one_pass().
/// Sync: asynchronous.
/// Throws: precondition_error (workspace of another instance), out_of_memory_error.
template <class ExecutionSpace, class In, class PartOf>
void classify_parts(ExecutionSpace const& space, In const& in, std::size_t n, PartOf const& part_of,
                    part_bits_of<ExecutionSpace, typename In::value_type> const& known, part_counts<2>* counts,
                    workspace& memory, std::string_view function, std::string_view caller = {}) {
  using work =
      scan::detail::classify_work<In, PartOf, scan::detail::classify_shape<ExecutionSpace>, lanes_of<ExecutionSpace>>;
  std::size_t const tiles = divide_up<std::size_t>(n, work::rows::size);
  std::byte* const region =
      access::begin_protocol(memory, space, scan::detail::striped_selection::region_bytes<ExecutionSpace>(tiles));
  scan::detail::run_one_pass(space, work{{in, part_of, {counts}, n, {}}, known}, tiles,
                             {region, access::protocol_bytes(memory)}, false, "classify", {function, caller});
  access::end_protocol(memory);
}

}  // namespace upsweep::internal
