// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>

namespace upsweep::detail {

/// From which end elements are taken, and for which tiles it is known already what is chosen, a bit an element. Constant while the
/// kernel runs.
struct first_to_last {
  KOKKOS_FUNCTION static constexpr bool backwards() { return false; }
  KOKKOS_FUNCTION static constexpr bool knows(std::size_t) { return false; }
  KOKKOS_FUNCTION static constexpr bool chosen(std::size_t, int) { return false; }
};

/// Whether chosen() reads memory of its own in the place of the element, bytes_ahead bytes an element from ahead() on. It is prefetched
/// while elements come.
template <class Chosen>
concept reads_ahead = requires(Chosen const& chosen) {
  chosen.ahead();
  Chosen::bytes_ahead;
};

/// Elements that are told apart in one pass. chosen(element, index), or chosen(element before, element, index) if Chosen::wants_previous,
/// says for which part; out.chosen(place, element) takes the chosen
/// ones up to out.room, and out.rest(place, element), if Out::wants_rest, the others, both with their places in their part;
/// out.finish(count of chosen ones) is called once. Backwards, places count from the last element on.
/// in_place: out.chosen() stores element i where in has element `place`, from the first element on.
template <class In, class Chosen, class Out, class Order = first_to_last>
struct selection_problem {
  using element = typename In::value_type;
  using chosen_type = Chosen;
  using out_type = Out;
  In in;
  Chosen chosen;
  Out out;
  std::size_t n;
  Order order;
  bool in_place = false;
};

}  // namespace upsweep::detail
