// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/internal/part_counts.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

/// From which end elements are taken. Constant while the kernel runs.
struct first_to_last {
  KOKKOS_FUNCTION static constexpr bool backwards() { return false; }
};

/// Whether chosen() reads memory of its own instead of the element, bytes_ahead bytes per element from ahead() on. It
/// is prefetched while elements come.
template <class Chosen>
concept reads_ahead = requires(Chosen const& chosen) {
  chosen.ahead();
  Chosen::bytes_ahead;
};

/// Whether a selection has three parts, and not two: chosen() returns the number of an element's part.
template <class Chosen>
inline constexpr bool has_three_parts = requires { requires Chosen::parts == 3; };

/// Whether the parts of all elements are known before the selection: Chosen has their bits (part_bits.hpp).
template <class Chosen>
concept has_part_bits = requires { Chosen::rows; };

/// Elements that are assigned to parts in one pass. chosen(element, index), or chosen(element before, element, index)
/// if Chosen::wants_previous, says for which part; out.chosen(place, element) takes the chosen
/// ones up to out.room, and out.rest(place, element), if Out::wants_rest, the others, both with their places in their
/// part; out.finish(count of chosen ones) is called once. Backwards, places count from the last element on. With three
/// parts, chosen(element, index) is 0, 1 or 2; out.chosen(), out.second() and out.rest() take the parts. Their places
/// count from out.starts() on, which is asked once a tile, and out.room has no meaning; out.finish() gets the first two
/// counts. If Out::wants_total, all parts go to one output: places of the second part and of the rest begin behind the
/// parts before, whose counts are known before elements are stored (elements from the first one on, not in place). Then
/// chosen() may be asked more than once. in_place (two parts): out.chosen() stores element i where in has element
/// `place`, from the first element on.
template <class In, class Chosen, class Out, class Order = first_to_last>
struct selection_problem {
  using element = typename In::value_type;
  using chosen_type = Chosen;
  using out_type = Out;
  static constexpr int parts = has_three_parts<Chosen> ? 3 : 2;
  /// Adds the counts of all parts but the last one.
  using monoid = std::conditional_t<parts == 2, plus<std::uint64_t>, internal::add_counts<2>>;
  using counts = typename monoid::value_type;
  static_assert(parts == 2 || std::is_same_v<Order, first_to_last>,
                "upsweep: three parts are taken from the first element on.");
  static constexpr bool wants_total = requires { requires Out::wants_total; };
  static_assert(!wants_total || std::is_same_v<Order, first_to_last>,
                "upsweep: joined parts are taken from the first element on.");
  In in;
  Chosen chosen;
  Out out;
  std::size_t n;
  Order order;
  bool in_place = false;

  /// Passes the number of chosen elements of all tiles to `out`.
  KOKKOS_FORCEINLINE_FUNCTION void finish(counts const& found) const {
    if constexpr (parts == 3) out.finish(found);
    else out.finish(order.backwards() ? n - found : found);
  }
};

}  // namespace upsweep::scan::detail
