// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/calls/batched_kernel.hpp>
#include <upsweep/scan/detail/calls/segmented_call.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep::scan::detail {

/// Whether rows that lie side by side are scanned as segments of one sequence, in any number and of any length. H200,
/// 2026-11-22, 2^28 int32 in rows of 2^5 to 2^16: 845 to 865 us; packed_rows and whole_rows 1990 to 2570; double 1570
/// to 1590 (1113 since on the pipelined engine), 2430 to 3040. 2^20: 14.2 to 14.7 and 14.2 to 22.0; double 16.2 to 17.8
/// and 16.4 to 21.7.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Monoid>
constexpr bool scans_rows_as_segments() {
  using problem = scan_problem<segmented_input<row_heads, internal::contiguous_sequence<In>>,
                               segmented_output<Inclusive, row_heads, internal::contiguous_sequence<Out>, Monoid>,
                               segmented_states<Monoid>, Inclusive>;
  return has_segmented_tiles<ExecutionSpace, problem>();
}

/// All rows as segments of one sequence, on an engine. Rows side by side without gaps are a contiguous one.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Monoid, class Engine>
void run_rows_on_engine(ExecutionSpace const& space,
                        batched_kernel<ExecutionSpace, In, Out, Monoid, Inclusive> const& k, std::size_t elements,
                        workspace& memory, basic_scan_options<Engine> const& options, char const* function) {
  auto const run = [&](auto const& in, auto const& out) {
    run_segmented<Inclusive>(space, row_heads{k.finder}, in, out, k.monoid, elements, memory, options, function);
  };
  if (k.has_rows_side_by_side())
    run(internal::contiguous_sequence<In>{k.in.data}, internal::contiguous_sequence<Out>{k.out.data});
  else run(matrix_elements<In>{k.in, k.finder}, matrix_elements<Out>{k.out, k.finder});
}

template <class V>
concept view_of_rank_2 = (Kokkos::is_view_v<V> && compat::rank<V> == 2);

/// The mistake in input and output of a batched scan.
template <class ExecutionSpace, class In, class Out>
constexpr mistake mistake_in_matrices() {
  if constexpr (!view_of_rank_2<In> || !view_of_rank_2<Out>) return mistake::matrices;
  else if constexpr (std::is_const_v<typename Out::value_type>) return mistake::matrices;
  else if constexpr (!internal::reachable<ExecutionSpace, In>() || !internal::reachable<ExecutionSpace, Out>())
    return mistake::memory;
  else return mistake::none;
}

/// The choice between the kernels of batched scans and an engine.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Monoid, class Engine>
void scan_rows(ExecutionSpace const& space, In const& in, Out const& out, Monoid const& given,
               basic_scan_options<Engine> const& options, char const* function) {
  using monoid_type = internal::resolved_monoid<Monoid, typename Out::value_type>;
  require_state<typename monoid_type::value_type>();

  auto const shape = [](auto const& v) { return std::to_string(v.extent(0)) + " x " + std::to_string(v.extent(1)); };
  internal::require(in.extent(0) == out.extent(0) && in.extent(1) == out.extent(1), function,
                    [&] { return "input has " + shape(in) + " elements, output has " + shape(out); });
  internal::require_same_or_apart(in, out, function);
  std::size_t const rows = out.extent(0), length = out.extent(1);
  if (rows == 0 || length == 0) return;

  auto const monoid = internal::resolve<typename Out::value_type>(given);
  // Const or not, an input is read: one instantiation for both.
  using input = typename In::const_value_type;
  using output = typename Out::value_type;
  using kernel = batched_kernel<ExecutionSpace, input, output, monoid_type, Inclusive>;
  kernel const k{{in.data(), compat::stride(in, 0), compat::stride(in, 1)},
                 make_matrix_sequence(out),
                 monoid,
                 rows,
                 length,
                 row_finder(length)};
  if constexpr (std::is_same_v<Engine, engine::automatic>) {
    constexpr bool segments = scans_rows_as_segments<Inclusive, ExecutionSpace, input, output, monoid_type>();
    auto const way =
        segments && k.has_rows_side_by_side() ? batched_way::engine : choose_batched_way<kernel, ExecutionSpace>(k);
    if (way != batched_way::engine) {
      if (options.workspace != nullptr)
        internal::access::reserve(*options.workspace, space, 0);  // refuses one of another instance
      launch_batched(space, k, way, {function, options.label});
      if (options.workspace == nullptr) space.fence(internal::label(function, "fence"));
      return;
    }
  }
  internal::temporary_memory memory(space, options.workspace);
  run_rows_on_engine<Inclusive>(space, k, internal::checked_multiply(rows, length, function, "elements"), memory.get(),
                                options, function);
  if (memory.owned()) space.fence(internal::label(function, "fence"));
}

/// The whole call. given: the monoid, if any.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Engine, class... Given>
void batched_call(ExecutionSpace const& space, In const& in, Out const& out, basic_scan_options<Engine> const& options,
                  char const* function, Given const&... given) {
  constexpr mistake made =
      mistake_in_call<mistake_in_matrices<ExecutionSpace, In, Out>(), monoid_role, ExecutionSpace, Out, Given...>();
  say<made>();
  if constexpr (made == mistake::none)
    scan_rows<Inclusive>(space, in, out, argument_of<monoid_role>(plus<>{}, given...), options, function);
}

}  // namespace upsweep::scan::detail
