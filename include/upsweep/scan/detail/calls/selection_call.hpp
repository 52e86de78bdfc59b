// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/calls/run_engine.hpp>
#include <upsweep/scan/detail/one_pass/striped_selection.hpp>
#include <upsweep/scan/detail/persistent/pipelined_selection.hpp>
#include <upsweep/scan/detail/problem/selection_problem.hpp>
#include <upsweep/scan/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

/// Says that there is nothing to select from.
template <class Out, class Counts = std::uint64_t>
struct select_nothing_kernel {
  Out out;
  KOKKOS_FUNCTION void operator()(int) const { out.finish(Counts{}); }
};

template <class Counts = std::uint64_t, class ExecutionSpace, class Out>
void select_nothing(ExecutionSpace const& space, Out const& out, workspace& memory, scan_names const& names) {
  internal::access::require_same_instance(memory, space);
  internal::run_on_one_thread(
      space, [&] { return internal::label(names.function, "nothing", names.caller); },
      select_nothing_kernel<Out, Counts>{out});
}

/// What selects on a backend.
template <class ExecutionSpace>
using selection_engine =
    std::conditional_t<compat::has_bulk_copies<ExecutionSpace>, pipelined_selection, striped_selection>;
/// Three parts of short elements take more instructions a byte, and so more warps than the pipelined kernel has. H200,
/// 2026-11-23, three outputs, 2^20 / 2^24 / 2^28: int32, pipelined 23.4 / 78.5 / 798 us (five other shapes: 758 us at
/// best), striped 16.0 / 64.7 / 765 us; int64, pipelined 19.4 / 93.1 / 1203 us, striped 16.0 / 97.7 / 1354 us. Short
/// inputs are striped, too.
template <class T, class Chosen>
inline constexpr bool takes_more_warps = !has_part_bits<Chosen> && sizeof(T) <= 4;

/// Tiles of warp_selection, whose threads have as many rows as those of the backend's own tiles.
template <class ExecutionSpace, class Shape = typename upsweep::engine::tuning<ExecutionSpace>::warp_selection>
using classify_shape =
    upsweep::engine::striped_shape<Shape::warps,
                                   selection_engine<ExecutionSpace>::template shape<ExecutionSpace>::bytes_per_thread,
                                   Shape::teams, Shape::pauses>;
/// Tiles of a striped selection of three parts. Known parts were kept by threads with the rows of classify_shape.
template <class ExecutionSpace, class Chosen>
using shape_of_three = std::conditional_t<has_part_bits<Chosen>, classify_shape<ExecutionSpace>,
                                          typename upsweep::engine::tuning<ExecutionSpace>::warp_selection>;

/// Whether an input is cut into short tiles. An element takes four bytes at least, as in registers. With an order of
/// its own (partition into one output, which then reverses a part) it has to be half as long: int32 on an H200,
/// 2026-11-23, 4 MiB 11.9 us in short tiles and 13.0 in long ones, 16 MiB 29.9 and 22.0.
template <class ExecutionSpace, class T, class Order = first_to_last>
constexpr bool takes_short_tiles(std::size_t n) {
  constexpr std::size_t most =
      upsweep::engine::tuning<ExecutionSpace>::short_selection_bytes / (std::is_same_v<Order, first_to_last> ? 1 : 2);
  return n <= most / std::max(sizeof(T), std::size_t(4));
}

/// select_in_one_pass() by an engine that the caller names, with tiles of the caller's shape.
template <class Engine, class Shape, class ExecutionSpace, class In, class Chosen, class Out,
          class Order = first_to_last>
void select_by(ExecutionSpace const& space, In const& in, std::size_t n, Chosen const& chosen, Out const& out,
               workspace& memory, scan_names const& names, Order const& order = {}, bool in_place = false) {
  using problem = selection_problem<In, Chosen, Out, Order>;
  if (n == 0) return select_nothing<typename problem::counts>(space, out, memory, names);
  std::size_t const tiles =
      internal::divide_up<std::size_t>(n, Engine::template tile_size<ExecutionSpace, typename In::value_type, Shape>);
  std::byte* const region =
      internal::access::begin_protocol(memory, space, Engine::template region_bytes<ExecutionSpace>(tiles));
  Engine::template select<Shape>(space, problem{in, chosen, out, n, order, in_place},
                                 {region, internal::access::protocol_bytes(memory)}, names);
  internal::access::end_protocol(memory);
}

}  // namespace upsweep::scan::detail
