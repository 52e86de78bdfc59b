// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/run_engine.hpp>
#include <upsweep/scan/detail/selection_kernel.hpp>
#include <upsweep/scan/options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace upsweep {

/// Whether select_in_one_pass() can run on a backend for elements of type T: CUDA devices of compute capability 9.0 and newer,
/// elements that can be copied as bytes.
template <class ExecutionSpace, class T>
inline constexpr bool can_select_in_one_pass = compat::has_bulk_copies<ExecutionSpace> && std::is_trivially_copyable_v<T> &&
                                               std::is_default_constructible_v<T> && sizeof(T) <= 64;

/// Whether calls with an engine select in one pass, or make marks (pack/detail/marks.hpp). Calls compile only the ways that they can take.
template <class ExecutionSpace, class T, class Engine>
struct selection_ways {
  using dispatch = detail::engine_dispatch<Engine>;
  static constexpr bool is_one_pass(Engine const& which) {
    return can_select_in_one_pass<ExecutionSpace, T> && dispatch::is_pipelined(which);
  }
  static constexpr bool may_be_one_pass =
      can_select_in_one_pass<ExecutionSpace, T> && (!dispatch::is_fixed || dispatch::is_pipelined(Engine{}));
  static constexpr bool may_be_marks = !dispatch::is_fixed || !may_be_one_pass;
};

namespace detail {

/// Says that there is nothing to select from.
template <class Out>
struct select_nothing_kernel {
  Out out;
  KOKKOS_FUNCTION void operator()(int) const { out.finish(0); }
};

}  // namespace detail

/// Elements of a tile, a multiple of 64.
template <class ExecutionSpace, class T>
inline constexpr std::size_t selection_tile =
    detail::selection_tile_size<T, typename detail::tuning<ExecutionSpace>::selection>;

/// Tells the elements of a sequence apart and hands them on with their places, each element read once and asked for once: what
/// compact and partition are made of where the backend can do it.
/// chosen(element, index), a bool; out.chosen(place, element) and, if Out::wants_rest, out.rest(place, element) get the elements
/// with their places among those of their kind, in their order, chosen ones only with places below out.room;
/// out.finish(count of the chosen ones) is called once. order is asked on the device: if order.backwards(), elements are taken from
/// the last one on, and places count from there; if order.knows(tile), order.chosen(tile, element of the tile) is asked in the place
/// of chosen.
///
/// Pre: can_select_in_one_pass<ExecutionSpace, element>; what out writes is no memory that is read.
/// Cost: n reads, a write an element that is wanted; 1 launch; workspace 128 bytes a tile of about 70 KB.
/// Order: places are those of the input's order, the same in each run; calls come in no order.
/// Sync: asynchronous.
/// Throws: precondition_error (workspace of another instance), out_of_memory_error.
template <class ExecutionSpace, class In, class Chosen, class Out, class Order = detail::first_to_last>
void select_in_one_pass(ExecutionSpace const& space, In const& in, std::size_t n, Chosen const& chosen, Out const& out,
                        workspace& memory, std::string_view function, std::string_view caller = {}, Order const& order = {}) {
  using problem = detail::selection_problem<In, Chosen, Out, Order>;
  using shape = typename detail::tuning<ExecutionSpace>::selection;
  using kernel = detail::selection_kernel<ExecutionSpace, problem, shape>;
  using prefixes_type = typename kernel::prefixes_type;
  if (n == 0) {
    memory.require_same_instance(space);
    Kokkos::parallel_for(label(function, "nothing", caller), Kokkos::RangePolicy<ExecutionSpace>(space, 0, 1),
                         detail::select_nothing_kernel<Out>{out});
    return;
  }
  std::size_t const tiles = divide_up<std::size_t>(n, kernel::size);
  std::byte* const region =
      memory.begin_protocol(space, sizeof(std::uint64_t) * (detail::control_words + prefixes_type::words(tiles)));
  auto* const words = reinterpret_cast<std::uint64_t*>(region);
  prefixes_type const prefixes{reinterpret_cast<detail::look_back_control*>(words),
                               words + detail::control_words,
                               tiles,
                               memory.protocol_bytes() / sizeof(std::uint64_t) - detail::control_words,
                               detail::largest_epoch,
                               0,
                               false};
  bool const copy_in = kernel::can_copy_in && reinterpret_cast<std::uintptr_t>(detail::contiguous_bytes(in)) % 16 == 0;
  auto const most = static_cast<std::size_t>(compat::multiprocessors(space)) * shape::teams;
  detail::launch_pipeline<shape::teams>(space, kernel{{in, chosen, out, n, order}, prefixes, copy_in}, std::min(tiles, most), "select",
                                        {function, caller});
  memory.end_protocol();
}

}  // namespace upsweep
