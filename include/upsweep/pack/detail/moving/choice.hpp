// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/pack/detail/lists/pack_arguments.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::pack::detail {

// Who says which elements are chosen: part 0 of two. It is asked by index, or with the element in hand.

template <class In, class Predicate>
struct part_by_predicate {
  In in;
  Predicate predicate;
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return predicate(in.load(i)) ? 0 : 1; }
  KOKKOS_FUNCTION bool operator()(typename In::value_type const& x, std::size_t) const { return predicate(x); }
};

template <class Flags>
struct part_by_flags {
  using flag = typename Flags::value_type;
  Flags flags;
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return flags.load(i) != flag(0) ? 0 : 1; }
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const&, std::size_t i) const {
    return flags.load(i) != flag(0);
  }
  static constexpr std::size_t bytes_ahead = sizeof(flag);
  KOKKOS_FUNCTION flag const* ahead() const
    requires std::is_same_v<Flags, internal::contiguous_sequence<flag const>>
  {
    return flags.data;
  }
};

/// Refuses flags in memory that the call writes.
template <class Choice, class Out>
void require_choice_apart(Choice const& choice, Out const& out, char const* function, char const* name) {
  if constexpr (Kokkos::is_view_v<Choice>) internal::require_apart(choice, out, function, "flags", name);
}

/// The parts by a predicate, or by a View of flags.
template <class ExecutionSpace, class In, class Source, class Choice>
auto make_choice(In const& in, Source const& from, Choice const& choice, char const* function) {
  if constexpr (Kokkos::is_view_v<Choice>) {
    static_assert(internal::reachable<ExecutionSpace, Choice>(),
                  "upsweep: a View's memory cannot be reached by kernels of this execution space.");
    internal::require_same_extent(in.extent(0), choice.extent(0), function, "input", "flags");
    return part_by_flags<decltype(internal::make_sequence(choice))>{internal::make_sequence(choice)};
  } else {
    static_assert(std::is_invocable_r_v<bool, Choice const&, typename In::non_const_value_type const&>,
                  "upsweep: a predicate is called with an element and returns bool.");
    return part_by_predicate<Source, Choice>{from, choice};
  }
}

}  // namespace upsweep::pack::detail
