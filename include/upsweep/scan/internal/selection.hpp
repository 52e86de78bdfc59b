// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/calls/selection_call.hpp>
#include <upsweep/scan/detail/one_pass/striped_selection.hpp>
#include <upsweep/scan/detail/problem/selection_problem.hpp>
#include <upsweep/scan/tuning.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace upsweep::internal {

/// Whether select_in_one_pass() can run on a backend for elements of type T: CUDA devices of compute capability 7.0 and
/// newer, and HIP's; elements that can be copied as bytes.
template <class ExecutionSpace, class T>
inline constexpr bool can_select_in_one_pass = (compat::has_warps<ExecutionSpace> && std::is_trivially_copyable_v<T> &&
                                                std::is_default_constructible_v<T> && sizeof(T) <= 64);

/// Assigns the elements of a sequence to parts and passes them on with their places, each element read once and tested
/// once: what compact and partition are made of where the backend can do it.
/// chosen(element, index), a bool, says which are chosen; or chosen(element before,
/// element, index), if Chosen::wants_previous: element 0 is chosen then, and not asked for. out.chosen(place, element)
/// and, if Out::wants_rest, out.rest(place, element) get the elements with their places among those of their kind, in
/// their order, chosen ones only with places below out.room; out.finish(count of the chosen ones) is called once. There
/// are three parts if Chosen::parts is 3: chosen(element, index) is 0, 1 or 2, out.second takes the second part,
/// out.starts() says where places of the three begin to count, and out.finish gets two counts. order is asked on the
/// device: if order.backwards(), elements are taken from the last one on, and places count from there. If Chosen has
/// ahead(), a pointer, and bytes_ahead, chosen reads so many bytes per element from there on instead of the element:
/// they are prefetched.
///
/// Pre: can_select_in_one_pass<ExecutionSpace, element>; what out writes is no memory that is read. With in_place
///   out.chosen(place, element) may store where in has element `place`; elements are taken from the first one on.
/// Cost: n reads, one write per element that is wanted; 1 launch; workspace 128 bytes per tile of 20 to 72 KB, by the
///   device and the element; less for elements below 4 bytes.
/// Order: places are those of the input's order, the same in each run; calls come in no order.
/// Sync: asynchronous.
/// Throws: precondition_error (workspace of another instance), out_of_memory_error.
template <class ExecutionSpace, class In, class Chosen, class Out, class Order = scan::detail::first_to_last>
void select_in_one_pass(ExecutionSpace const& space, In const& in, std::size_t n, Chosen const& chosen, Out const& out,
                        workspace& memory, std::string_view function, std::string_view caller = {},
                        Order const& order = {}, bool in_place = false) {
  using T = typename In::value_type;
  using engine = scan::detail::selection_engine<ExecutionSpace>;
  using striped = scan::detail::striped_selection;
  using shape = typename engine::template shape<ExecutionSpace>;
  scan::detail::scan_names const names{function, caller};
  bool const is_short = scan::detail::takes_short_tiles<ExecutionSpace, T, Order>(n);
  if constexpr (scan::detail::has_three_parts<Chosen>) {
    constexpr bool always_striped = scan::detail::takes_more_warps<T, Chosen>;
    if (always_striped || is_short)
      scan::detail::select_by<striped, scan::detail::shape_of_three<ExecutionSpace, Chosen>>(
          space, in, n, chosen, out, memory, names, order, in_place);
    else if constexpr (!always_striped)
      scan::detail::select_by<engine, shape>(space, in, n, chosen, out, memory, names, order, in_place);
  } else if (is_short) {
    scan::detail::select_by<striped, typename upsweep::engine::tuning<ExecutionSpace>::short_selection>(
        space, in, n, chosen, out, memory, names, order, in_place);
  } else {
    scan::detail::select_by<engine, shape>(space, in, n, chosen, out, memory, names, order, in_place);
  }
}

/// select_in_one_pass() where both parts, or all three, go to one output, one behind the other, and n is so small that
/// all tiles can wait with their elements until the parts have been counted: one launch. Out::wants_total; places of
/// the second part and of the rest begin behind the parts before. Returns false, and does nothing, for longer inputs.
///
/// Cost: n reads, n writes; 1 launch; workspace 128 bytes per tile of 32 KiB. Teams wait for all others. Where
///   another kernel keeps some from starting, those that wait call chosen() again for the elements of these, after
///   about a millisecond.
/// Pre, Order, Sync, Throws: as select_in_one_pass; chosen() gives the same answer when it is asked again.
template <class ExecutionSpace, class In, class Chosen, class Out>
bool select_joined(ExecutionSpace const& space, In const& in, std::size_t n, Chosen const& chosen, Out const& out,
                   workspace& memory, std::string_view function, std::string_view caller = {}) {
  using shape = typename upsweep::engine::tuning<ExecutionSpace>::joined_selection;
  using striped = scan::detail::striped_selection;
  static_assert(Out::wants_total);
  if (!striped::runs_at_once<shape, scan::detail::selection_problem<In, Chosen, Out>>(space, n)) return false;
  scan::detail::select_by<striped, shape>(space, in, n, chosen, out, memory, {function, caller});
  return true;
}

// Other layers use them, too.
using scan::detail::takes_short_tiles;

}  // namespace upsweep::internal
